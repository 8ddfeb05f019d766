/** Parses JSON bodies, for all codecs that are based on JSON. */
import { type ExactJson, NestingError, parseExactJson } from '../json/exact-json.js'
import { DecodeError } from './codec.js'

/** @throws DecodeError */
export function decodeJson(text: string): ExactJson {
  return parseJsonOf('The body', text)
}

/** @param what names the text in messages. @throws DecodeError */
export function parseJsonOf(what: string, text: string): ExactJson {
  try {
    return parseExactJson(text)
  } catch (error) {
    const { message } = error as SyntaxError
    throw new DecodeError(error instanceof NestingError ? message : `${what} is not valid JSON: ${message}`)
  }
}
