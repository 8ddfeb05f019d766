/** Finds the property that has the keys of linked records, on one side of a link. */
import type { Source } from '../../behaviour/line.js'
import type { CollectionLines } from '../../behaviour/members.js'
import type { CollectionModel } from '../../contract/contract.js'
import type { InnerList, PropertyLink } from '../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { isPathProperty, toPathProperty } from '../../json/path-property.js'
import { isKeyList } from '../../lexicon/keys.js'
import { isListCount } from '../../lexicon/numbers.js'
import { isKeyOf } from '../../lexicon/record-names.js'
import { bareName, isSameName, singular } from '../../lexicon/words.js'
import { flattenSchema, placeOf } from '../../schemas/flatten-schema.js'
import type { FoundResources } from '../paths/find-resources.js'
import type { PathNode } from '../paths/path-tree.js'
import type { Resource } from '../paths/resource.js'
import { isPage } from './body-shape.js'

/** A collection whose records may be linked. */
export interface LinkSide {
  path: string
  resource: Resource | undefined
  record: Located<Schema>
  model: Pick<CollectionModel, 'name' | 'key' | 'keyKind'>
  lines: CollectionLines
}

export interface FoundLink extends PropertyLink {
  property: string
  evidence: Source
}

/** A list that names records. */
interface FoundNaming extends Pick<FoundLink, 'property' | 'key' | 'isRecord' | 'evidence'> {
  /** The list, if the property has an object around it. */
  inner?: InnerList
}

/**
 * @param owner the collection that the path is below
 * @param own the collection whose records it selects
 * @param name what the path calls them
 * @returns undefined if only a property that no body shows can have the keys, in these records
 */
export function findLink(
  document: OpenApiDocument,
  resources: FoundResources,
  owner: LinkSide,
  own: LinkSide,
  name?: string,
): FoundLink | undefined {
  if (owner.model === own.model || own.resource?.kind !== 'collection') return undefined
  const inOwner = findNaming(document, owner.record, own, name)
  if (inOwner && !inOwner.inner) return { in: 'owner', ...inOwner }
  const inRecords = findNaming(document, own.record, owner)
  if (inRecords && !inRecords.inner) return { in: 'records', ...inRecords }
  // Both sides have a list of the other one: one of them has the keys.
  const parameter = own.resource.item?.step.parameter
  const isReverse = listsOf(resources, own, owner) && parameter !== undefined && !isPathProperty(own.model.key)
  if (!isReverse || (listsOf(resources, owner, own) && owner.path > own.path)) return undefined
  return { in: 'owner', property: toPathProperty(parameter), key: own.model.key, evidence: 'name' }
}

/** Whether a path below the records of a collection lists records of another one, under their name. */
export function listsOf({ at }: FoundResources, { resource }: LinkSide, { resource: other }: LinkSide): boolean {
  const isList = (node: PathNode) =>
    at.get(node) === other && node !== other?.node && isSameName(node.step.text ?? '', other?.name ?? ' ')
  return resource?.item?.children.some(isList) === true
}

/**
 * The list in a record that has the name of a collection, with keys of its records or with objects that have them.
 * @param other another name for a list of the same records, which counts more
 */
export function findNaming(
  document: OpenApiDocument,
  record: Located<Schema>,
  { resource, record: named, model, lines }: LinkSide,
  other = '',
): FoundNaming | undefined {
  const name = resource?.name ?? ''
  const isOfKeys = (property: string) => !isKeyList(property) && isKeyOf(singular(bareName(property)), name, model.key)
  const { properties } = flattenSchema(document, named)
  const keys = [model.key, ...lines.all('finds').map(({ about }) => about)].filter((key) => !isPathProperty(key))
  const rank = ({ property }: { property: string }) => +!isSameName(property, other)
  const lists = [...flattenSchema(document, record).properties].flatMap(([property, schema]) => {
    const found = findItems(document, schema)
    return found ? [{ property, ...found }] : []
  })
  for (const { property, items, inner } of lists.toSorted((one, two) => rank(one) - rank(two))) {
    const isNamed = isSameName(property, name)
    if (!isNamed && !isSameName(property, other) && !isOfKeys(property)) continue
    const item = flattenSchema(document, items)
    const isRecord = item.properties.size > 0
    const isSame = isRecord ? placeOf(document, items) === placeOf(document, named) : isOfKeys(property)
    if (!isNamed && !isSame) continue
    const typesOf = (shown: Located<Schema> | undefined) => (shown ? flattenSchema(document, shown).types : undefined)
    const key = keys.find((each) => {
      const shown = isRecord ? typesOf(item.properties.get(each)) : item.types
      return [...(typesOf(properties.get(each)) ?? [])].some((type) => type !== 'null' && shown?.has(type))
    })
    if (key === undefined || (inner && !isRecord)) continue
    return { property, key, ...(isRecord && { isRecord: true as const }), ...(inner && { inner }), evidence: 'schema' }
  }
  return undefined
}

/** The items of a list, or of the only list in an object that else describes its page: `{"data": [], "total_count": 0}` */
export function findItems(
  document: OpenApiDocument,
  schema: Located<Schema>,
): { items: Located<Schema>; inner?: InnerList } | undefined {
  const flat = flattenSchema(document, schema)
  if (flat.items && flat.types.has('array')) return { items: flat.items }
  const lists = [...flat.properties].flatMap(([list, each]) => {
    const { items, types } = flattenSchema(document, each)
    return items && types.has('array') && isPage(flat, list) ? [{ list, items }] : []
  })
  const [only] = lists
  if (!only || lists.length > 1) return undefined
  const count = [...flat.properties].find(
    ([name, each]) => isListCount(name) && flattenSchema(document, each).types.has('integer'),
  )?.[0]
  return { items: only.items, inner: { list: only.list, ...(count !== undefined && { count }) } }
}
