/** Compiles the owners of records from paths. */

import { guess, type Line } from '../../../behaviour/line.js'
import type { CollectionModel, Link, PartList, ScopePart } from '../../../contract/contract.js'
import type { Owner, PathScope, PathValue, ShownList } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import type { KnownCollection } from '../../../infer/collection.js'
import type { OperationFacts } from '../../../infer/facts/facts.js'
import { findCount } from '../../../infer/facts/find-count.js'
import { findOwnProperty } from '../../../infer/facts/find-own-property.js'
import { findRequestRecord, findSent, isLikeRecord } from '../../../infer/facts/request-record.js'
import type { FoundResources } from '../../../infer/paths/find-resources.js'
import { hasSeveralKeys, lineOf, type PathNode } from '../../../infer/paths/path-tree.js'
import type { Resource } from '../../../infer/paths/resource.js'
import { refuseUnknown } from '../../../infer/read-extensions.js'
import { toJson } from '../../../json/exact-json.js'
import { isPathProperty, toPathProperty } from '../../../json/path-property.js'
import { isOfAny } from '../../../lexicon/keys.js'
import { bareName, isSameName, nounsOf } from '../../../lexicon/words.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
import type { CompiledCandidate } from '../compiled-candidate.js'
import { type FoundLink, findLink, findNaming, type LinkSide } from './find-link.js'

/** A collection that is being compiled. */
export interface Group extends KnownCollection {
  members: CompiledCandidate[]
  model: CollectionModel
}

/** Groups by the home path of their resource. */
export type Groups = ReadonlyMap<string, Group>

/** The nodes of the path of a collection, or of a record that exists once. */
function homeLine({ kind, item, node }: Resource): PathNode[] {
  return lineOf(kind === 'collection' ? (item?.parent ?? node) : node)
}

/** Adds the owners in the path of a collection to its model. */
export function scopeCollection(
  document: OpenApiDocument,
  resources: FoundResources,
  groups: Groups,
  { resource, record, model, lines }: Group,
): void {
  if (!resource) return
  const scope: ScopePart[] = []
  const said = lines.all('owner')
  const isSaid = lines.isComplete('owner')
  const names = flattenSchema(document, record).properties
  const used = new Set<Line>()
  for (const node of homeLine(resource)) {
    const { parameter } = node.step
    if (parameter === undefined) continue
    const found = ownerAt(resources, groups, node)
    const named = said.find((each) => each.says === found?.path && !used.has(each))
    const owner = isSaid && !named ? undefined : found
    const inferred = owner && foreignKey(document, record, model, owner, parameter)
    const own =
      named && names.has(named.about) ? named.about : named?.about === toPathProperty(parameter) ? undefined : inferred
    if (named) used.add(named)
    // Records may have a key of the same name.
    const property = own ?? freeName(toPathProperty(parameter), [...scope, { property: model.key }])
    scope.push(owner ? { property } : { property, isOpen: true })
    if (own === undefined) addHidden(model, property)
    if (!owner) continue
    addLink(model, owner, property, scope, true)
    if (!named) lines.add('owner', property, owner.path, guess('name', `its path is below {${parameter}}`))
  }
  for (const line of said.filter((each) => !used.has(each))) {
    const { about: property, says: path } = line
    refuseUnknown(line, path, groups.keys(), 'collection', property)
    refuseUnknown(line, property, names.keys(), 'property of the record', property)
    addLink(model, groups.get(path) as Group, property, [], true)
  }
  if (scope.length > 0) model.scope = scope
  const { properties } = flattenSchema(document, record)
  // Where records have an id of their own, their number is one among those of the owner.
  if (scope.length > 0 && model.keyKind === 'integer' && isNumber.test(model.key) && properties.has('id')) {
    model.isNumbered = true
    lines.add('numbered', model.key, true, guess('name', 'records have an id, too, and belong to others'))
  }
  const nearest = homeLine(resource).findLast(({ step }) => step.parameter !== undefined)
  const owner = nearest && ownerAt(resources, groups, nearest)
  if (owner && resource.kind === 'singleton') addSingle(document, owner, { resource, record, model })
  else if (owner) addPart(document, owner, { path: '', resource, record, model })
}

/** Adds the property of an owner whose value a path below it reads and writes: `/endpoints/{endpointId}/headers` */
function addSingle(
  document: OpenApiDocument,
  { model: owner, record, members, lines, resource: above }: Group,
  { resource, record: shown, model }: Pick<Group, 'record' | 'model'> & { resource: Resource },
): void {
  const link = model.links?.find(({ collection, isOwner }) => collection === owner.name && isOwner)
  if (!link || resource.node.parent !== above?.item) return
  const sent = members.flatMap(({ kind, operation, pointer }) =>
    kind === 'create' ? (findRequestRecord(document, operation, pointer, record)?.schema ?? []) : [],
  )
  const value = flattenSchema(document, shown)
  const found = [record, ...sent].map((each) => findOwnProperty(document, each, resource.node, value)).find(Boolean)
  if (!found) return
  owner.parts = [...(owner.parts ?? []), { ...found, collection: model.name, owners: link.values, isSingle: true }]
  lines.add('parts', found.property, model.name, guess('name', 'a path below it has its name and type'))
}

/** Adds the list in which an owner shows the records below it, as objects with their keys, or in which only requests have them. */
function addPart(document: OpenApiDocument, above: Group, part: LinkSide): void {
  const { model: owner, record, lines } = above
  const link = part.model.links?.find(({ collection, isOwner }) => collection === owner.name && isOwner)
  if (part.model === owner || !link) return
  const naming = findNaming(document, record, part)
  const sent = naming ? undefined : findSentPart(document, above, part)
  const isShown = naming?.isRecord && naming.key === part.model.key
  const property = isShown ? naming.property : sent
  if (property === undefined) return
  const inner = isShown && naming.inner
  const added: PartList = { property, collection: part.model.name, owners: link.values, ...(inner && { inner }) }
  owner.parts = [...(owner.parts ?? []), isShown ? added : { ...added, isSent: true }]
  const why = isShown
    ? 'its objects have the keys of the records below it'
    : 'creations send it, and it has the name and the properties of the records below it'
  lines.add('parts', property, part.path, guess('schema', why))
}

/** The list of a creation that has the name of the records below the new one, and their properties. The record does not have it. */
function findSentPart(
  document: OpenApiDocument,
  { members, record }: Group,
  { resource, record: named }: LinkSide,
): string | undefined {
  const own = flattenSchema(document, record).properties
  const known = flattenSchema(document, named).properties
  const creates = members.filter(({ kind }) => kind === 'create')
  const sent = creates.flatMap(({ operation, pointer }) => {
    const request = findRequestRecord(document, operation, pointer, record)
    return request ? [...flattenSchema(document, request.schema).properties] : []
  })
  const isPart = ([name, schema]: [string, Located<Schema>]) => {
    if (own.has(name) || !isSameName(name, resource?.name ?? '')) return false
    const { items } = flattenSchema(document, schema)
    return items !== undefined && isLikeRecord(document, items, known)
  }
  return sent.find(isPart)?.[0]
}

const isNumber = /^(number|iid|index|no|sequence|seq)$/i

function freeName(name: string, taken: readonly ScopePart[]): string {
  return taken.some(({ property }) => property === name) ? freeName(`{${name}}`, taken) : name
}

export function addHidden(model: CollectionModel, property: string): void {
  if (!model.hidden?.includes(property)) model.hidden = [...(model.hidden ?? []), property]
}

function addLink(
  model: CollectionModel,
  { model: other }: Group,
  property: string,
  scope: readonly ScopePart[],
  isOwner: boolean,
): void {
  // The owners of the owner also own the record.
  const shared = (other.scope ?? []).flatMap((part, index): [string, string][] => {
    const own = scope[index]?.property
    return own !== undefined ? [[own, part.property]] : []
  })
  const values: Link['values'] = [...shared, [property, other.key]]
  const known = model.links?.some((link) => link.collection === other.name && toJson(link.values) === toJson(values))
  if (!known) model.links = [...(model.links ?? []), { collection: other.name, values, ...(isOwner && { isOwner }) }]
}

/** The stored collection whose record a parameter selects. */
function ownerAt(resources: FoundResources, groups: Groups, node: PathNode): Group | undefined {
  const resource = resources.byItem.get(node)
  return resource && groups.get(resource.home)
}

/** The property of a record that refers to its owner. */
function foreignKey(
  document: OpenApiDocument,
  record: Located<Schema>,
  model: CollectionModel,
  owner: Group,
  parameter: string,
): string | undefined {
  const nouns = nounsOf(owner.resource?.name ?? '').map(bareName)
  const key = bareName(owner.model.key)
  const isOwn = owner.model === model
  const wanted = new Set(
    isOwn
      ? ['', ...nouns].flatMap((each) => [`parent${each}`, `parent${each}id`, `parent${each}${key}`])
      : [bareName(parameter), ...nouns.flatMap((noun) => [`${noun}id`, `${noun}${key}`])],
  )
  const found = [...flattenSchema(document, record).properties].find(
    ([name]) => name !== model.key && wanted.has(bareName(name)) && !isOfAny(name),
  )
  if (!found) return undefined
  const { types, keywords } = flattenSchema(document, found[1])
  const fits = owner.model.keyKind === 'integer' ? types.has('integer') || types.has('number') : types.has('string')
  // The key of the owner may be as narrow.
  const ownKey = flattenSchema(document, owner.record).properties.get(owner.model.key)
  const known: Schema = ownKey ? flattenSchema(document, ownKey).keywords : {}
  const isSame = (name: string) => toJson(known[name]) === toJson(keywords[name])
  const narrowing = ['enum', 'const', 'pattern', 'maxLength', 'maximum', 'minimum']
  const isNarrow = narrowing.some((name) => name in keywords && !isSame(name))
  const isUuid = keywords.format === 'uuid'
  return fits && !isNarrow && (keywords.format === undefined || isUuid === (owner.model.keyKind === 'uuid'))
    ? found[0]
    : undefined
}

/**
 * Compiles how the path of an operation selects records of its collection. Adds relations that occur only in this path.
 * @param group undefined if it answers with an example: then only the owners matter
 */
export function compileScope(
  document: OpenApiDocument,
  resources: FoundResources,
  groups: Groups,
  group: Group | undefined,
  { decision: { steps, facts }, node, parameter: keyParameter, keyIn }: CompiledCandidate,
): PathScope | undefined {
  if (group && !group.resource) return undefined
  const line = lineOf(node).map((each, index): Step => ({ node: each, parameter: steps[index]?.parameter }))
  const end = line.findIndex(({ parameter }) => parameter !== undefined && parameter === keyParameter)
  const isWhole = group
    ? end === -1 || keyIn !== undefined
    : isFileOfRecord(ownerAt(resources, groups, node)?.members, facts)
  const above = line.slice(0, isWhole ? undefined : group ? end : -1)
  return scopeOf({ document, resources, groups }, group, above)
}

/** The records of a collection that are linked with the record at a node of the path of an operation. */
export function compileLinkScope(
  document: OpenApiDocument,
  resources: FoundResources,
  groups: Groups,
  group: Group,
  { node, steps }: { node: PathNode; steps: CompiledCandidate['decision']['steps'] },
): PathScope | undefined {
  const line = lineOf(node).map((each, index): Step => ({ node: each, parameter: steps[index]?.parameter }))
  return scopeOf({ document, resources, groups }, group, line)
}

interface Parts {
  document: OpenApiDocument
  resources: FoundResources
  groups: Groups
}

function scopeOf(parts: Parts, group: Group | undefined, above: readonly Step[]): PathScope | undefined {
  const { document, resources, groups } = parts
  const values = group ? valuesOf(parts, group, above) : []
  const owners = above.flatMap(({ node: each, parameter }, index): Owner[] => {
    const owner = parameter === undefined ? undefined : ownerAt(resources, groups, each)
    if (parameter === undefined || !owner) return []
    addOtherKey(document, owner, parameter)
    return [{ collection: owner.model.name, parameter, values: valuesOf(parts, owner, above.slice(0, index)) }]
  })
  return values.length === 0 && owners.length === 0 ? undefined : { values, owners }
}

/** Whether the path of a file contains the key of a record that must exist: `GET /goals/{goalId}.pdf` */
function isFileOfRecord(
  members: readonly CompiledCandidate[] | undefined,
  { answersFile, method, node }: OperationFacts,
): boolean {
  // Something that PUT stores as a file is not a record.
  const isKept = (each: DescribedOperation) =>
    /^(PUT|POST)$/.test(each.method) && !members?.some(({ operation }) => operation === each)
  return method === 'GET' && answersFile && !hasSeveralKeys(node) && !node.operations.some(isKept)
}

interface Step {
  node: PathNode
  parameter: string | undefined
}

/** The values of a path in the properties of the records of a collection: those of its home, else relations. */
function valuesOf(parts: Parts, group: Group, line: readonly Step[]): PathValue[] {
  const { document, resources } = parts
  const nearest = line.findLastIndex(({ parameter }) => parameter !== undefined)
  const counted = line[nearest + 1]?.node.step.text
  const node = line[nearest]?.node
  const owner = node && counted !== undefined ? ownerAt(resources, parts.groups, node) : undefined
  const found = owner && findCount(document, owner.record, counted ?? '')
  const pointer = found && !findSent(document, owner)(found[0] ?? '') ? found : undefined
  return placedValues(parts, group, line).map((value) => {
    const isCounted = pointer && value.parameter === line[nearest]?.parameter && value.collection === owner?.model.name
    return isCounted ? { ...value, counted: pointer } : value
  })
}

function placedValues({ document, resources, groups }: Parts, group: Group, line: readonly Step[]): PathValue[] {
  const { resource, record, model } = group
  const home = new Map<PathNode, number>()
  for (const each of resource ? homeLine(resource) : []) {
    if (each.step.parameter !== undefined) home.set(each, home.size)
  }
  return line.flatMap(({ node, parameter }, index): PathValue[] => {
    if (parameter === undefined) return []
    const owner = ownerAt(resources, groups, node)
    const at = home.get(node)
    if (at !== undefined) {
      const property = model.scope?.[at]?.property
      if (property === undefined) return []
      const shown = owner?.model.parts?.find(({ collection, isSent }) => collection === model.name && !isSent)
      const isNearest = at === home.size - 1
      return [
        {
          ...{ parameter, property, ...(owner && { collection: owner.model.name }) },
          ...(shown && isNearest && { shown: toShown(shown, model.key) }),
        },
      ]
    }
    if (!owner) return []
    const known = foreignKey(document, record, model, owner, parameter)
    const link = known === undefined ? findLink(document, resources, owner, group) : undefined
    if (link) return [{ parameter, ...addPropertyLink(owner, group, link) }]
    const inner = owner.model === model ? innerRelation(resources, group, line.slice(index + 1), known) : undefined
    if (owner.model === model && !inner) return []
    const own = inner && !inner.isOnly ? undefined : known
    const property = own ?? (inner ? `{${parameter}/${inner.name}}` : `{${parameter}}`)
    if (own === undefined) addHidden(model, property)
    addLink(model, owner, property, inner ? (model.scope ?? []) : [], false)
    return [{ parameter, property, collection: owner.model.name }]
  })
}

function toShown({ property, isSingle, from, inner }: PartList, key: string): ShownList {
  return { property, key, ...(isSingle && { isSingle }), ...(from !== undefined && { from }), ...(inner && { inner }) }
}

/** Adds what a property says to the collection that has it. */
function addPropertyLink(owner: Group, group: Group, { property, evidence, ...link }: FoundLink) {
  const [holder, other] = link.in === 'owner' ? [owner, group] : [group, owner]
  const { model, lines } = holder
  const isHidden = isPathProperty(property)
  const list = isHidden ? {} : { isList: link.isRecord ? ('records' as const) : ('keys' as const) }
  if (isHidden) addHidden(model, property)
  const values: Link['values'] = [[property, link.key]]
  const known = model.links?.some((each) => each.collection === other.model.name && each.values[0]?.[0] === property)
  if (!known) model.links = [...(model.links ?? []), { collection: other.model.name, values, ...list }]
  const why = isHidden ? 'each side has a path that lists the other one' : `its list names records of ${other.path}`
  lines.add('parts', property, other.path, guess(evidence, why))
  return { property, collection: owner.model.name, link }
}

/**
 * Finds how a path relates records to another record of the same collection: `/folders/{folderId}/folders`
 * @param below the steps below the key of the other record
 * @param foreign the property that names the other record
 * @returns undefined if it only lists them, as `/folders/{folderId}/related` does
 */
function innerRelation(
  { at }: FoundResources,
  { resource, members }: Group,
  below: readonly Step[],
  foreign: string | undefined,
): { name: string; isOnly: boolean } | undefined {
  const isInner = (node: PathNode) => at.get(node) === resource && node !== resource?.node
  const inner = below.find(({ node }) => isInner(node))?.node
  if (!inner) return undefined
  // A PUT of the relation does not write a property that bodies show.
  const isWriting = ({ kind, operation: { method } }: CompiledCandidate) =>
    kind === 'create' || (method === 'PUT' && foreign === undefined)
  const written = new Set(members.filter(isWriting).flatMap(({ node }) => lineOf(node).findLast(isInner) ?? []))
  const name = inner.step.text ?? ''
  const isNamed = isSameName(name, resource?.name ?? '') || /^(child|sub)/i.test(name)
  const isRelated = written.has(inner) || (written.size === 0 && isNamed && foreign !== undefined)
  return isRelated ? { name, isOnly: written.size <= 1 } : undefined
}

/** Adds another property by which a path names an owner: `/stores/{reference}/hours` */
function addOtherKey(document: OpenApiDocument, { record, model }: Group, parameter: string): void {
  const { properties } = flattenSchema(document, record)
  const { otherKeys = [], key } = model
  if (parameter === key || !properties.has(parameter) || otherKeys.includes(parameter)) return
  model.otherKeys = [...otherKeys, parameter]
}
