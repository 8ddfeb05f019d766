/** Compiles the owners of records from paths. */

import { guess, type Line } from '../../../behaviour/line.js'
import type { CollectionModel, Link, PartList, ScopePart } from '../../../contract/contract.js'
import type { Owner, PathScope, PathValue, PropertyLink, ShownList } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import type { KnownCollection } from '../../../infer/collection.js'
import type { OperationFacts } from '../../../infer/facts/facts.js'
import { freeName, homeLine, ownerAt, relationIn, type Step, stepsOf } from '../../../infer/owners.js'
import type { FoundResources } from '../../../infer/paths/find-resources.js'
import { hasSeveralKeys, type PathNode } from '../../../infer/paths/path-tree.js'
import { refuseUnknown } from '../../../infer/read-extensions.js'
import { toJson } from '../../../json/exact-json.js'
import { isPathProperty, toPathProperty } from '../../../json/path-property.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
import type { CompiledCandidate } from '../compiled-candidate.js'

/** A collection that is being compiled. */
export interface Group extends KnownCollection<CompiledCandidate> {
  model: CollectionModel
}

/** Groups by the home path of their resource. */
export type Groups = ReadonlyMap<string, Group>

/** Adds the owners in the path of a collection to its model. */
export function scopeCollection(
  document: OpenApiDocument,
  resources: FoundResources,
  groups: Groups,
  group: Group,
): void {
  const { resource, record, model, lines } = group
  if (!resource) return
  const scope: ScopePart[] = []
  const names = flattenSchema(document, record).properties
  const used = new Set<Line>()
  for (const node of homeLine(resource)) {
    const { parameter } = node.step
    if (parameter === undefined) continue
    const owner = ownerAt(resources, groups, node)
    const line = lines.all('owner').find((each) => each.says === owner?.path && !used.has(each))
    const inPath = toPathProperty(parameter)
    const isOwn = line && names.has(line.about)
    if (line) used.add(line)
    if (line && !isOwn) refuseUnknown(line, line.about, [...names.keys(), inPath], 'property of the record', line.about)
    // Records may have a key of the same name.
    const property = isOwn ? line.about : freeName(inPath, [...scope.map((each) => each.property), model.key])
    scope.push(line ? { property } : { property, isOpen: true })
    if (!isOwn) addHidden(model, property)
    if (line && owner) addLink(model, owner, property, scope, true)
  }
  for (const line of lines.all('owner').filter((each) => !used.has(each))) {
    const { about: property, says: path } = line
    refuseUnknown(line, path, groups.keys(), 'collection', property)
    refuseUnknown(line, property, names.keys(), 'property of the record', property)
    addLink(model, groups.get(path) as Group, property, [], true)
  }
  if (scope.length > 0) model.scope = scope
  // Where records have an id of their own, their number is one among those of the owner.
  if (scope.length > 0 && model.keyKind === 'integer' && isNumber.test(model.key) && names.has('id')) {
    model.isNumbered = true
    lines.add('numbered', model.key, true, guess('name', 'records have an id, too, and belong to others'))
  }
}

const isNumber = /^(number|iid|index|no|sequence|seq)$/i

/** Adds the properties in which records show or take those below them. */
export function addParts(groups: Groups, { model, lines }: Group): void {
  const parts = lines.all('parts').flatMap(({ about: property, says }): PartList[] => {
    const { to, ...others } = says
    const below = groups.get(to)?.model
    const link = below?.links?.find(({ collection, isOwner }) => collection === model.name && isOwner)
    return below && link ? [{ property, collection: below.name, owners: link.values, ...others }] : []
  })
  if (parts.length > 0) model.parts = parts
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

/**
 * Compiles how the path of an operation selects records of its collection. Adds relations that occur only in this path.
 * @param group undefined if it answers with an example: then only the owners matter
 */
export function compileScope(
  document: OpenApiDocument,
  resources: FoundResources,
  groups: Groups,
  group: Group | undefined,
  candidate: CompiledCandidate,
): PathScope | undefined {
  if (group && !group.resource) return undefined
  const { decision, node, parameter: keyParameter, keyIn } = candidate
  const line = stepsOf(candidate)
  const end = line.findIndex(({ parameter }) => parameter !== undefined && parameter === keyParameter)
  const isWhole = group
    ? end === -1 || keyIn !== undefined
    : isFileOfRecord(ownerAt(resources, groups, node)?.members, decision.facts)
  const above = line.slice(0, isWhole ? undefined : group ? end : -1)
  return scopeOf({ document, resources, groups }, group, above)
}

/** The records of a collection that are linked with the record at a node of the path of an operation. */
export function compileLinkScope(
  document: OpenApiDocument,
  resources: FoundResources,
  groups: Groups,
  group: Group,
  candidate: Pick<CompiledCandidate, 'node' | 'decision'>,
): PathScope | undefined {
  return scopeOf({ document, resources, groups }, group, stepsOf(candidate))
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

/** The values of a path in the properties of the records of a collection: those of its home, else relations. */
function valuesOf(parts: Parts, group: Group, line: readonly Step[]): PathValue[] {
  const nearest = line.findLastIndex(({ parameter }) => parameter !== undefined)
  const { node } = line[nearest] ?? {}
  const below = line[nearest + 1]?.node.step.template
  const owner = node && below !== undefined ? ownerAt(parts.resources, parts.groups, node) : undefined
  const pointer = owner?.lines.value('counts', below) ?? []
  return placedValues(parts, group, line).map((value) => {
    const isCounted = value.parameter === line[nearest]?.parameter && value.collection === owner?.model.name
    return isCounted && pointer.length > 0 ? { ...value, counted: pointer } : value
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
    const relation = owner && group.lines.value('relations', relationIn(line, index))
    if (!relation) return []
    const { property, link, isInner } = relation
    const isKnown = flattenSchema(document, record).properties.has(property)
    if (link) {
      addPropertyLink(owner, group, property, link)
      return [{ parameter, property, collection: owner.model.name, link }]
    }
    if (!isKnown) addHidden(model, property)
    addLink(model, owner, property, isInner ? (model.scope ?? []) : [], false)
    return [{ parameter, property, collection: owner.model.name }]
  })
}

function toShown({ property, isSingle, from, inner }: PartList, key: string): ShownList {
  return { property, key, ...(isSingle && { isSingle }), ...(from !== undefined && { from }), ...(inner && { inner }) }
}

/** Adds a list that names records to the collection that has it. */
function addPropertyLink(owner: Group, group: Group, property: string, link: PropertyLink): void {
  const [{ model }, other] = link.in === 'owner' ? [owner, group] : [group, owner]
  const isHidden = isPathProperty(property)
  const list = isHidden ? {} : { isList: link.isRecord ? ('records' as const) : ('keys' as const) }
  if (isHidden) addHidden(model, property)
  const values: Link['values'] = [[property, link.key]]
  const known = model.links?.some((each) => each.collection === other.model.name && each.values[0]?.[0] === property)
  if (!known) model.links = [...(model.links ?? []), { collection: other.model.name, values, ...list }]
}

/** Adds another property by which a path names an owner: `/stores/{reference}/hours` */
function addOtherKey(document: OpenApiDocument, { record, model }: Group, parameter: string): void {
  const { properties } = flattenSchema(document, record)
  const { otherKeys = [], key } = model
  if (parameter === key || !properties.has(parameter) || otherKeys.includes(parameter)) return
  model.otherKeys = [...otherKeys, parameter]
}
