/** Finds the collection whose keys a property has by its name: that of accounts for `account_id` and `billingAccountId`. */
import type { CollectionModel } from '../contract/contract.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { getOrInsert } from '../json/own-value.js'
import { isPathProperty } from '../json/path-property.js'
import { endsLikeKey } from '../lexicon/keys.js'
import { isPlural, nounOf, sameName, wordsOf } from '../lexicon/words.js'
import { type FlatSchema, flattenSchema } from './flatten-schema.js'

/** A collection whose records may be named. */
export interface Named {
  model: Pick<CollectionModel, 'name' | 'key' | 'keyKind'>
  record: Located<Schema> | undefined
}

/**
 * One answer for requests, generated data and forms.
 * @returns a function that finds it by the words of a name without that of the key, and by the schema of the key. The collection
 * with the name of all words counts, else that with the name of the last ones; of several, a plural, and the shortest name
 */
export function createFindNamed<Known extends Named>(
  document: OpenApiDocument,
  collections: Iterable<Known>,
): (words: readonly string[], scalar: FlatSchema, own: string) => { named: Known; key: string } | undefined {
  const byNoun = new Map<string, Known[]>()
  for (const each of collections) {
    const noun = nounOf(lastSegment(each.model.name))
    // `assigned-to` is no noun.
    if (noun.length > 2) getOrInsert(byNoun, noun, () => []).push(each)
  }
  return (words, scalar, own) => {
    const whole = sameName(words.join('-'))
    const others = (byNoun.get(nounOf(words.join('-'))) ?? []).flatMap((named) => {
      const { name, key } = named.model
      const found = name === own || isPathProperty(key) ? undefined : keyOf(document, named, scalar)
      return found === undefined ? [] : [{ named, key: found }]
    })
    const rank = ({ named: { model } }: { named: Known }) => {
      const last = sameName(lastSegment(model.name))
      const isList = isPlural(wordsOf(model.name).at(-1) ?? '')
      return (last === whole ? 0 : whole.endsWith(last) ? 2 : 4) * 1000 + (isList ? 0 : 1000) + model.name.length
    }
    return others.toSorted((one, other) => rank(one) - rank(other))[0]
  }
}

/** The words of the record that a property names: of `buyer_id` and, as a number with the name of a record is its key, of `buyer`. */
export function nounOfKey(name: string, { types }: FlatSchema): string[] {
  const words = wordsOf(name)
  if (endsLikeKey(words.at(-1) ?? '')) return words.slice(0, -1)
  return types.has('integer') ? words : []
}

/** The key, or the property `id` if the key of records is a name. */
function keyOf(document: OpenApiDocument, { model, record }: Named, scalar: FlatSchema): string | undefined {
  if (fits(scalar, model.keyKind)) return model.key
  const id = record?.value === undefined ? undefined : flattenSchema(document, record).properties.get('id')
  if (model.key === 'id' || !id) return undefined
  const own = flattenSchema(document, id)
  return [...own.types].some((type) => type !== 'null' && scalar.types.has(type)) ? 'id' : undefined
}

function fits({ types, keywords }: FlatSchema, keyKind: CollectionModel['keyKind']): boolean {
  if (keyKind === 'integer') return types.has('integer')
  const isUuid = keywords.format === 'uuid'
  return types.has('string') && (keywords.format === undefined || isUuid) && (!isUuid || keyKind === 'uuid')
}

function lastSegment(name: string): string {
  return name.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? ''
}
