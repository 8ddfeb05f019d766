/**
 * Prints what was inferred, with the corrections in force, as the actions of an OpenAPI Overlay, to be edited: applied
 * unchanged, they change nothing.
 */

import { toFacts, toHabits } from '../../behaviour/explain.js'
import { toAbout } from '../../behaviour/line.js'
import { toMade } from '../../behaviour/made-values.js'
import type { Lifecycle, ServiceSaid } from '../../behaviour/members.js'
import { toDuration, toWritten } from '../../behaviour/values.js'
import { nothing } from '../../behaviour/vocabulary.js'
import { writeEffect, writeResource } from '../../behaviour/write-lines.js'
import type { MadeValue, Progress } from '../../contract/contract.js'
import type { Effect, FieldChange, Reference } from '../../contract/effects/effect.js'
import type { ListQuery } from '../../contract/effects/list-query.js'
import { type OpenApiDocument, pathItemOf } from '../../document/document.js'
import { resolve } from '../../document/references.js'
import { effectName, resourceName, serviceName } from '../../document/refuse-unknown.js'
import type { ExactValue } from '../../json/exact-value.js'
import { toJsonPointer } from '../../json/json-pointer.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import { isPathProperty, singletonKey } from '../../json/path-property.js'
import { isSameJson } from '../../json/same-json.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { isPlain, roles } from './effects/choose-query.js'
import type { Group } from './effects/compile-scope.js'
import { compileSoftRemoval } from './effects/soft-removal.js'
import type { CompiledCandidate } from './known-operation.js'

export interface OverlayAction {
  target: string
  /** Why, as the description of the action. */
  description: string
  update: Record<string, unknown>
  /** Whether what the document has there goes first: merging adds to its lists. */
  isReplaced: boolean
  /** The documented path of the operation, or of the collection. */
  path: string
  isOfRecords: boolean
}

export interface InferredModel {
  document: OpenApiDocument
  candidates: readonly CompiledCandidate[]
  groups: ReadonlyMap<string, Group>
  effects: ReadonlyMap<DescribedOperation, Effect>
  /** All effects, with those on each of many records. */
  all: readonly Effect[]
}

/** A path of a document, or what is below it, as a JSONPath (RFC 9535). @example toTarget('/books', ['get']) // "$.paths['/books'].get" */
export function toTarget(path: string, members: readonly string[] = []): string {
  const below = members.map((name) => (/^\w+$/.test(name) ? `.${name}` : `['${name}']`)).join('')
  return `$.paths['${path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']${below}`
}

export function toOverlayActions({ document, candidates, groups, effects, all }: InferredModel): OverlayAction[] {
  const keys = pathKeys(document)
  const keyOf = ({ at }: DescribedOperation) => keys.get(pathItemOf(at).join('\n')) ?? ''
  const operations = candidates.flatMap((candidate): OverlayAction[] => {
    const { operation, decided } = candidate
    const effect = effects.get(operation)
    // HEAD follows GET.
    if (!effect || operation.method === 'HEAD') return []
    const members = operation.at.slice(pathItemOf(operation.at).length).map(String)
    const target = toTarget(keyOf(operation), members)
    const group = groups.get(candidate.path)
    const { kind } = candidate
    const corrected = writeEffect(candidate.lines, 'written')
    const inferred = toEffect(document, candidate, effect, group, groups)
    return [
      {
        target,
        description: withCorrected(`${kind}: ${decided.reason}`, effectName, corrected),
        update: { [effectName]: { ...inferred, ...corrected } },
        isReplaced: hasList(operation.value[effectName]),
        path: operation.path,
        isOfRecords: false,
      },
    ]
  })
  const owners = new Map<string, Set<string>>()
  for (const { operation, path, kind } of candidates) {
    const key = keyOf(operation)
    if (kind !== 'example' && kind !== 'undescribed') owners.set(key, (owners.get(key) ?? new Set()).add(path))
  }
  const resources = [...groups.values()].flatMap((group): OverlayAction[] => {
    const own = [group.path, ...group.members.map(({ operation }) => keyOf(operation))]
    const key = own.find((each) => owners.get(each)?.size === 1 && owners.get(each)?.has(group.path))
    const corrected = writeResource(group.lines, 'written')
    const update = { ...toResource(document, group, { groups, all }), ...corrected }
    if (key === undefined || Object.keys(update).length === 0) return []
    const facts = toFacts(group.lines).map(
      ({ fact, about, evidence, why }) => `${fact} ${about} by ${evidence}: ${why}`,
    )
    const { value: item } = resolve<Record<string, unknown>>(document, document.paths?.[key] ?? {}, ['paths', key])
    return [
      {
        target: toTarget(key),
        description: withCorrected(facts.join('. '), resourceName, corrected),
        update: { [resourceName]: update },
        isReplaced: hasList(item[resourceName]),
        path: group.path,
        isOfRecords: true,
      },
    ]
  })
  return [...resources, ...operations]
}

/** Prints the habits of a service as an action of an overlay. */
export function toServiceAction(document: OpenApiDocument, service: ServiceSaid): OverlayAction {
  const habits = toHabits(service)
  return {
    target: '$',
    description: habits.map(({ habit, why }) => `${habit}: ${why}`).join('. '),
    update: { [serviceName]: Object.fromEntries(habits.map(({ habit, says }) => [habit, says])) },
    isReplaced: hasList(Object.entries(document).find(([name]) => name === serviceName)?.[1]),
    path: '',
    isOfRecords: false,
  }
}

function withCorrected(inferred: string, name: string, corrected: object = {}): string {
  const members = Object.keys(corrected)
  return members.length === 0 ? inferred : `${name} says ${members.join(', ')}; the rest is inferred: ${inferred}`
}

function hasList(value: unknown): boolean {
  return Array.isArray(value) || (isObject(value) && Object.values(value).some(hasList))
}

/** The keys of paths in the document by the places of their path items. */
export function pathKeys(document: OpenApiDocument): Map<string, string> {
  const entries = Object.entries(document.paths ?? {}).map(([key, item]): [string, string] => [
    resolve<object>(document, item, ['paths', key]).path.join('\n'),
    key,
  ])
  return new Map(entries.toReversed())
}

function toEffect(
  document: OpenApiDocument,
  candidate: CompiledCandidate,
  effect: Effect,
  group: Group | undefined,
  groups: ReadonlyMap<string, Group>,
): Record<string, unknown> {
  const { kind, path, parameter, keyIn, pointer, record, operation, lines } = candidate
  const query = effect.kind === 'list' ? effect.query : effect.kind === 'example' ? effect.page?.query : undefined
  const pages = query ? toPages(query) : {}
  const starts = startedBy(effect, groups)
  if (kind === 'example' || kind === 'undescribed' || !group) return { effect: kind, ...pages, ...starts }
  const header = operation.parameters.find(({ value }) => value.name.toLowerCase() === parameter)?.value.name
  const name = keyIn === 'header' ? header : parameter
  const key = keyIn && `$request.${keyIn === 'body' ? `body#${toJsonPointer([name ?? ''])}` : `${keyIn}.${name}`}`
  const given = 'given' in effect && effect.given ? toJsonPointer(effect.given) : ''
  const soft = kind === 'remove' ? compileSoftRemoval(document, group) : undefined
  const said = lines.all('changes').map(({ about, says }) => [about, says])
  const changes = soft ? toChanges(soft.sets) : kind === 'action' ? Object.fromEntries(said) : undefined
  return {
    effect: kind,
    collection: path,
    ...(key ? { key } : parameter !== undefined && { parameter }),
    ...(kind === 'list' && { list: toJsonPointer(pointer) }),
    ...(kind !== 'list' && record && pointer.length > 0 && { record: toJsonPointer(pointer) }),
    ...(given !== '' && { request: given }),
    ...(kind === 'list' && pages),
    ...(changes && { changes }),
    ...toNeeds(effect),
    ...starts,
  }
}

function toNeeds(effect: Effect): Record<string, unknown> {
  const needs = 'needs' in effect && effect.needs ? effect.needs : []
  if (needs.length === 0) return {}
  return {
    needs: Object.fromEntries(needs.map(({ property, values }) => [property, values.length > 1 ? values : values[0]])),
  }
}

function startedBy(effect: Effect, groups: ReadonlyMap<string, Group>): Record<string, unknown> {
  const fixed = effect.kind === 'example' ? effect : 'answer' in effect ? effect.answer : undefined
  const group = [...groups.values()].find(({ model }) => model.name === fixed?.starts?.collection)
  return group ? { starts: group.path } : {}
}

function toPages({ sizes, positions, filters, defaultSize, standard }: ListQuery): Record<string, unknown> {
  const size = sizes.filter(isPlain)
  const named = positions.filter((each) => isPlain(each) && !each.isOwn)
  const isOnly = size.length <= 1 && roles.every((as) => named.filter((each) => each.as === as).length <= 1)
  const order = standard && { order: `${standard.isDescending ? '-' : ''}${standard.property}` }
  const page = {
    ...(size[0] && { size: size[0].name }),
    ...Object.fromEntries(named.map(({ as, name }) => [as, name])),
    ...(defaultSize !== undefined && { standard: defaultSize }),
    ...order,
  }
  const plain = filters.filter((each) => isPlain(each) && each.properties.length === 1)
  const names = plain.map(({ name, properties }) => [name, properties[0]] as const)
  const isNamed = new Set(plain.map(({ name }) => name)).size === plain.length
  return {
    ...(isOnly && size.length + named.length > 0 ? { page } : order && { page: order }),
    ...(isNamed && names.length > 0 && { filters: Object.fromEntries(names) as Record<string, string> }),
  }
}

function toChanges(sets: readonly FieldChange[]): Record<string, unknown> {
  const written = sets.map((each) => [toAbout([each.property]), each.with === 'now' ? '$now' : toWritten(each.value)])
  return Object.fromEntries(written)
}

function toResource(
  document: OpenApiDocument,
  { model, record, lines }: Group,
  { groups, all }: Pick<InferredModel, 'groups' | 'all'>,
): Record<string, unknown> {
  const { properties } = flattenSchema(document, record)
  const own = all.filter((effect) => 'collection' in effect && effect.collection === model.name)
  const { key, keyPointer, ownKeys = [], nestedKeys = [], links = [], unique = [], progress, made = [] } = model
  const nested = nestedKeys.map(({ list, property }) => `${list}/${property}`)
  const pathOf = (name: string) => [...groups.values()].find((each) => each.model.name === name)?.path ?? ''
  // The path of a record that exists once may be that of a part of another one: then it has no owner.
  const owner = links.flatMap(({ isOwner, collection, values }): [string, string][] => {
    const property = values.at(-1)?.[0] ?? ''
    return isOwner && !(key === singletonKey && isPathProperty(property)) ? [[property, pathOf(collection)]] : []
  })
  const references = own.flatMap((effect) => ('references' in effect && effect.references) || [])
  const names = own.flatMap((each) => ('givenAliases' in each && each.givenAliases) || [])
  const listed = own.flatMap((each) => ('listed' in each && each.listed) || [])
  return {
    ...(key !== singletonKey && { key: keyPointer ? toJsonPointer(keyPointer) : key }),
    ...(lines.get('unknown') && { unknown: lines.value('unknown') }),
    ...toList('keys', [...ownKeys.map(({ property }) => property), ...nested]),
    ...toMap('owner', owner),
    ...toMap('references', toReferences(references, pathOf)),
    ...toList(
      'unique',
      unique.map(({ property }) => property),
    ),
    ...toMap(
      'first',
      toFirst(own, progress).filter(
        ([name, value]) =>
          // What the habits of the service say is not said again.
          lines.get('first', name)?.evidence.from !== 'habit' &&
          properties.has(name) &&
          (key !== singletonKey || value !== '$now'),
      ),
    ),
    ...(progress && { lifecycle: toLifecycle(progress) }),
    ...toMap('made', made.filter(({ pointer: [first = ''] }) => properties.has(first)).flatMap(writeMade)),
    ...toMap('names', [
      ...names.map(([name, property]) => [name, property] as const),
      ...listed.map(({ from, property, name }) => [from, toJsonPointer([property, name])] as const),
    ]),
  }
}

function toMap<Name extends string, Value>(name: Name, entries: readonly (readonly [string, Value])[]) {
  return (entries.length > 0 ? { [name]: Object.fromEntries(entries) } : {}) as Partial<
    Record<Name, Record<string, Value>>
  >
}

function toList<Name extends string>(name: Name, texts: string[]) {
  return (texts.length > 0 ? { [name]: texts } : {}) as Partial<Record<Name, string[]>>
}

type Written = string | { to: string; strict: true }

function toReferences(references: readonly Reference[], pathOf: (name: string) => string): [string, Written][] {
  const names = new Map<string, Reference[]>()
  for (const each of references) {
    const name = each.within ? toJsonPointer([...each.within, each.property]) : each.property
    if (each.collection !== undefined) getOrInsert(names, name, () => []).push(each)
  }
  return [...names].flatMap(([name, all]): [string, Written][] => {
    const collections = new Set(all.map(({ collection }) => collection))
    if (collections.size > 1) return []
    const to = pathOf(all[0]?.collection ?? '')
    const isStrict = all.every(({ unknown }) => unknown !== undefined)
    return [[name, isStrict ? { to, strict: true } : to]]
  })
}

/** What all creations agree on. */
function toFirst(effects: readonly Effect[], progress: Progress | undefined): [string, unknown][] {
  const creations = effects.flatMap((effect) => (effect.kind === 'create' ? [effect.serviceWritten] : []))
  const [first = [], ...others] = creations.map((written) => {
    const plain = written.filter((each) => each.with !== 'key' && !each.only)
    return plain.map(({ property, with: kind, value }): [string, unknown] => [
      property,
      kind === 'now' ? '$now' : toWritten(value),
    ])
  })
  const isAgreed = ([name, value]: [string, unknown]) =>
    others.every((each) =>
      each.some((other) => other[0] === name && isSameJson(other[1] as ExactValue, value as ExactValue)),
    )
  const agreed = first.filter(isAgreed)
  const isBegun = progress === undefined || agreed.some(([name]) => name === progress.property)
  return isBegun ? agreed : [...agreed, [progress.property, nothing]]
}

function toLifecycle({ property, states, step }: Progress): Lifecycle {
  const [first, ...others] = states
  const to = others.map(({ value }, index) => ({ after: toDuration((states[index]?.steps ?? 0) * step), value }))
  return { property, from: first?.value, to }
}

function writeMade({ pointer, ...made }: MadeValue): [string, string][] {
  const written = toMade(made)
  return typeof written === 'string' ? [[toAbout(pointer), written]] : []
}
