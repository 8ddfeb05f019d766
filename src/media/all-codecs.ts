/** Every codec, for contracts that are compiled when the program starts. */
import type { Codecs } from './codec.js'
import { jsonCodec } from './json-codec.js'
import { jsonPatchCodec } from './json-patch-codec.js'
import { mergePatchCodec } from './merge-patch-codec.js'

export const allCodecs: Required<Codecs> = {
  json: jsonCodec,
  'merge-patch': mergePatchCodec,
  'json-patch': jsonPatchCodec,
}
