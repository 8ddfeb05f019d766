/** Says which values that a request has are keys of other records, where answers have these records. */

import { guess, type Source, toAbout } from '../behaviour/line.js'
import type { FoundReference, ReferenceTo } from '../behaviour/members.js'
import { nothing } from '../behaviour/vocabulary.js'
import type { PropertyLink, Reference } from '../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { oncePer } from '../document/once.js'
import { getOrInsert, isObject, ownValue } from '../json/own-value.js'
import { freeName, isPathProperty, isRelation, toPathProperty } from '../json/path-property.js'
import { endsLikeKey, isOfAny } from '../lexicon/keys.js'
import { ownsOthers } from '../lexicon/kinds.js'
import { saysBelonging, saysOnlyMissing } from '../lexicon/texts.js'
import { bareName, nounOf, nounsOf, sameName, singular, wordsOf } from '../lexicon/words.js'
import { examplesAt } from '../schemas/examples.js'
import { flattenSchema, placeOf } from '../schemas/flatten-schema.js'
import { type createFindNamed, nounOfKey } from '../schemas/named-keys.js'
import { isWriting } from '../schemas/operations/change.js'
import { chooseSuccess } from '../schemas/operations/choose-success.js'
import { type DescribedOperation, jsonContent } from '../schemas/operations/describe-operations.js'
import { findRequestRecord } from '../schemas/operations/request-record.js'
import type { KnownCollection } from './collection.js'
import { schemaName } from './facts/body-shape.js'
import type { Candidate } from './facts/candidate.js'
import { findReferenceKeys, type Item, itemOf, scalars } from './facts/find-reference-keys.js'
import { findUnknownStatus } from './facts/find-unknown-status.js'
import { frameworkOf } from './frameworks.js'
import { type Collections, homeLine, ownerAt, type PathPart, type Paths, relationAt, stepsOf } from './owners.js'

const maxDepth = 2

type Properties = ReadonlyMap<string, Located<Schema>>

/** A parameter of a path, and the property of the record that has its value. */
interface Placed {
  parameter: string
  property: string
  /** The name of the collection whose key it is. */
  collection?: string
  link?: PropertyLink
}

interface Referring extends Paths {
  findNamed: ReturnType<typeof createFindNamed<KnownCollection>>
  group: KnownCollection
  /** The values of the paths of all operations. */
  places: readonly Placed[]
}

/** Says which properties of requests and paths are keys of records that the records of a collection show. */
export function findReferences(paths: Paths, findNamed: Referring['findNamed'], group: KnownCollection): void {
  const placed = new Map(group.members.map((member) => [member, placedIn(paths, group, member)]))
  const referring: Referring = { ...paths, findNamed, group, places: [...placed.values()].flat() }
  for (const member of group.members) {
    if (!isWriting(member.kind) && member.kind !== 'action') continue
    const found = referencesOf(referring, member, placed.get(member) ?? [])
    if (found.length > 0) member.lines.add('refers', '', found, guess('schema', 'they have the keys of other records'))
  }
}

function referencesOf(referring: Referring, member: Candidate, placed: readonly Placed[]): FoundReference[] {
  const { document, group } = referring
  const { operation, record } = member
  const request = findRequestRecord(document, member, group.record)
  const own = record ? flattenSchema(document, record).properties : []
  const shown = new Map([...flattenSchema(document, group.record).properties, ...own])
  const inBody = request ? referencesIn(referring, member, request.schema, shown, []) : []
  const inPath = placed.flatMap((value) => ownerIn(referring, value, shown, operation.path) ?? [])
  const onlyKeys = request ? keysIn(referring, request.schema, inBody) : []
  const refused = inBody.map((each) => withRefusal(referring, member, each))
  // Where only a key is shown, a name alone does not show that other keys are refused.
  const keys = onlyKeys
    .map((each) => withRefusal(referring, member, each))
    .filter(({ unknown }) => unknown !== undefined)
  return [...refused, ...keys, ...inPath]
}

/** The properties with the keys of owners, in the order of the path. */
function scopeOf({ resources, collections }: Paths, { resource, model, lines }: KnownCollection): string[] {
  const used = new Set<unknown>()
  const scope: string[] = []
  for (const node of resource ? homeLine(resource) : []) {
    const { parameter } = node.step
    if (parameter === undefined) continue
    const owner = ownerAt(resources, collections, node)
    const line = lines.all('owner').find((each) => each.says === owner?.path && !used.has(each))
    used.add(line)
    scope.push(line?.about ?? freeName(toPathProperty(parameter), [...scope, model.key]))
  }
  return scope
}

/** The values of the path of an operation in the properties of the records of its collection. */
function placedIn(paths: Paths, group: KnownCollection, member: Candidate): Placed[] {
  const { resources, collections } = paths
  const line = stepsOf(member)
  const end = line.findIndex(({ parameter }) => parameter !== undefined && parameter === member.parameter)
  const above: readonly PathPart[] = end === -1 || member.keyIn !== undefined ? line : line.slice(0, end)
  const home = (group.resource ? homeLine(group.resource) : []).filter(({ step }) => step.parameter !== undefined)
  const scope = scopeOf(paths, group)
  return above.flatMap(({ node, parameter }, index): Placed[] => {
    if (parameter === undefined) return []
    const owner = ownerAt(resources, collections, node)
    const collection = owner && { collection: owner.model.name }
    const property = scope[home.indexOf(node)]
    if (property !== undefined) return [{ parameter, property, ...collection }]
    const relation = owner && group.lines.value('relations', relationAt(above, index))
    return relation
      ? [{ parameter, property: relation.property, ...collection, ...(relation.link && { link: relation.link }) }]
      : []
  })
}

function referencesIn(
  referring: Referring,
  candidate: Candidate,
  request: Located<Schema>,
  shown: Properties,
  within: string[],
): FoundReference[] {
  const { document } = referring
  return [...flattenSchema(document, request).properties].flatMap(([from, schema]): FoundReference[] => {
    const sent = itemOf(document, schema)
    const [property, target] = findTarget(document, from, shown, sent) ?? [from]
    const chosen = chosenFor(referring, within, property)
    if (chosen === null) return []
    const isSent = scalars.some((type) => sent.flat.types.has(type))
    if (chosen && target === undefined && isSent) {
      const { collection, isList } = { collection: chosen.model.name, isList: sent.isList }
      return [
        { from, property, collection, isSaid: true, ...(isList && { isList }), ...(within.length > 0 && { within }) },
      ]
    }
    if (target === undefined) return []
    if (!isSent && property === from && within.length < maxDepth)
      return sent.flat.properties.size > 0 && target.flat.properties.size > 0
        ? referencesIn(referring, candidate, sent.schema, target.flat.properties, [...within, from])
        : []
    const isPlain = scalars.some((type) => target.flat.types.has(type))
    if (!isSent || (isPlain && !showsObject(document, candidate, [...within, property]))) return []
    return toReference(referring, property, target, sent.flat.types, { from, ...(within.length > 0 && { within }) })
  })
}

/** The properties with the name of a collection and its key, where answers have no object: `customer_id` */
function keysIn(referring: Referring, request: Located<Schema>, known: readonly FoundReference[]): FoundReference[] {
  const { document, findNamed, group } = referring
  return [...flattenSchema(document, request).properties].flatMap(([from, schema]): FoundReference[] => {
    const { flat, isList } = itemOf(document, schema)
    // Only a framework tells a number with the name of a record from any other.
    const isKey = endsLikeKey(wordsOf(from).at(-1) ?? '') || frameworkOf(document)?.unknownStatus !== undefined
    const words = isKey ? nounOfKey(from, flat) : []
    if (!isKey || chosenFor(referring, [], from) === null) return []
    const isKnown = from === group.model.key || known.some((each) => each.from === from || each.property === from)
    const found = isKnown ? undefined : findNamed(words, flat, '')
    const isKeyed = found?.key === found?.named.model.key && found?.named.resource?.kind === 'collection'
    if (!found || !isKeyed) return []
    return [{ from, property: from, collection: found.named.model.name, isSaid: true, ...(isList && { isList }) }]
  })
}

/** What higher authors than guesses say of a property. */
function settingsOf(referring: Referring, within: readonly string[], property: string): ReferenceTo | undefined {
  const { group } = referring
  const line = group.lines.get('references', toAbout([...within, property]))
  return line?.evidence.author === 'guess' ? undefined : line?.says
}

/** The collection that they name. Null if they say that there is none. */
function chosenFor(
  referring: Referring,
  within: readonly string[],
  property: string,
): KnownCollection | null | undefined {
  const { collections } = referring
  const { to } = settingsOf(referring, within, property) ?? {}
  return to === undefined ? undefined : to === nothing ? null : collections.get(to)
}

function toReference(
  referring: Referring,
  property: string,
  target: Item,
  sent: ReadonlySet<string>,
  source: Pick<Reference, 'from' | 'within' | 'in'>,
  owner?: KnownCollection,
): FoundReference[] {
  const { document, collections, group } = referring
  const chosen = chosenFor(referring, source.within ?? [], property)
  if (chosen === null) return []
  const below = owner && ({ group: owner, evidence: 'name', why: 'its path is below that of its owner' } as const)
  const referred: Referred | undefined = chosen
    ? { group: chosen, evidence: 'extension', why: 'x-sandbox-resource names its collection' }
    : (below ?? findReferred(document, collections, property, target, group))
  const { model, resource } = referred?.group ?? {}
  const names = model && [model.key, ...(referred?.group.lines.all('finds').map(({ about }) => about) ?? [])]
  const keys = findReferenceKeys(document, target.flat, sent, names, resource?.name)
  if (keys.length === 0) return []
  const { from } = source
  const last = singular(wordsOf(from).at(-1) ?? '')
  if (from !== property && !source.in && !['id', ...keys.map(([name]) => bareName(name))].includes(last)) return []
  const why = source.in ? `the path has its key in {${from}}` : `requests have its key in "${from}"`
  const said = referred ? `${why}; ${referred.why}` : why
  const to = referred && { to: referred.group.path }
  group.lines.add(
    'references',
    toAbout([...(source.within ?? []), property]),
    { ...to },
    guess(referred?.evidence ?? 'schema', said),
  )
  const collection = referred?.group.model.name
  const relation = referred && relationOf(referring, referred.group)
  return [
    {
      ...source,
      property,
      keys,
      target: target.schema,
      ...(target.isList && { isList: true as const }),
      ...(collection !== undefined && { collection }),
      ...(relation !== undefined && { relation }),
    },
  ]
}

/** With the status that the document gives to a key of no record. */
function withRefusal(referring: Referring, { operation }: Candidate, reference: FoundReference): FoundReference {
  const { document, collections, group } = referring
  const owner = [...collections.values()].find(({ model }) => model.name === reference.collection)
  const { strict } = settingsOf(referring, reference.within ?? [], reference.property) ?? {}
  const statuses = [422, 400, 404] as const
  const names = [reference.from, reference.property, owner?.resource?.name ?? '']
  const described =
    owner?.resource &&
    (findUnknownStatus(document, operation, names) ??
      onlyMissing(referring, operation) ??
      frameworkOf(document)?.unknownStatus)
  if (strict === true) {
    const unknown = described ?? statuses.find((each) => operation.responses.has(String(each))) ?? 400
    return { ...reference, unknown }
  }
  if (strict === false || described === undefined) return reference
  const why = `the ${described} of ${operation.method} ${operation.path} names what is not found`
  group.lines.add('refuses', reference.from, described, guess('description', why))
  return { ...reference, unknown: described }
}

/** 404 if it can only be about what the body names, because the path names nothing, and lists do not document one, too. */
function onlyMissing({ group }: Referring, { method, path, responses }: DescribedOperation): 404 | undefined {
  const list = group.members.find(({ kind }) => kind === 'list')?.operation.responses.has('404')
  const said = responses.get('404')?.value.description
  const isBare = method === 'POST' && !path.includes('{') && said !== undefined && saysOnlyMissing(String(said))
  return isBare && !list ? 404 : undefined
}

/** The property with which paths below records of another collection relate records of this one. */
function relationOf(referring: Referring, { model }: KnownCollection): string | undefined {
  const { group, places } = referring
  const found = places.filter(
    ({ property, collection }) =>
      collection === model.name &&
      isRelation(
        property,
        scopeOf(referring, group).map((each) => ({ property: each })),
      ),
  )
  const names = new Set(found.map(({ property }) => property))
  return names.size === 1 ? [...names][0] : undefined
}

/** Where a record shows what its path is below: as an object, or in an object that describes it. */
function ownerIn(
  referring: Referring,
  { parameter, property, collection, link }: Placed,
  shown: Properties,
  path: string,
): FoundReference[] | undefined {
  const { document, collections, group } = referring
  // A list may name the owner besides.
  if (!isPathProperty(property) && link?.in !== 'records') return undefined
  const owner = [...collections.values()].find(({ model }) => model.name === collection)
  const objects = [...shown].flatMap(([name, schema]) => {
    const item = itemOf(document, schema)
    return item.isList || item.flat.properties.size === 0 ? [] : [{ name, item }]
  })
  const source = { from: parameter, in: 'path' as const }
  if (owner) {
    const objectsOf = objects.filter(({ name, item }) => {
      const referred = findReferred(document, collections, name, item, group)
      return referred?.group === owner || referred?.group.record.value === owner.record.value
    })
    const noun = nounOf(owner.resource?.name ?? '')
    const isBelow = path.split('/').at(-2) === `{${parameter}}`
    const isNamed = ({ name }: { name: string }) => sameName(name) === noun || /^parent/i.test(name)
    const isSaid = ({ name }: { name: string }) => saysOwner(shown.get(name)?.value)
    const best =
      objectsOf.find(isSaid) ?? objectsOf.find(isNamed) ?? (objectsOf.length === 1 ? objectsOf[0] : undefined)
    const types = new Set(owner.model.keyKind === 'integer' ? ['integer'] : ['string'])
    if (best) return toReference(referring, best.name, best.item, types, source)
    const isOwner = ({ name, item }: (typeof objects)[number]) =>
      sameName(name) === 'owner' && item.flat.properties.has(owner.model.key)
    const shownOwner = isBelow && ownsOthers(noun) ? objects.find(isOwner) : undefined
    if (shownOwner) return toReference(referring, shownOwner.name, shownOwner.item, types, source, owner)
  }
  if (isOfAny(parameter)) return undefined
  const inner = objects.flatMap(({ name, item }) => {
    const found = [...item.flat.properties].find(([each]) => bareName(each) === bareName(parameter))
    const isText = found && flattenSchema(document, found[1]).types.has('string')
    return isText ? [{ name, property: found[0] }] : []
  })
  const [only, ...others] = inner
  if (!only || others.length > 0) return undefined
  const why = `it has the name of {${parameter}}`
  group.lines.add('references', toAbout([only.name, only.property]), {}, guess('name', why))
  return [{ ...source, within: [only.name], property: only.property }]
}

function saysOwner(schema: Schema | undefined): boolean {
  if (typeof schema !== 'object') return false
  return [schema, ...(schema.allOf ?? [])].some((part) => isObject(part) && saysBelonging(String(part.description)))
}

/** The properties by what is compared of their names. */
const namesIn = oncePer((shown: Properties) => {
  const names = new Map<string, string[]>()
  for (const name of shown.keys()) getOrInsert(names, sameName(name), () => []).push(name)
  return names
})

/** The property of answers with the record whose key a property of the request has: `labels` for `label_ids`. */
function findTarget(
  document: OpenApiDocument,
  from: string,
  shown: Properties,
  { isList }: Item,
): [property: string, target: Item] | undefined {
  const noun = wordsOf(from).slice(0, -1).map(singular).join('')
  const related = (noun !== '' && namesIn(shown).get(noun)) || []
  for (const name of [from, ...related]) {
    const schema = shown.get(name)
    const target = schema && itemOf(document, schema)
    if (target && target.flat.properties.size > 0 && target.isList === isList) return [name, target]
  }
  return undefined
}

interface Referred {
  group: KnownCollection
  evidence: Source
  why: string
}

/** What is compared of a collection with each object that may show one of its records. */
interface KnownGroup {
  names: string[]
  noun: string
  /** The number of words of its name. */
  size: number
  known: Properties
  /** The parameters in its path. */
  parameters: string[]
  place: string
  schema: string | undefined
}

const knownIn = oncePer((document: OpenApiDocument) =>
  oncePer(({ resource, record, path }: KnownCollection): KnownGroup => {
    const name = resource?.name ?? ''
    return {
      names: nounsOf(name),
      noun: nounOf(name),
      size: wordsOf(name).length,
      known: flattenSchema(document, record).properties,
      parameters: [...path.matchAll(/\{[^{}]*\}/g)].map(([each]) => each),
      place: placeOf(document, record),
      schema: schemaName(record),
    }
  }),
)

/** The collection whose records an object shows: by its schema, as a part of theirs, or by the name of the property. */
function findReferred(
  document: OpenApiDocument,
  collections: Collections,
  property: string,
  { schema, flat, isList }: Item,
  own: KnownCollection,
): Referred | undefined {
  const place = placeOf(document, schema)
  const named = schemaName(schema)
  const words = wordsOf(named ?? '')
  const knownOf = knownIn(document)
  const propertyName = sameName(property)
  const propertyNoun = nounOf(property)
  const properties = [...flat.properties.keys()]
  const rank = (group: KnownCollection): number => {
    const { resource } = group
    if (resource?.kind !== 'collection') return 0
    const { names, noun, size, known, parameters, place: recordPlace, schema: recordName } = knownOf(group)
    const isNamed = names.includes(propertyName) || (propertyNoun === noun && noun !== '')
    const isSchema = [words.slice(0, size), words.slice(-size)].some((each) => sameName(each.join(' ')) === names[0])
    const isSame = recordPlace === place || (named !== undefined && named === recordName)
    if (!isNamed && !isSchema && !isSame) return 0
    const shared = properties.filter((name) => known.has(name)).length
    const isPart = shared >= flat.properties.size * 0.75
    const bonus = (isNamed ? 2 : 0) + (isSchema ? 2 : 0) + (group === own ? 0.1 : 0)
    // A schema of anything that has a name says little about lists below other records.
    const isAny = bonus < 1 && group.path.includes('{')
    const apart = parameters.filter((each) => !own.path.includes(each)).length
    if ((isSame && !isAny) || (isPart && isSchema)) return 20 + bonus - apart / 2
    return isNamed && (flat.properties.has(group.model.key) || isPart) ? 10 + bonus - apart / 2 : 0
  }
  const ranked = [...collections.values()]
    .map((group) => ({ group, rank: rank(group) }))
    .filter((each) => each.rank > 0)
  const [best] = ranked.toSorted((one, other) => other.rank - one.rank)
  if (!best) return undefined
  const { group } = best
  if (best.rank > 19) return { group, evidence: 'schema', why: `its schema is that of ${group.path}, or a part of it` }
  return { group, evidence: 'name', why: `it has the name of ${isList ? 'the' : 'a'} ${nounOf(property)}` }
}

/** Whether the example of an answer has an object where the schema also allows a key. */
function showsObject(document: OpenApiDocument, { operation, pointer }: Candidate, names: string[]): boolean {
  const response = chooseSuccess(operation)?.response
  const json = response && jsonContent(response.value.content, response.path)
  let value: unknown = json && examplesAt(document, { path: json.path, is: 'record' })[0]
  for (const name of [...pointer, ...names]) {
    const inner = Array.isArray(value) && !/^\d+$/.test(name) ? value[0] : value
    value = typeof inner === 'object' && inner !== null ? ownValue(Object(inner), name) : undefined
  }
  return isObject(Array.isArray(value) ? value[0] : value)
}
