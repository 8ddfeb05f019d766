/** The codec for JSON (RFC 8259). On PATCH, the properties in the body replace those of the record. */
import type { Codec } from './codec.js'
import { decodeJson } from './decode-json.js'

export const jsonCodec: Codec = {
  name: 'json',
  decode: decodeJson,
  patch: (record, body) => ({ ...(record as object), ...(body as object) }),
}
