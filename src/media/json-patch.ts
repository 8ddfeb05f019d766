/** The codec for JSON Patch (RFC 6902): a list of operations, applied all or none. */
import { jsonPatch } from '../json/json-patch.js'
import type { Codec } from './codec.js'
import { decodeJson } from './decode-json.js'

export const jsonPatchCodec: Codec = {
  name: 'json-patch',
  decode: decodeJson,
  patch: jsonPatch,
}
