/** Hashes that tell two states of a resource, or two requests, apart. */
import type { RequestContract } from '../../contract/contract.js'
import type { ExactValue } from '../../json/exact-value.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'

/** 64 bits, so that two texts hardly ever have the same: 16 hexadecimal digits. */
export function hashText(text: string): string {
  return [text, `${text.length} ${text}`].map((each) => toSeed(each).toString(16).padStart(8, '0')).join('')
}

/** The same for a JSON value, whatever the order of its properties. */
export function hashOf({ shapes }: Pick<RequestContract, 'shapes'>, value: ExactValue): string {
  return hashText(writeByShape(sort(value), shapes, 0))
}

function sort(value: ExactValue): ExactValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sort)
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, item]) => [name, sort(item)]))
}
