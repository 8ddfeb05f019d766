/** Every codec, for contracts that are compiled when the program starts. */
import { binaryCodec } from './binary-codec.js'
import type { Codecs } from './codec.js'
import { formCodec } from './form-codec.js'
import { jsonCodec } from './json-codec.js'
import { jsonPatchCodec } from './json-patch-codec.js'
import { mergePatchCodec } from './merge-patch-codec.js'
import { multipartCodec } from './multipart-codec.js'
import { textCodec } from './text-codec.js'

export const allCodecs: Required<Codecs> = {
  json: jsonCodec,
  'merge-patch': mergePatchCodec,
  'json-patch': jsonPatchCodec,
  form: formCodec,
  multipart: multipartCodec,
  text: textCodec,
  binary: binaryCodec,
}
