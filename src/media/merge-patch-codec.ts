/** The codec for JSON Merge Patch (RFC 7396): `null` removes a property. */
import { mergePatch } from '../json/merge-patch.js'
import type { Codec } from './codec.js'
import { decodeJson } from './decode-json.js'

export const mergePatchCodec: Codec = {
  name: 'merge-patch',
  decode: decodeJson,
  patch: mergePatch,
}
