/** Finds the properties of records that name records of other collections: `ownerId`, `tag_ids`. */

import type { OpenApiDocument } from '../compile/document.js'
import { nounOf, wordsOf } from '../compile/resources/words.js'
import { flattenSchema } from '../compile/schemas/flatten-schema.js'
import type { CollectionModel, Contract } from '../contract/contract.js'
import { findRecordSchema } from './collection-to-generate.js'

export interface PropertyReference {
  property: string
  collection: string
  /** The property of the other record that it has. */
  key: string
  /** Whether it has several of them. */
  isList: boolean
  /** Whether a record must have it. */
  isRequired: boolean
}

const keyWords = new Set(['id', 'ids', 'uuid', 'uuids', 'guid', 'guids', 'key', 'keys', 'sid', 'gid'])

/** @returns a function that finds them for one collection */
export function createFindReferences(
  document: OpenApiDocument,
  { collections, recordSchemas }: Pick<Contract, 'collections' | 'recordSchemas'>,
  isGenerated: (name: string) => boolean,
): (model: CollectionModel) => PropertyReference[] {
  const byNoun = new Map<string, CollectionModel[]>()
  for (const model of collections) {
    if (!isGenerated(model.name)) continue
    const noun = nounOf(model.name.split('/').findLast((segment) => !segment.includes('{')) ?? '')
    byNoun.set(noun, [...(byNoun.get(noun) ?? []), model])
  }
  const known = new Map<CollectionModel, PropertyReference[]>()
  return (model) => {
    const found = known.get(model) ?? find(model)
    known.set(model, found)
    return found
  }

  function find(model: CollectionModel): PropertyReference[] {
    const { properties, required } = flattenSchema(
      document,
      findRecordSchema(document, recordSchemas[model.record] ?? []),
    )
    const owned = new Set((model.links ?? []).flatMap(({ values }) => values.map(([own]) => own)))
    return [...properties].flatMap(([property, schema]): PropertyReference[] => {
      const words = wordsOf(property)
      if (property === model.key || owned.has(property) || words.length < 2 || !keyWords.has(words.at(-1) ?? ''))
        return []
      const flat = flattenSchema(document, schema)
      const isList = flat.types.has('array') && flat.items !== undefined
      const scalar = isList && flat.items ? flattenSchema(document, flat.items) : flat
      if ('enum' in scalar.keywords || 'pattern' in scalar.keywords) return []
      const target = targetOf(words.slice(0, -1), model, (other) => fits(scalar, other))
      if (!target) return []
      const isRequired = required.has(property)
      return [{ property, collection: target.name, key: target.key, isList, isRequired }]
    })
  }

  /** The collection of the longest noun: of `parentAccountId` it is that of accounts. The one with the shortest name decides. */
  function targetOf(
    words: readonly string[],
    model: CollectionModel,
    isFitting: (other: CollectionModel) => boolean,
  ): CollectionModel | undefined {
    const noun = nounOf(words.join('-'))
    const others = (byNoun.get(noun) ?? []).filter(
      (other) => other !== model && !other.key.startsWith('{') && isFitting(other),
    )
    return others.toSorted((one, other) => one.name.length - other.name.length)[0]
  }
}

function fits({ types, keywords }: ReturnType<typeof flattenSchema>, { keyKind }: CollectionModel): boolean {
  if (keyKind === 'integer') return types.has('integer')
  const isUuid = keywords.format === 'uuid'
  return types.has('string') && (keywords.format === undefined || isUuid) && (!isUuid || keyKind === 'uuid')
}
