/** Parses JSON bodies, for all codecs that are based on JSON. */
import { type ExactJson, NestingError, parseExactJson } from '../json/exact-json.js'
import { DecodeError } from './codec.js'

/** @throws DecodeError */
export function decodeJson(text: string): ExactJson {
  try {
    return parseExactJson(text)
  } catch (error) {
    // The messages of JSON.parse differ between JavaScript engines; responses must not.
    throw new DecodeError(error instanceof NestingError ? error.message : 'The body is not valid JSON')
  }
}
