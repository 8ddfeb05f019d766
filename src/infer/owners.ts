/**
 * Says how records of one collection belong or refer to those of another one by their paths: the properties with the keys of owners,
 * relations, and the lists in which an owner shows the records below it.
 */
import { guess, stated, toAbout } from '../behaviour/line.js'
import type { Related } from '../behaviour/members.js'
import { relationIn } from '../behaviour/model.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { toJson } from '../json/exact-json.js'
import { freeName, isPathProperty, toPathProperty } from '../json/path-property.js'
import { endsLikeKey, isNumber, isOfAny } from '../lexicon/keys.js'
import { isChild } from '../lexicon/kinds.js'
import { bareName, isSameName, nounsOf, wordsOf } from '../lexicon/words.js'
import { flattenSchema, placeOf } from '../schemas/flatten-schema.js'
import type { createFindNamed } from '../schemas/named-keys.js'
import { findRequestRecord, findSent, isLikeRecord } from '../schemas/operations/request-record.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { nameOf } from './facts/facts.js'
import { findCount } from './facts/find-count.js'
import { findItems, findLink, findNaming } from './facts/find-link.js'
import { findOwnProperty } from './facts/find-own-property.js'
import { keyPlace, linkedKeys } from './facts/linked-keys.js'
import type { FoundResources } from './paths/find-resources.js'
import { lineOf, type PathNode } from './paths/path-tree.js'
import type { Resource } from './paths/resource.js'

/** Collections by their paths. */
export type Collections = ReadonlyMap<string, KnownCollection>

/** What is known of the paths of a document. */
export interface Paths {
  document: OpenApiDocument
  resources: FoundResources
  collections: Collections
}

/** A node of the path of an operation, with the name of its own parameter. */
export interface PathPart {
  node: PathNode
  parameter: string | undefined
}

export function stepsOf({ node, decision: { steps } }: Pick<Candidate, 'node' | 'decision'>): PathPart[] {
  return lineOf(node).map((each, index): PathPart => ({ node: each, parameter: steps[index]?.parameter }))
}

/** The nodes of the path of a collection, or of a record that exists once. */
export function homeLine({ kind, item, node }: Resource): PathNode[] {
  return lineOf(kind === 'collection' ? (item?.parent ?? node) : node)
}

/** The stored collection whose record a parameter selects. */
export function ownerAt<Known extends KnownCollection>(
  resources: FoundResources,
  collections: ReadonlyMap<string, Known>,
  node: PathNode,
): Known | undefined {
  const resource = resources.byItem.get(node)
  return resource && collections.get(resource.home)
}

/** What a line is about that relates records with those of a parameter. */
export function relationAt(line: readonly PathPart[], index: number): string {
  const steps = line.map(({ node: { step }, parameter }) => ({ template: step.template, parameter }))
  return relationIn(steps, index)
}

/** Says of which records properties have the keys that links give to other paths. */
export function findLinkedReferences({ document, collections }: Paths): void {
  const all = [...collections.values()]
  for (const { from, pointer, in: at, place } of linkedKeys(document)) {
    const to = all.find(({ resource }) => resource?.item && keyPlace(resource.item.step.template) === place)
    const found = all.flatMap((each) =>
      each.members.flatMap((member) => (member.operation === from ? { ...each, member } : [])),
    )
    const [{ record, member, lines, model } = {}] = found
    if (!to || !record || !member || !lines || at === 'path') continue
    const names =
      at === 'answer' && member.pointer.every((name, index) => pointer[index] === name)
        ? pointer.slice(member.pointer.length)
        : pointer
    const isOwn = to.model === model && (names[0] === model.key || lines.get('finds', names[0]))
    if (isOwn || !flattenSchema(document, record).properties.has(names[0] ?? '')) continue
    lines.add(
      'references',
      toAbout(names),
      { to: to.path },
      stated(`a link gives it to ${to.resource?.item?.step.template}`),
    )
  }
}

/** Says which collections own the records of others, and which properties have their keys. Outer collections come first. */
export function* findOwners(paths: Paths): Generator<undefined, void> {
  const ordered = [...paths.collections.values()].toSorted((a, b) => depthOf(a.path) - depthOf(b.path))
  for (const each of ordered) {
    findOwnersOf(paths, each)
    yield
  }
}

function depthOf(path: string): number {
  return path.split('/').length
}

function findOwnersOf({ document, resources, collections }: Paths, collection: KnownCollection): void {
  const { resource, record, model, lines } = collection
  if (!resource) return
  const isSaid = lines.isComplete('owner')
  const scope: string[] = []
  for (const node of homeLine(resource)) {
    const { parameter } = node.step
    const owner = parameter === undefined ? undefined : ownerAt(resources, collections, node)
    if (parameter === undefined || isSaid) continue
    const own = owner && (foreignKey(document, record, model, owner, parameter) ?? linkedOwner(collection, owner))
    const property = own ?? freeName(toPathProperty(parameter), [...scope, model.key])
    scope.push(property)
    if (owner) lines.add('owner', property, owner.path, guess('name', `its path is below {${parameter}}`))
  }
  // Where records have an id of their own, their number is one among those of the owner.
  const isOwned = homeLine(resource).some(({ step }) => step.parameter !== undefined)
  if (
    isOwned &&
    model.keyKind === 'integer' &&
    isNumber(model.key) &&
    flattenSchema(document, record).properties.has('id')
  )
    lines.add('numbered', model.key, true, guess('name', 'records have an id, too, and belong to others'))
  if (lines.all('owner').some(({ says }) => isOnlyKnownToCallers(collections.get(says))))
    lines.add('unknown', '', 'empty', guess('schema', 'only callers know the key of its owner'))
  const nearest = homeLine(resource).findLast(({ step }) => step.parameter !== undefined)
  const owner = nearest && ownerAt(resources, collections, nearest)
  if (!owner || owner === collection || !lines.all('owner').some(({ says }) => says === owner.path)) return
  if (resource.kind === 'singleton') findSingle(document, owner, { ...collection, resource })
  else findPart(document, owner, collection)
}

/** Whether no answer at all shows the keys of a collection. */
function isOnlyKnownToCallers(collection: KnownCollection | undefined): boolean {
  if ((collection?.lines.value('unknown') ?? 'none') === 'none' || !collection) return false
  const isShown = collection.members.some(({ kind }) => kind === 'list' || kind === 'create')
  return isPathProperty(collection.model.key) || !isShown
}

/** The only property of a record that a link says is the key of an owner. */
function linkedOwner({ lines }: KnownCollection, { path }: KnownCollection): string | undefined {
  const said = lines
    .all('references')
    .filter(({ says, evidence }) => evidence.author === 'document' && says.to === path)
  return said.length === 1 && !said[0]?.about.startsWith('/') ? said[0]?.about : undefined
}

/** The property of a record that refers to its owner. */
function foreignKey(
  document: OpenApiDocument,
  record: Located<Schema>,
  model: KnownCollection['model'],
  owner: KnownCollection,
  parameter: string,
): string | undefined {
  const nouns = nounsOf(owner.resource?.name ?? '').map(bareName)
  const key = bareName(owner.model.key)
  const isOwn = owner.model === model
  const wanted = new Set(
    isOwn
      ? ['', ...nouns].flatMap((each) => [`parent${each}`, `parent${each}id`, `parent${each}${key}`])
      : // A text of this name may be anything.
        [
          bareName(parameter),
          ...nouns.flatMap((noun) => [`${noun}id`, `${noun}${key}`]),
          ...(owner.model.keyKind === 'string' ? [] : nouns),
        ],
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

/** Says how the paths of operations relate records, besides by their owners. */
export function* findRelations(paths: Paths, candidates: readonly Candidate[]): Generator<undefined, void> {
  const { resources, collections } = paths
  for (const candidate of candidates) {
    const line = stepsOf(candidate)
    const own = collections.get(candidate.path)
    if (own) findRelationsOf(paths, own, line)
    if (own && candidate.kind === 'create') findPathKeys(paths, candidate, own)
    for (const [index, { node }] of line.entries()) {
      const owner = ownerAt(resources, collections, node)
      if (owner) findRelationsOf(paths, owner, line.slice(0, index))
      const listed = collections.get(resources.at.get(node)?.home ?? '')
      if (listed && listed !== own) findRelationsOf(paths, listed, line.slice(0, index + 1))
    }
    yield
  }
}

export function findRelationsOf(
  { document, resources, collections }: Paths,
  group: KnownCollection,
  line: readonly PathPart[],
): void {
  const { resource, record, model, lines } = group
  const home = new Set(resource ? homeLine(resource) : [])
  for (const [index, { node, parameter }] of line.entries()) {
    const owner = parameter === undefined ? undefined : ownerAt(resources, collections, node)
    if (parameter === undefined || !owner) continue
    findCounted(document, owner, line[index + 1])
    const about = relationAt(line, index)
    if (home.has(node) || lines.get('relations', about)) continue
    const known = foreignKey(document, record, model, owner, parameter)
    const link =
      known === undefined ? findLink(document, resources, owner, group, line[index + 1]?.node.step.text) : undefined
    const isSame = owner === group
    const inner = isSame && !link ? innerRelation(resources, group, line.slice(index + 1), known) : undefined
    if (isSame && !link && !inner) continue
    const own = inner && !inner.isOnly ? undefined : known
    const property = own ?? (inner ? `{${parameter}/${inner.name}}` : `{${parameter}}`)
    const { evidence = 'name', property: linked, ...side } = link ?? {}
    const says: Related = link
      ? { to: owner.path, property: linked ?? '', link: side as Related['link'] }
      : { to: owner.path, property, ...(inner && { isInner: true as const }) }
    lines.add('relations', about, says, guess(evidence, ''))
    if (!link) continue
    const [holder, other] = link.in === 'owner' ? [owner, group] : [group, owner]
    const isHidden = isPathProperty(link.property)
    const why = isHidden ? 'each side has a path that lists the other one' : `its list names records of ${other.path}`
    holder.lines.add('links', link.property, other.path, guess(evidence, why))
  }
}

/** Says that new records have the keys in their path of what has no path of its own: `project_id` at `/projects/{id}/tasks` */
function findPathKeys(
  { document, resources, collections }: Paths,
  { node, decision, lines, operation }: Candidate,
  { record, model, resource, lines: ofRecords }: KnownCollection,
): void {
  const home = new Set(resource ? homeLine(resource) : [])
  for (const { node: above, parameter } of stepsOf({ node, decision })) {
    if (parameter === undefined || home.has(above) || ownerAt(resources, collections, above)) continue
    const named = nounsOf(nameOf(above)).flatMap((noun) => [`${noun}id`, `${noun}${parameter}`])
    const wanted = new Set([parameter, ...named].map(bareName))
    const [property] = [...flattenSchema(document, record).properties.keys()].filter(
      (name) => name !== model.key && wanted.has(bareName(name)) && !isOfAny(name),
    )
    const why = guess('name', 'its path has the key')
    if (property === undefined || lines.get('changes', toAbout([property]))) continue
    if (lines.add('changes', toAbout([property]), `$request.path.${parameter}`, why))
      ofRecords.add('changes', `${property} by ${operation.method} ${operation.path}`, property, why)
  }
}

/**
 * Says which records show or count those of a collection that have their keys: `boardCards` of a board, and `board_id` of a card.
 * Those belong to the only record that they name.
 */
export function findNamedOwners(
  { document }: Paths,
  findNamed: ReturnType<typeof createFindNamed<KnownCollection>>,
  part: KnownCollection,
): void {
  const { record, model, resource, lines, path } = part
  if (resource?.kind !== 'collection' || path.includes('{') || lines.isComplete('owner')) return
  const named = [...flattenSchema(document, record).properties].flatMap(([property, schema]) => {
    const words = wordsOf(property)
    const flat = flattenSchema(document, schema)
    const isKey = endsLikeKey(words.at(-1) ?? '') && !flat.types.has('null')
    const found = isKey ? findNamed(words.slice(0, -1), flat, model.name) : undefined
    return found?.key === found?.named.model.key && found ? [{ property, above: found.named }] : []
  })
  for (const { property, above } of named) {
    const isOnly = named.every((each) => each.above !== above || each.property === property)
    if (!isOnly || above.path.includes('{') || above.resource?.kind !== 'collection') continue
    const lists = [...flattenSchema(document, above.record).properties].filter(([, schema]) => {
      const items = findItems(document, schema)?.items
      return items && placeOf(document, items) === placeOf(document, record)
    })
    const naming = findNaming(document, above.record, part, lists.length === 1 ? lists[0]?.[0] : undefined)
    const isShown = naming?.isRecord && naming.key === model.key
    const counted = isShown ? undefined : findCount(document, above.record, resource.name)
    const isCounted = counted && !findSent(document, above)(counted[0] ?? '')
    if (!isShown && !isCounted) continue
    lines.add('owner', property, above.path, guess('name', `records of ${above.path} show them or their number`))
    if (isCounted) above.lines.add('counts', path, counted, guess('name', ''))
    if (!isShown) continue
    const says = { to: path, ...(naming.inner && { inner: naming.inner }) }
    above.lines.add(
      'parts',
      naming.property,
      says,
      guess('schema', `its objects are those that name it in ${property}`),
    )
  }
}

/** Says which property of an owner counts the records of a path below it. */
function findCounted(document: OpenApiDocument, owner: KnownCollection, below: PathPart | undefined): void {
  const { text, template } = below?.node.step ?? {}
  if (text === undefined || template === undefined || owner.lines.get('counts', template)) return
  const found = findCount(document, owner.record, text)
  const pointer = found && !findSent(document, owner)(found[0] ?? '') ? found : []
  owner.lines.add('counts', template, pointer, guess('name', ''))
}

/**
 * Finds how a path relates records to another record of the same collection: `/folders/{folderId}/folders`
 * @param below the steps below the key of the other record
 * @param foreign the property that names the other record
 * @returns undefined if it only lists them, as `/folders/{folderId}/related` does
 */
function innerRelation(
  { at }: FoundResources,
  { resource, members }: KnownCollection,
  below: readonly PathPart[],
  foreign: string | undefined,
): { name: string; isOnly: boolean } | undefined {
  const isInner = (node: PathNode) => at.get(node) === resource && node !== resource?.node
  const inner = below.find(({ node }) => isInner(node))?.node
  if (!inner) return undefined
  // A PUT of the relation does not write a property that bodies show.
  const isWriting = ({ kind, operation: { method } }: Candidate) =>
    kind === 'create' || (method === 'PUT' && foreign === undefined)
  const written = new Set(members.filter(isWriting).flatMap(({ node }) => lineOf(node).findLast(isInner) ?? []))
  const name = inner.step.text ?? ''
  const isNamed = isSameName(name, resource?.name ?? '') || isChild(name)
  const isRelated = written.has(inner) || (written.size === 0 && isNamed && foreign !== undefined)
  return isRelated ? { name, isOnly: written.size <= 1 } : undefined
}

/** Finds the property of an owner whose value a path below it reads and writes: `/endpoints/{endpointId}/headers` */
function findSingle(
  document: OpenApiDocument,
  { record, members, lines, resource: above }: KnownCollection,
  { resource, record: shown, path }: KnownCollection & { resource: Resource },
): void {
  if (resource.node.parent !== above?.item) return
  const sent = members.flatMap((member) =>
    member.kind === 'create' ? (findRequestRecord(document, member, record)?.schema ?? []) : [],
  )
  const value = flattenSchema(document, shown)
  const found = [record, ...sent].map((each) => findOwnProperty(document, each, resource.node, value)).find(Boolean)
  if (!found) return
  const { property, ...from } = found
  const says = { to: path, isSingle: true as const, ...from }
  lines.add('parts', property, says, guess('name', 'a path below it has its name and type'))
}

/** Finds the list in which an owner shows the records below it, as objects with their keys, or in which only requests have them. */
function findPart(document: OpenApiDocument, above: KnownCollection, part: KnownCollection): void {
  const naming = findNaming(document, above.record, part)
  const sent = naming ? undefined : findSentPart(document, above, part)
  const isShown = naming?.isRecord && naming.key === part.model.key
  const property = isShown ? naming.property : sent
  if (property === undefined) return
  const inner = isShown && naming.inner
  const says = { to: part.path, ...(inner && { inner }), ...(!isShown && { isSent: true as const }) }
  const why = isShown
    ? 'its objects have the keys of the records below it'
    : 'creations send it, and it has the name and the properties of the records below it'
  above.lines.add('parts', property, says, guess('schema', why))
}

/** The list of a creation that has the name of the records below the new one, and their properties. The record does not have it. */
function findSentPart(
  document: OpenApiDocument,
  { members, record }: KnownCollection,
  { resource, record: named }: KnownCollection,
): string | undefined {
  const own = flattenSchema(document, record).properties
  const known = flattenSchema(document, named).properties
  const creates = members.filter(({ kind }) => kind === 'create')
  const sent = creates.flatMap((member) => {
    const request = findRequestRecord(document, member, record)
    return request ? [...flattenSchema(document, request.schema).properties] : []
  })
  const isPart = ([name, schema]: [string, Located<Schema>]) => {
    if (own.has(name) || !isSameName(name, resource?.name ?? '')) return false
    const { items } = flattenSchema(document, schema)
    return items !== undefined && isLikeRecord(document, items, known)
  }
  return sent.find(isPart)?.[0]
}
