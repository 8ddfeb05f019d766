/** Reads the text of JSON bodies, for all codecs that are written in JSON. */
import { type ExactJson, NestingError, parseExactJson } from '../json/exact-json.js'
import { DecodeError } from './codec.js'

/** @throws DecodeError */
export function decodeJson(text: string): ExactJson {
  try {
    return parseExactJson(text)
  } catch (error) {
    // The text of JSON.parse's errors differs between JavaScript engines; a response must not.
    throw new DecodeError(error instanceof NestingError ? error.message : 'The body is not valid JSON')
  }
}
