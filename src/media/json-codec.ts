/** The codec for JSON (RFC 8259). On PATCH, the properties in the body replace those of the record. */
import type { RecordCodec } from './codec.js'
import { decodeJson } from './decode-json.js'

export const jsonCodec: RecordCodec = {
  name: 'json',
  decode: decodeJson,
  patch: replaceProperties,
}

export function replaceProperties(record: unknown, body: unknown): unknown {
  return { ...(record as object), ...(body as object) }
}
