/** Every codec, for contracts that are compiled when the program starts. */
import type { Codecs } from './codec.js'
import { jsonCodec } from './json.js'
import { jsonPatchCodec } from './json-patch.js'
import { mergePatchCodec } from './merge-patch.js'

export const allCodecs: Required<Codecs> = {
  json: jsonCodec,
  'merge-patch': mergePatchCodec,
  'json-patch': jsonPatchCodec,
}
