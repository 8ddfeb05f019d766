/** The codec for JSON Merge Patch (RFC 7396): `null` removes a property. */
import { mergePatch, withoutRemovals } from '../json/merge-patch.js'
import type { Codec } from './codec.js'
import { decodeJson } from './decode-json.js'

export const mergePatchCodec: Codec = {
  name: 'merge-patch',
  decode: decodeJson,
  // Schemas describe values; no value that is sent breaks them by being removed.
  toJudged: withoutRemovals,
  patch: mergePatch,
}
