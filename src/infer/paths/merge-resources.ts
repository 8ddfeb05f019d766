/** Finds lists and parts that show records of another collection. */

import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { nounOfView, saysBy } from '../../lexicon/operation-names.js'
import { isPlural, isSameName, nounOf, sameName, withoutSuffix, wordsOf } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import { findRecordSchema, schemaName } from '../facts/body-shape.js'
import type { OperationFacts } from '../facts/facts.js'
import { lineOf, operationAt, type PathNode } from './path-tree.js'
import { type FactsOf, type FoundResources, factsAt, itemsOfOwner, type Resource } from './resource.js'

/** Merges lists that show records of another collection: /authors/{id}/books and /books/search show /books. */
export function mergeLists(document: OpenApiDocument, { at, byItem, parts }: FoundResources, factsOf: FactsOf): void {
  const collections = [...at.values()].filter(({ kind }) => kind === 'collection')
  const recordName = new Map(collections.map((resource) => [resource, nameOfRecord(document, resource, factsOf)]))
  // A path that only links records shows none.
  const isLinking = ({ node, item, parent }: Resource) =>
    parent !== undefined && item !== undefined && node.operations.length === 0 && !operationAt(item, 'GET')
  for (const resource of collections.filter(isLinking)) {
    const name = recordName.get(resource)
    const isOpen = (other: Resource) => !other.item && !other.parent && nounOf(other.name) === nounOf(resource.name)
    const home = name && collections.find((other) => isOpen(other) && recordName.get(other) === name)
    if (!home || !resource.item) continue
    at.set(resource.node, home)
    byItem.set(resource.item, home)
  }
  const keyed = collections.filter((each) => each.item !== undefined && at.get(each.node) === each)
  const nouns = new Map(keyed.map((resource) => [resource, nounOf(resource.name)]))
  const depths = new Map(keyed.map((resource) => [resource, depthOf(resource.node)]))
  const flatsOf = oncePer((resource: Resource) => recordFlats(document, resource, factsOf))
  const byNoun = groupBy(keyed, ({ name }) => [nounOf(name), `the ${name}`])
  for (const resource of collections) {
    if (at.get(resource.node) !== resource) continue
    const own = recordName.get(resource)
    if (own === undefined) continue
    const noun = nounOfView(resource.name)
    const plain = nounOf(withoutSuffix(own))
    const created = shownAt(resource.node, 'POST')
    const isSame = (other: Resource) =>
      recordName.get(other) === own
        ? nouns.get(other) === noun ||
          (saysBy(resource.name) && resource.node.parent === other.node) ||
          (!resource.item && nouns.get(other) === plain)
        : !resource.item && isSameName(resource.name, other.name) && isAlike(flatsOf(resource), flatsOf(other))
    const same = keyed.filter((other) => other !== resource && isSame(other))
    const [home] = same.toSorted((one, other) => compareRanks(rankOf(one), rankOf(other)))
    // Where records are read as they are created, of the same schema, nearest in the tree of paths, least deep.
    function rankOf(other: Resource): number[] {
      const isRead = other.item !== undefined && operationAt(other.item, 'GET') !== undefined
      const isRecord = created !== undefined && created === shownAt(other.item, 'GET')
      const isOwn = isRecord || recordName.get(other) === own
      return [
        +!isRead,
        +!isRecord,
        +!isOwn,
        isOwn ? 0 : -sharedSteps(resource.node, other.node),
        depths.get(other) ?? 0,
      ]
    }
    if (!home) continue
    if (resource.item && depthOf(resource.node) <= depthOf(home.node)) continue
    if (resource.item && operationAt(resource.item, 'GET') && depthOf(home.node) >= depthOf(resource.node)) continue
    at.set(resource.node, home)
    if (resource.item) byItem.set(resource.item, home)
  }
  /** The name of the schema of the record that an operation shows. */
  function shownAt(node: PathNode | undefined, method: string): string | undefined {
    const schema = node && factsAt(node, method, factsOf)?.success?.schema
    const found = schema && findRecordSchema(document, schema, node.step.text ?? '', () => false)
    return found && schemaName(found.schema)
  }
  for (const [node, resource] of at) {
    const home = homeOfPart(document, factsAt(node, 'GET', factsOf), resource, recordName, byNoun)
    if (home) parts.set(node, home)
  }
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  return one.map((rank, index) => rank - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0
}

/** The number of steps at the beginning of two paths that are the same. */
function sharedSteps(one: PathNode, other: PathNode): number {
  const line = lineOf(other)
  return lineOf(one).filter((node, index) => node === line[index]).length
}

/** What the lists, reads and creations of a resource show. */
function recordFlats(document: OpenApiDocument, { node, item, name }: Resource, factsOf: FactsOf): FlatSchema[] {
  const list = factsAt(node, 'GET', factsOf)?.list
  const shown = [item && factsAt(item, 'GET', factsOf), factsAt(node, 'POST', factsOf)].flatMap((facts) => {
    const schema = facts?.success?.schema
    return (schema && findRecordSchema(document, schema, name, () => false)?.flat) ?? []
  })
  return list?.hasRecords ? [flattenSchema(document, list.item), ...shown] : shown
}

/** The fewest properties that two forms of one record share. */
const fewestShared = 3

/** Whether one of the records has nearly all properties of the other: a summary and the whole record. */
function isAlike(some: readonly FlatSchema[], others: readonly FlatSchema[]): boolean {
  return some.some(({ properties: one }) =>
    others.some(({ properties: other }) => {
      const shared = [...one.keys()].filter((name) => other.has(name)).length
      return shared >= fewestShared && 4 * shared >= 3 * Math.min(one.size, other.size)
    }),
  )
}

/** Paths with one noun in the singular and in the plural are of one collection: /tickets, /ticket and /ticket/{id}. */
export function mergeNumbers({ at, byItem }: FoundResources): void {
  const nodes = [...at].filter(([node, { kind, node: own }]) => kind === 'collection' && node === own)
  const byParent = groupBy(
    nodes.map(([, resource]) => resource),
    ({ node }) => [node.parent],
  )
  const alike = [...byParent.values()].flatMap((siblings) => [
    ...groupBy(siblings, ({ name }) => [sameName(name)]).values(),
  ])
  for (const siblings of alike) {
    for (const one of siblings) {
      const other = siblings.find((each) => each !== one)
      if (!other || !isNumberOf(one, other)) continue
      const home = one.item ? one.home : other.home
      Object.assign(one, { home, item: one.item ?? other.item })
      at.set(other.node, one)
      if (other.item) byItem.set(other.item, one)
    }
  }
}

/** Whether one name is the singular of the other, and only one of both has records. */
function isNumberOf(one: Resource, other: Resource): boolean {
  const isOne = !isPlural(wordsOf(one.name).at(-1) ?? '') && isPlural(wordsOf(other.name).at(-1) ?? '')
  return isOne && !(one.item && other.item) && !operationAt(one.node, 'GET')
}

/** The collection whose record is a part of another record: /orders/{id}/customer and /customers. */
function homeOfPart(
  document: OpenApiDocument,
  get: OperationFacts | undefined,
  resource: Resource,
  recordName: ReadonlyMap<Resource, string | undefined>,
  byNoun: ReadonlyMap<string | undefined, readonly Resource[]>,
): Resource | undefined {
  const schema = get?.success?.schema
  if (resource.kind !== 'singleton' || !schema || !resource.parent) return undefined
  if (isPlural(wordsOf(resource.name).at(-1) ?? '')) return undefined
  const found = findRecordSchema(document, schema, resource.name, () => false)
  const name = found && nameOfFound(found)
  if (name === undefined) return undefined
  const named = [...(byNoun.get(nounOf(resource.name)) ?? []), ...(byNoun.get(`the ${resource.name}s`) ?? [])]
  return named.find((other) => recordName.get(other) === name || isSameName(other.name, resource.name))
}

function groupBy<K>(resources: readonly Resource[], keysOf: (resource: Resource) => K[]): Map<K, Resource[]> {
  const groups = new Map<K, Resource[]>()
  for (const resource of resources) {
    for (const key of keysOf(resource))
      groups
        .set(key, groups.get(key) ?? [])
        .get(key)
        ?.push(resource)
  }
  return groups
}

function nameOfFound(found: { schema: Located<Schema>; flat: FlatSchema }): string | undefined {
  const { flat } = found
  const names = [...flat.properties.keys()]
  return schemaName(found.schema) ?? (names.length > 2 ? names.sort().join() : undefined)
}

/** The name of the record schema of a resource, if it has one. */
function nameOfRecord(document: OpenApiDocument, resource: Resource, factsOf: FactsOf): string | undefined {
  const { node, item } = resource
  const list = factsAt(node, 'GET', factsOf)?.list
  const listed = list?.hasRecords && nameOfFound({ schema: list.item, flat: flattenSchema(document, list.item) })
  if (listed) return listed
  const inOwner = itemsOfOwner(document, resource, factsOf)
  const shown = [
    item && factsAt(item, 'GET', factsOf),
    list ? undefined : factsAt(node, 'GET', factsOf),
    ...['PATCH', 'PUT'].map((method) => item && factsAt(item, method, factsOf)),
    factsAt(node, 'POST', factsOf),
    // What is done to a record may be all that its path has: `PUT /tasks/{id}/assign` beside `/lists/{listId}/tasks`
    ...(node.operations.length > 0 || item?.operations.length !== 0 ? [] : behindItem(item, factsOf)),
  ]
  for (const facts of shown) {
    const schema = facts?.success?.schema
    const found = schema && findRecordSchema(document, schema, node.step.text ?? '', () => false)
    const name = found && nameOfFound(found)
    if (name !== undefined && name === inOwner?.owner) return schemaName(inOwner.items)
    if (name !== undefined) return name
  }
  return inOwner && schemaName(inOwner.items)
}

function behindItem({ children }: PathNode, factsOf: FactsOf): OperationFacts[] {
  return children.flatMap(({ operations }) => operations.filter(({ method }) => method !== 'GET').map(factsOf))
}

function depthOf(node: PathNode): number {
  return node.parent ? depthOf(node.parent) + 1 : 0
}
