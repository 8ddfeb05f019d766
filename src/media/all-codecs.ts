/** Every codec, for contracts that are compiled when the program starts. */

import type { Codecs } from './codec.js'
import { formCodec } from './form-codec.js'
import { jsonCodec, jsonPatchCodec, mergePatchCodec } from './json-codec.js'
import { multipartCodec } from './multipart-codec.js'
import { binaryCodec, textCodec } from './text-codec.js'

export const allCodecs: Required<Codecs> = {
  json: jsonCodec,
  'merge-patch': mergePatchCodec,
  'json-patch': jsonPatchCodec,
  form: formCodec,
  multipart: multipartCodec,
  text: textCodec,
  binary: binaryCodec,
}
