/** The codec for forms: `application/x-www-form-urlencoded` (WHATWG URL, section 5). */
import type { RecordCodec } from './codec.js'
import { parsePairs } from './fields.js'
import { replaceProperties } from './json-codec.js'
import { readForm } from './read-form.js'

export const formCodec: RecordCodec = {
  name: 'form',
  readsEmpty: true,
  decode: (text, source) => readForm(parsePairs(text), source),
  patch: replaceProperties,
}
