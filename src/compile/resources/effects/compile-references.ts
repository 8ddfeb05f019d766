/** Finds which values that a request has are keys of other records, where answers have these records. */

import { fromAbout, guess, type Source, toAbout } from '../../../behaviour/line.js'
import type { ReferenceTo } from '../../../behaviour/members.js'
import { nothing } from '../../../behaviour/vocabulary.js'
import type { CreateEffect, KeyedEffect, PathValue, Reference } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { oncePer } from '../../../document/once.js'
import { schemaName } from '../../../infer/facts/body-shape.js'
import { isWriting } from '../../../infer/facts/change.js'
import { findReferenceKeys, type Item, itemOf, scalars } from '../../../infer/facts/find-reference-keys.js'
import { findUnknownStatus } from '../../../infer/facts/find-unknown-status.js'
import { findRequestRecord } from '../../../infer/facts/request-record.js'
import { refuseUnknown } from '../../../infer/read-extensions.js'
import { getOrInsert, isObject, ownValue } from '../../../json/own-value.js'
import { isPathProperty, isRelation } from '../../../json/path-property.js'
import { endsLikeKey, isOfAny } from '../../../lexicon/keys.js'
import { saysBelonging } from '../../../lexicon/texts.js'
import { bareName, nounOf, nounsOf, sameName, singular, wordsOf } from '../../../lexicon/words.js'
import { flattenSchema, placeOf } from '../../../schemas/flatten-schema.js'
import { chooseSuccess } from '../../../schemas/operations/choose-success.js'
import { jsonContent } from '../../../schemas/operations/describe-operations.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import { exampleOf } from '../../samples/sample.js'
import type { CompiledCandidate } from '../compiled-candidate.js'
import type { Group, Groups } from './compile-scope.js'
import type { StatefulOperation } from './ensure-records.js'

const maxDepth = 2

type Properties = ReadonlyMap<string, Located<Schema>>

/** Adds to the effects of a collection which other records its records show. */
export function compileReferences(
  { document, shapes }: OperationContext,
  groups: Groups,
  group: Group,
  operations: readonly StatefulOperation[],
): void {
  for (const line of group.lines.all('references')) {
    const [first = ''] = fromAbout(line.about)
    const { properties } = flattenSchema(document, group.record)
    const sent = operations.flatMap(({ candidate: { operation, pointer } }) => {
      const request = findRequestRecord(document, operation, pointer, group.record)
      return request ? [...flattenSchema(document, request.schema).properties.keys()] : []
    })
    refuseUnknown(line, first, [...properties.keys(), ...sent], 'property of the record', line.about)
    refuseUnknown(line, line.says.to ?? '', [...groups.keys(), nothing], 'collection', line.about)
  }
  const places = operations.flatMap(({ effect }) => ('place' in effect && effect.place?.values) || [])
  for (const { candidate, effect } of operations) {
    if (!isWriting(effect.kind)) continue
    const change = effect as CreateEffect | KeyedEffect
    const request = findRequestRecord(document, candidate.operation, candidate.pointer, group.record)
    const own = candidate.record ? flattenSchema(document, candidate.record).properties : []
    const shown = new Map([...flattenSchema(document, group.record).properties, ...own])
    const inBody = request ? compileBody(candidate, request.schema, shown, []) : []
    const inPath = (change.place?.values ?? []).flatMap(
      (value) => compileOwner(value, shown, candidate.operation.path) ?? [],
    )
    if (inBody.length > 0) change.given ??= []
    addLinks(inBody)
    const onlyKeys = request ? compileKeys(request.schema, inBody) : []
    const refused = inBody.map((each) => withRefusal(candidate, each))
    // Where only a key is shown, a name alone does not show that other keys are refused.
    const keys = onlyKeys.map((each) => withRefusal(candidate, each)).filter(({ unknown }) => unknown !== undefined)
    if (keys.length > 0) change.given ??= []
    const isListed = ({ from, property }: Reference) =>
      change.listed?.some((each) => each.from === from || each.property === property)
    const all = [...refused, ...keys, ...inPath].filter((each) => !isListed(each))
    if (all.length > 0) change.references = all
  }

  function compileBody(
    candidate: CompiledCandidate,
    request: Located<Schema>,
    shown: Properties,
    within: string[],
  ): Reference[] {
    return [...flattenSchema(document, request).properties].flatMap(([from, schema]): Reference[] => {
      const sent = itemOf(document, schema)
      const [property, target] = findTarget(document, from, shown, sent) ?? [from]
      const chosen = chosenFor(within, property)
      if (chosen === null) return []
      const isSent = scalars.some((type) => sent.flat.types.has(type))
      if (chosen && target === undefined && isSent) {
        const { collection, isList } = { collection: chosen.model.name, isList: sent.isList }
        return [{ from, property, collection, ...(isList && { isList }), ...(within.length > 0 && { within }) }]
      }
      if (target === undefined) return []
      if (!isSent && property === from && within.length < maxDepth)
        return sent.flat.properties.size > 0 && target.flat.properties.size > 0
          ? compileBody(candidate, sent.schema, target.flat.properties, [...within, from])
          : []
      const isPlain = scalars.some((type) => target.flat.types.has(type))
      if (!isSent || (isPlain && !showsObject(document, candidate, [...within, property]))) return []
      return toReference(property, target, sent.flat.types, { from, ...(within.length > 0 && { within }) })
    })
  }

  /** The properties with the name of one collection and its key, where answers have no object: `customer_id` */
  function compileKeys(request: Located<Schema>, known: readonly Reference[]): Reference[] {
    return [...flattenSchema(document, request).properties].flatMap(([from, schema]): Reference[] => {
      const words = wordsOf(from)
      const noun = words.slice(0, -1).map(singular).join('')
      if (!endsLikeKey(words.at(-1) ?? '') || chosenFor([], from) === null) return []
      const { flat, isList } = itemOf(document, schema)
      const named = [...groups.values()].filter(({ resource, model }) => {
        const type = model.keyKind === 'integer' ? 'integer' : 'string'
        const isNamed = resource?.kind === 'collection' && nounsOf(resource.name).includes(noun)
        return isNamed && flat.types.has(type) && !isPathProperty(model.key)
      })
      const [owner, ...others] = named
      const isKnown = from === group.model.key || known.some((each) => each.from === from || each.property === from)
      if (!owner || others.length > 0 || isKnown) return []
      return [{ from, property: from, collection: owner.model.name, ...(isList && { isList }) }]
    })
  }

  /** What higher authors than guesses say of a property. */
  function settingsOf(within: readonly string[], property: string): ReferenceTo | undefined {
    const line = group.lines.get('references', toAbout([...within, property]))
    return line?.evidence.author === 'guess' ? undefined : line?.says
  }

  /** The collection that they name. Null if they say that there is none. */
  function chosenFor(within: readonly string[], property: string): Group | null | undefined {
    const { to } = settingsOf(within, property) ?? {}
    return to === undefined ? undefined : to === nothing ? null : groups.get(to)
  }

  /** Generated records have keys of records that exist, where only the key is shown. */
  function addLinks(references: readonly Reference[]): void {
    for (const { property, keys, collection = '', within, isList } of references) {
      const other = [...groups.values()].find(({ model }) => model.name === collection)?.model
      if (keys || within || isList || !other) continue
      const { links = [] } = group.model
      if (links.some(({ values }) => values[0]?.[0] === property)) continue
      group.model.links = [...links, { collection, values: [[property, other.key]] }]
    }
  }

  function toReference(
    property: string,
    target: Item,
    sent: ReadonlySet<string>,
    source: Pick<Reference, 'from' | 'within' | 'in'>,
    owner?: Group,
  ): Reference[] {
    const chosen = chosenFor(source.within ?? [], property)
    if (chosen === null) return []
    const below = owner && ({ group: owner, evidence: 'name', why: 'its path is below that of its owner' } as const)
    const referred: Referred | undefined = chosen
      ? { group: chosen, evidence: 'extension', why: 'x-sandbox-resource names its collection' }
      : (below ?? findReferred(document, groups, property, target, group))
    const { model, resource } = referred?.group ?? {}
    const names = model && [model.key, ...(model.otherKeys ?? [])]
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
    const relation = referred && relationOf(referred.group)
    return [
      {
        ...source,
        property,
        keys,
        shape: shapes.add(target.schema, 'response'),
        ...(target.isList && { isList: true as const }),
        ...(collection !== undefined && { collection }),
        ...(relation !== undefined && { relation }),
      },
    ]
  }

  /** With the status that the document gives to a key of no record. */
  function withRefusal({ operation }: CompiledCandidate, reference: Reference): Reference {
    const owner = [...groups.values()].find(({ model }) => model.name === reference.collection)
    const { strict } = settingsOf(reference.within ?? [], reference.property) ?? {}
    const statuses = [422, 400, 404] as const
    const names = [reference.from, reference.property, owner?.resource?.name ?? '']
    const described = owner?.resource && findUnknownStatus(document, operation, names)
    if (strict === true) {
      const unknown = described ?? statuses.find((each) => operation.responses.has(String(each))) ?? 400
      return { ...reference, unknown }
    }
    if (strict === false || described === undefined) return reference
    const why = `the ${described} of ${operation.method} ${operation.path} names what is not found`
    group.lines.add('refuses', reference.from, described, guess('description', why))
    return { ...reference, unknown: described }
  }

  /** The property with which paths below records of another collection relate records of this one. */
  function relationOf({ model }: Group): string | undefined {
    const found = places.filter(
      ({ property, collection }) => collection === model.name && isRelation(property, group.model.scope),
    )
    const names = new Set(found.map(({ property }) => property))
    return names.size === 1 ? [...names][0] : undefined
  }

  /** Where a record shows what its path is below: as an object, or in an object that describes it. */
  function compileOwner(
    { parameter, property, collection, link }: PathValue,
    shown: Properties,
    path: string,
  ): Reference[] | undefined {
    // A list may name the owner besides.
    if (!isPathProperty(property) && link?.in !== 'records') return undefined
    const owner = [...groups.values()].find(({ model }) => model.name === collection)
    const objects = [...shown].flatMap(([name, schema]) => {
      const item = itemOf(document, schema)
      return item.isList || item.flat.properties.size === 0 ? [] : [{ name, item }]
    })
    const source = { from: parameter, in: 'path' as const }
    if (owner) {
      const referring = objects.filter(({ name, item }) => {
        const referred = findReferred(document, groups, name, item, group)
        return referred?.group === owner || referred?.group.record.value === owner.record.value
      })
      const noun = nounOf(owner.resource?.name ?? '')
      const isBelow = path.split('/').at(-2) === `{${parameter}}`
      const isNamed = ({ name }: { name: string }) => sameName(name) === noun || /^parent/i.test(name)
      const isSaid = ({ name }: { name: string }) => saysOwner(shown.get(name)?.value)
      const best =
        referring.find(isSaid) ?? referring.find(isNamed) ?? (referring.length === 1 ? referring[0] : undefined)
      const types = new Set(owner.model.keyKind === 'integer' ? ['integer'] : ['string'])
      if (best) return toReference(best.name, best.item, types, source)
      const isOwner = ({ name, item }: (typeof objects)[number]) =>
        sameName(name) === 'owner' && item.flat.properties.has(owner.model.key)
      const shownOwner = isBelow && owning.test(noun) ? objects.find(isOwner) : undefined
      if (shownOwner) return toReference(shownOwner.name, shownOwner.item, types, source, owner)
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
}

/** Nouns of records that own others. */
const owning = /^(users?|accounts?|members?|customers?|orgs?|organi[sz]ations?)$/

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
  group: Group
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
  oncePer(({ resource, record, path }: Group): KnownGroup => {
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
  groups: Groups,
  property: string,
  { schema, flat, isList }: Item,
  own: Group,
): Referred | undefined {
  const place = placeOf(document, schema)
  const named = schemaName(schema)
  const words = wordsOf(named ?? '')
  const knownOf = knownIn(document)
  const propertyName = sameName(property)
  const propertyNoun = nounOf(property)
  const properties = [...flat.properties.keys()]
  const rank = (group: Group): number => {
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
  const ranked = [...groups.values()].map((group) => ({ group, rank: rank(group) })).filter((each) => each.rank > 0)
  const [best] = ranked.toSorted((one, other) => other.rank - one.rank)
  if (!best) return undefined
  const { group } = best
  if (best.rank > 19) return { group, evidence: 'schema', why: `its schema is that of ${group.path}, or a part of it` }
  return { group, evidence: 'name', why: `it has the name of ${isList ? 'the' : 'a'} ${nounOf(property)}` }
}

/** Whether the example of an answer has an object where the schema also allows a key. */
function showsObject(document: OpenApiDocument, { operation, pointer }: CompiledCandidate, names: string[]): boolean {
  const response = chooseSuccess(operation)?.response
  const json = response && jsonContent(response.value.content, response.path)
  let value: unknown = json && exampleOf(document, json)
  for (const name of [...pointer, ...names]) {
    const inner = Array.isArray(value) && !/^\d+$/.test(name) ? value[0] : value
    value = typeof inner === 'object' && inner !== null ? ownValue(Object(inner), name) : undefined
  }
  return isObject(Array.isArray(value) ? value[0] : value)
}
