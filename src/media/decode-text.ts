/** Decodes one text to a typed value. */
import type { JsonType } from '../contract/request-model.js'
import { toExactInteger } from '../json/exact-json.js'

/** Excludes -0, because a key has only one spelling. */
const integer = /^(?:0|-?[1-9]\d*)$/
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Reads the text as the first matching type. Other text stays text, and the validator refuses it. */
export function decodeText(text: string, types: readonly JsonType[]): unknown {
  for (const type of types) {
    if ((type === 'integer' || type === 'number') && integer.test(text)) return toExactInteger(text)
    if (type === 'number' && number.test(text)) return Number(text)
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
    if (type === 'null' && text === 'null') return null
    if (type === 'string') return text
  }
  return text
}
