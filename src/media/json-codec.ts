/** The codec for JSON (RFC 8259). On PATCH, the properties in the body replace those of the record. */

import { jsonPatch } from '../json/json-patch.js'
import { mergePatch } from '../json/merge-patch.js'
import type { RecordCodec } from './codec.js'
import { decodeJson } from './decode-json.js'

export const jsonCodec: RecordCodec = {
  name: 'json',
  decode: decodeJson,
  patch: replaceProperties,
}

export function replaceProperties(record: unknown, body: unknown): unknown {
  return { ...(record as object), ...(body as object) }
}

export const jsonPatchCodec: RecordCodec = {
  name: 'json-patch',
  decode: decodeJson,
  patch: jsonPatch,
}

export const mergePatchCodec: RecordCodec = {
  name: 'merge-patch',
  decode: decodeJson,
  patch: mergePatch,
}
