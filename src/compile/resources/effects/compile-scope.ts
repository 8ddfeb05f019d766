/** Compiles the owners of records from paths. */

import type { Line } from '../../../behaviour/line.js'
import { relationIn, type Step } from '../../../behaviour/model.js'
import type { CollectionModel, Link, PartList, ScopePart } from '../../../contract/contract.js'
import type {
  NamedOwner,
  Owner,
  PathScope,
  PathValue,
  PropertyLink,
  ShownList,
} from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { refuseUnknown } from '../../../document/refuse-unknown.js'
import { toJson } from '../../../json/exact-json.js'
import { freeName, isPathProperty, toPathProperty } from '../../../json/path-property.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { CompiledCandidate, KnownCollection } from '../known-operation.js'

/** A collection that is being compiled. */
export interface Group extends KnownCollection<CompiledCandidate> {
  model: CollectionModel
}

/** Groups by the home path of their resource. */
export type Groups = ReadonlyMap<string, Group>

/** Adds the owners in the path of a collection to its model. */
export function scopeCollection(document: OpenApiDocument, groups: Groups, group: Group): void {
  const { home, record, model, lines } = group
  if (!home) return
  const scope: ScopePart[] = []
  const names = flattenSchema(document, record).properties
  const used = new Set<Line>()
  for (const { parameter, owner: path = '' } of home) {
    if (parameter === undefined) continue
    const owner = groups.get(path)
    const line = lines.all('owner').find((each) => each.says === owner?.path && !used.has(each))
    const inPath = toPathProperty(parameter)
    const isOwn = line && names.has(line.about)
    if (line) used.add(line)
    if (line && !isOwn) refuseUnknown(line, line.about, [...names.keys(), inPath], 'property of the record', line.about)
    // Records may have a key of the same name.
    const property = isOwn ? line.about : freeName(inPath, [...scope.map((each) => each.property), model.key])
    scope.push(line ? { property } : { property, isOpen: true })
    if (!isOwn) model.hidden = hiddenWith(model, property)
    if (line && owner) model.links = linksWith(model, owner, property, scope, true)
  }
  for (const line of lines.all('owner').filter((each) => !used.has(each))) {
    const { about: property, says: path } = line
    refuseUnknown(line, path, groups.keys(), 'collection', property)
    refuseUnknown(line, property, names.keys(), 'property of the record', property)
    model.links = linksWith(model, groups.get(path) as Group, property, [], true)
  }
  if (scope.length > 0) model.scope = scope
  if (lines.get('numbered', model.key)) model.isNumbered = true
}

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

/** The hidden properties of a collection, with another one. */
export function hiddenWith({ hidden = [] }: CollectionModel, property: string): string[] {
  return hidden.includes(property) ? hidden : [...hidden, property]
}

/** The links of a collection, with another one. */
function linksWith(
  model: CollectionModel,
  { model: other }: Group,
  property: string,
  scope: readonly ScopePart[],
  isOwner: boolean,
): Link[] {
  // The owners of the owner also own the record.
  const shared = (other.scope ?? []).flatMap((part, index): [string, string][] => {
    const own = scope[index]?.property
    return own !== undefined ? [[own, part.property]] : []
  })
  const values: Link['values'] = [...shared, [property, other.key]]
  const { links = [] } = model
  const isKnown = links.some((link) => link.collection === other.name && toJson(link.values) === toJson(values))
  return isKnown ? links : [...links, { collection: other.name, values, ...(isOwner && { isOwner }) }]
}

/**
 * Compiles how the path of an operation selects records of its collection. Adds relations that occur only in this path.
 * @param group undefined if it answers with an example: then only the owners matter
 */
export function compileScope(
  document: OpenApiDocument,
  groups: Groups,
  group: Group | undefined,
  candidate: CompiledCandidate,
): PathScope | undefined {
  if (group && !group.home) return undefined
  const { steps, parameter: keyParameter, keyIn, isFileOfRecord } = candidate
  const end = steps.findIndex(({ parameter }) => parameter !== undefined && parameter === keyParameter)
  const isWhole = group ? end === -1 || keyIn !== undefined : isFileOfRecord
  const above = steps.slice(0, isWhole ? undefined : group ? end : -1)
  return scopeOf({ document, groups }, group, above)
}

/** The records of a collection that are linked with the record at the end of some steps. */
export function compileLinkScope(
  document: OpenApiDocument,
  groups: Groups,
  group: Group,
  steps: readonly Step[],
): PathScope | undefined {
  return scopeOf({ document, groups }, group, steps)
}

interface Parts {
  document: OpenApiDocument
  groups: Groups
}

function scopeOf(parts: Parts, group: Group | undefined, above: readonly Step[]): PathScope | undefined {
  const { document, groups } = parts
  const values = group ? valuesOf(parts, group, above) : []
  const owners = above.flatMap(({ parameter, owner: path = '' }, index): Owner[] => {
    const owner = groups.get(path)
    if (parameter === undefined || !owner) return []
    addOtherKey(document, owner, parameter)
    return [{ collection: owner.model.name, parameter, values: valuesOf(parts, owner, above.slice(0, index)) }]
  })
  const named = group ? namedOwners(parts, group) : []
  if (values.length + owners.length + named.length === 0) return undefined
  return { values, owners, ...(named.length > 0 && { named }) }
}

/** The owners that the records of a collection name, outside of their paths, if these show or count them. */
function namedOwners({ groups }: Parts, { home = [], lines, model, path }: Group): NamedOwner[] {
  if (home.some(({ parameter }) => parameter !== undefined)) return []
  return lines.all('owner').flatMap(({ about: property, says }): NamedOwner[] => {
    const owner = groups.get(says)
    const shown = owner?.model.parts?.find((part) => part.collection === model.name && !part.isSent)
    const counted = owner?.lines.value('counts', path)
    if (!owner || !(shown || counted?.length)) return []
    const where = shown ? { shown: toShown(shown, model.key) } : { counted: counted as string[] }
    return [{ property, collection: owner.model.name, ...where }]
  })
}

/** The values of a path in the properties of the records of a collection: those of its home, else relations. */
function valuesOf(parts: Parts, group: Group, line: readonly Step[]): PathValue[] {
  const nearest = line.findLastIndex(({ parameter }) => parameter !== undefined)
  const below = line[nearest + 1]?.template
  const owner = below === undefined ? undefined : parts.groups.get(line[nearest]?.owner ?? '')
  const pointer = owner?.lines.value('counts', below) ?? []
  return placedValues(parts, group, line).map((value) => {
    const isCounted = value.parameter === line[nearest]?.parameter && value.collection === owner?.model.name
    return isCounted && pointer.length > 0 ? { ...value, counted: pointer } : value
  })
}

function placedValues({ document, groups }: Parts, group: Group, line: readonly Step[]): PathValue[] {
  const { record, model } = group
  const home = new Map<number, number>()
  for (const { node, parameter } of group.home ?? []) if (parameter !== undefined) home.set(node, home.size)
  return line.flatMap(({ node, parameter, owner: path = '' }, index): PathValue[] => {
    if (parameter === undefined) return []
    const owner = groups.get(path)
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
    if (!isKnown) model.hidden = hiddenWith(model, property)
    model.links = linksWith(model, owner, property, isInner ? (model.scope ?? []) : [], false)
    return [{ parameter, property, collection: owner.model.name }]
  })
}

function toShown({ property, isSingle, from, inner }: PartList, key: string): ShownList {
  const how = { ...(isSingle && { isSingle }), ...(from !== undefined && { from }), ...(inner && { inner }) }
  return { property, key, in: 'owner', isRecord: true, ...how }
}

/** Adds a list that names records to the collection that has it. */
function addPropertyLink(owner: Group, group: Group, property: string, link: PropertyLink): void {
  const [{ model }, other] = link.in === 'owner' ? [owner, group] : [group, owner]
  const isHidden = isPathProperty(property)
  const list = isHidden ? {} : { isList: link.isRecord ? ('records' as const) : ('keys' as const) }
  if (isHidden) model.hidden = hiddenWith(model, property)
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
