/** The codec for JSON Patch (RFC 6902): a list of operations, of which all or none are applied. */
import { jsonPatch } from '../json/json-patch.js'
import type { RecordCodec } from './codec.js'
import { decodeJson } from './decode-json.js'

export const jsonPatchCodec: RecordCodec = {
  name: 'json-patch',
  decode: decodeJson,
  patch: jsonPatch,
}
