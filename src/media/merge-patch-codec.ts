/** The codec for JSON Merge Patch (RFC 7396): `null` removes a property. */
import { mergePatch } from '../json/merge-patch.js'
import type { RecordCodec } from './codec.js'
import { decodeJson } from './decode-json.js'

export const mergePatchCodec: RecordCodec = {
  name: 'merge-patch',
  decode: decodeJson,
  patch: mergePatch,
}
