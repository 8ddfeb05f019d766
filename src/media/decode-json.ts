/** Parses JSON bodies, for all codecs that are based on JSON. */
import { type ExactJson, NestingError, parseExactJson } from '../json/exact-json.js'
import { DecodeError } from './codec.js'

/** @throws DecodeError */
export function decodeJson(text: string): ExactJson {
  try {
    return parseExactJson(text)
  } catch (error) {
    const { message } = error as SyntaxError
    throw new DecodeError(error instanceof NestingError ? message : `The body is not valid JSON: ${message}`)
  }
}
