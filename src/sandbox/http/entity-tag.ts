/** Hashes that distinguish two states of a resource, or two requests. */
import type { CollectionModel, RequestContract } from '../../contract/contract.js'
import type { TagForm } from '../../contract/http/http-semantics.js'
import type { ExactValue } from '../../json/exact-value.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { Values } from '../../state/stored-record.js'

/** Returns 16 hexadecimal digits. With 64 bits, collisions are very unlikely. */
export function hashText(text: string): string {
  return [text, `${text.length} ${text}`].map((each) => toSeed(each).toString(16).padStart(8, '0')).join('')
}

/** The same for a JSON value. The order of properties does not matter. */
export function hashOf({ shapes }: Pick<RequestContract, 'shapes'>, value: ExactValue): string {
  return hashText(writeByShape(sort(value), shapes, 0))
}

function sort(value: ExactValue): ExactValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sort)
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, item]) => [name, sort(item)]))
}

/** @returns the values with an entity tag that no other state of the record has */
export function stamp(contract: RequestContract, { tag }: CollectionModel, values: Values): Values {
  if (!tag) return values
  const { [tag.property]: _, ...others } = values
  return { ...values, [tag.property]: write(tag.form, hashOf(contract, others)) }
}

function write(form: TagForm, hash: string): string {
  if (form === 'quoted') return `"${hash}"`
  if (form === 'plain') return hash
  const long = hash + hash
  if (form === 'long') return long
  return long.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
