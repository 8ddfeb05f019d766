/** Walks through the schemas of two versions side by side. */
import { shorten } from '../../contract/violations.js'
import type { DocumentPath, Located, OpenApiDocument, Schema } from '../../document/document.js'
import { toJson } from '../../json/exact-json.js'
import { getOrInsert } from '../../json/own-value.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'
import type { Comparison, OperationPair, ValuePair } from './change.js'
import { pairAlternatives, summaryOf } from './excess.js'
import { withoutItems } from './operation-use.js'
import { differentStyles, type Holder, membersOf } from './pair-parts.js'
import { createSameness, differencesOf, type Uncompared } from './same-schemas.js'
import { type Alternative, anyPart, anything, innerOf, isAnything, isItem, type SchemaPart } from './schema-view.js'

/** Maximum pairs of one body, with the length of their paths, and of two documents. Schemas can refer to each other endlessly. */
const maxPairs = 200_000
const maxText = 10_000_000
const maxAllPairs = 20_000_000

export function createComparison(old: OpenApiDocument, next: OpenApiDocument): Comparison {
  return { toSign: createSameness(old, next), left: maxAllPairs }
}

/** A parameter, a header or a media type of both versions. */
interface Start {
  old: Located<Holder>
  next: Located<Holder>
  isHeader?: boolean
  /** The media type of a body. */
  type?: string
  /** Whether it is part of a request. Requests have no read-only values, and answers no write-only ones. */
  isSent: boolean
  isUsed(path: string): boolean
}

/** The alternative that a place is in: where, and by which property it is told apart. */
export interface Within {
  path: string
  tag?: Alternative['tag']
}

type WalkedPair = Omit<ValuePair, 'at'> & { path: string; within?: Within | undefined }

/** A pair of schemas to compare. */
interface OpenPair {
  old: SchemaPart
  next: SchemaPart
  path: string
  /** Whether the place around it is used. */
  isInUsed: boolean
  within?: Within | undefined
  isRequired?: boolean
}

/** The state of a walk through the schemas of one value. */
interface Walk extends Start {
  comparison: Comparison
  /** The pairs to compare, and those that were. */
  open: OpenPair[]
  seen: Map<SchemaPart, Set<SchemaPart>>
  /** Compared pairs with their path, where the consumer uses it. */
  seenAt: Set<string>
  /** Characters of all paths. */
  length: number
}

/** Each pair of schemas that differ, once, and once more at each path that is used. */
export function* walkSchemas(pair: OperationPair, start: Start): Generator<WalkedPair> {
  const { comparison } = pair
  const { next, isSent } = start
  yield* pairHolders(pair, start)
  const walk: Walk = {
    ...start,
    comparison,
    open: startsOf(pair, start),
    seen: new Map(),
    seenAt: new Set(),
    length: 0,
  }
  // Shallow places first, as they are the shortest way to say where a change is. The list grows during the loop.
  for (const each of walk.open) {
    const isUsed = each.isInUsed && start.isUsed(each.path)
    if (isSame(walk, each) || isKnown(walk, each, isUsed)) continue
    if (isTooLarge(walk, each)) {
      const name = 'what is too large or refers to itself in too many ways'
      yield* pairUncompared('', next.path, [{ name }])
      return
    }
    const [oldView, nextView] = [each.old.view(), each.next.view()]
    const hidden = [oldView, nextView].filter((view) => (isSent ? view.isReadOnly : view.isWriteOnly)).length
    if (hidden < 2) yield* differencesAt(walk, each, hidden > 0)
    if (hidden > 0 || (isAnything(nextView) && !isAnything(oldView))) continue
    const inside = { isInUsed: isUsed, within: each.within }
    yield* openAlternatives(walk, each, inside)
    openInner(walk, each, inside)
  }
}

/** The schemas of the whole value, and of each item of a stream. */
function startsOf({ old: one, next: other }: OperationPair, { old, next }: Start): OpenPair[] {
  const startAt = (path: string, toSchema: (holder: Located<Holder>) => Located<Schema>): OpenPair => {
    return { old: one.viewOf(toSchema(old)), next: other.viewOf(toSchema(next)), path, isInUsed: true }
  }
  const isRequired = old.value.required === true && next.value.required === true
  const isStream = 'itemSchema' in old.value || 'itemSchema' in next.value
  return [{ ...startAt('', parameterSchema), isRequired }, ...(isStream ? [startAt('[]', itemSchemaOf)] : [])]
}

/** The schema of each item of a stream (OpenAPI 3.2, section 4.14). */
function itemSchemaOf({ value, path }: Located<Holder>): Located<Schema> {
  return { value: value.itemSchema ?? true, path: [...path, 'itemSchema'] }
}

/** What differs in the parameters, headers or media types themselves. */
function pairHolders(pair: OperationPair, { old, next, isHeader = false }: Start): Generator<WalkedPair> {
  const styles = isHeader ? differentStyles([pair.old, old], [pair.next, next]) : undefined
  const rests = [old, next].map(({ value: { content = {} } }, index) => [
    ...Object.values(content).flatMap(membersOf),
    ...(styles ? [{ style: styles[index] }] : []),
  ])
  return pairMembers(old, next, pair.comparison, rests)
}

/** What differs in an object of both versions, and no rule looks at. @param rests what else differs there */
export function pairMembers(
  old: Located<object>,
  next: Located<object>,
  { toSign }: Comparison,
  rests: readonly object[][] = [],
): Generator<WalkedPair> {
  const [one = [], other = []] = [old, next].map(({ value }, index) => [...membersOf(value), ...(rests[index] ?? [])])
  return pairUncompared('', next.path, differencesOf(one, other, toSign))
}

/** What differs at a place that has no schema. */
function* pairUncompared(
  path: string,
  nextPath: DocumentPath,
  uncompared: readonly Uncompared[],
): Generator<WalkedPair> {
  if (uncompared.length > 0) yield { path, old: anything, next: anything, nextPath, uncompared }
}

function isSame({ comparison: { toSign } }: Walk, { old, next }: OpenPair): boolean {
  const signOf = ({ schema }: SchemaPart) => (schema === undefined ? undefined : toSign(schema))
  const sign = signOf(old)
  return sign !== undefined && sign === signOf(next)
}

/** Whether a pair was compared, there if it is used. From now on it was. */
function isKnown({ seen, seenAt }: Walk, { old, next, path }: OpenPair, isUsed: boolean): boolean {
  const known = getOrInsert(seen, old, () => new Set())
  const place = isUsed ? `${old.id} ${next.id} ${withoutItems(path)}` : ''
  if (isUsed ? seenAt.has(place) : known.has(next)) return true
  known.add(next)
  if (isUsed) seenAt.add(place)
  return false
}

/** Whether the limits are reached, of which this pair takes its part. */
function isTooLarge(walk: Walk, { old, next, path }: OpenPair): boolean {
  const { comparison, open } = walk
  walk.length += path.length
  comparison.left -= 1 + path.length / 50
  const isOver = open.length > maxPairs || walk.length > maxText || comparison.left < 0
  return isOver || old.view().isCut === true || next.view().isCut === true
}

/** What differs at the place of a pair itself. @param isHidden whether one of the versions does not have it here */
function* differencesAt({ comparison, type = '' }: Walk, pair: OpenPair, isHidden: boolean): Generator<WalkedPair> {
  const { path, within, isRequired = false } = pair
  const [old, next] = [pair.old.view(), pair.next.view()]
  const isRead = (keyword: object) => /xml/.test(type) || !('xml' in keyword)
  const [was, is] = isHidden ? [[], []] : [old.opaque.filter(isRead), next.opaque.filter(isRead)]
  const uncompared = differencesOf(was, is, comparison.toSign)
  if (uncompared.length > 0 || summaryOf(old) !== summaryOf(next)) {
    yield { path, isRequired, old, next, nextPath: pair.next.path, within, uncompared }
  }
}

type Inside = Pick<OpenPair, 'isInUsed' | 'within'>

/** Adds the alternatives that belong together. @yields those without another one */
function* openAlternatives(
  { open, isSent }: Walk,
  { old, next, path }: OpenPair,
  inside: Inside,
): Generator<WalkedPair> {
  for (const [before, after, isOnly] of pairAlternatives(old, next, isSent)) {
    if (before && after) {
      const within = isOnly ? inside.within : { path, tag: before.tag }
      open.push({ ...inside, old: before.part, next: after.part, path, within })
      continue
    }
    const { schema = 'this combination' } = (before ?? after)?.part ?? {}
    const values = `none is like ${shorten(toJson(schema))} of the ${before ? 'old' : 'next'} version`
    yield* pairUncompared(path, next.path, [{ name: 'alternatives', values }])
  }
}

/** Adds the values of maps, items and properties. */
function openInner({ open }: Walk, pair: OpenPair, inside: Inside): void {
  const { path } = pair
  const [old, next] = [pair.old.view(), pair.next.view()]
  const descend = (one: SchemaPart, other: SchemaPart, at: string, isRequired = false) =>
    open.push({ ...inside, old: one, next: other, path: at, isRequired })
  const { others: oldOthers = anyPart, items: oldItems = anyPart } = old
  const { others: nextOthers = anyPart, items: nextItems = anyPart } = next
  const inMap = joinPath(path, '{}')
  if (oldOthers !== nextOthers && old.isOpen && next.isOpen) descend(oldOthers, nextOthers, inMap)
  const areLists = old.types.has('array') && next.types.has('array')
  if (oldItems !== nextItems && areLists) descend(oldItems, nextItems, `${path}[]`)
  for (const name of new Set([...old.inner.keys(), ...next.inner.keys()])) {
    descend(innerOf(old, name), innerOf(next, name), isItem(name) ? `${path}[]` : inMap)
  }
  for (const [name, property] of old.properties) {
    const other = next.properties.get(name)
    if (other) descend(property, other, joinPath(path, name), old.required.has(name) && next.required.has(name))
  }
  // What is a property now was a value of the map.
  for (const [name, property] of old.others && old.isOpen ? next.properties : []) {
    if (!old.properties.has(name)) descend(oldOthers, property, joinPath(path, name))
  }
}

/** @param name of a property; empty for the place itself */
export function joinPath(path: string, name: string): string {
  return name === '' || path === '' ? path + name : `${path}.${name}`
}
