/**
 * Finds jobs: records whose state no request writes, with the values of something that is waited for, worked on, and then
 * done or failed. They go on as time passes, and succeed.
 */
import { guess, toAbout } from '../behaviour/line.js'
import type { Lifecycle } from '../behaviour/members.js'
import { toDuration } from '../behaviour/values.js'
import type { Period } from '../contract/contract.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import {
  findSuccess,
  findUsable,
  isBegun,
  isBeingMade,
  isEnded,
  isFailure,
  isOwnStateName,
  isQueued,
  isUnderWay,
} from '../lexicon/stages.js'
import { isEndTime, isPeriodEnd, isPeriodStart, isShareOfWork, isStartTime, isTimeOf } from '../lexicon/times.js'
import { bareName } from '../lexicon/words.js'
import { flattenSchema, hasFlag, placeOf } from '../schemas/flatten-schema.js'
import { findRequestRecord } from '../schemas/operations/request-record.js'
import { timeFormOf } from '../schemas/time-form.js'
import type { KnownCollection } from './collection.js'

/** A step of time, in milliseconds. */
const step = 1000

export function findLifecycle(document: OpenApiDocument, collection: KnownCollection): void {
  const { lines, members, record } = collection
  if (!members.some(({ kind }) => kind === 'create') && lines.all('starts').length === 0) return
  const { properties } = flattenSchema(document, record)
  const sent = sentNames(document, collection)
  const period = lines.get('lifecycle') ? undefined : findPeriod(document, collection, sent)
  if (period) {
    lines.add('period', '', period, guess('schema', 'its values are those before, during and after its times'))
    return
  }
  const found = lines.get('lifecycle') ? undefined : findStates(document, collection, sent)
  if (found) {
    const why = `its values are those of a job: ${[found.from, ...found.to.map(({ value }) => value)].join(', ')}`
    lines.add('lifecycle', '', found, guess('schema', why))
  }
  const said = lines.value('lifecycle')
  if (!said) return
  const { property, from, to } = said
  const states = [from, ...to.map(({ value }) => value)].map(String)
  const others = [...properties].filter(([name]) => name !== property && !sent.has(bareName(name)))
  for (const state of states) lines.add('reached', state, reachedIn(document, state, states, others), guess('name', ''))
  const allowed = properties.get(property)
  const failed = allowed && textsOf(document, allowed).find(isFailure)
  if (failed !== undefined) lines.add('failedState', '', failed, guess('name', ''))
}

/** A state that follows from two times that requests write. */
function findPeriod(
  document: OpenApiDocument,
  { record }: KnownCollection,
  sent: ReadonlySet<string>,
): Period | undefined {
  const { properties } = flattenSchema(document, record)
  const isMoment = ([name, schema]: [string, Located<Schema>]) =>
    sent.has(bareName(name)) && flattenSchema(document, schema).keywords.format === 'date-time'
  const times = [...properties].filter(isMoment).map(([name]) => name)
  const [start, end] = [times.find(isPeriodStart), times.find(isPeriodEnd)]
  if (start === undefined || end === undefined) return undefined
  for (const [name, schema] of properties) {
    const inner = [...flattenSchema(document, schema).properties].map(([own, each]) => [[name, own], each] as const)
    for (const [pointer, each] of [[[name], schema] as const, ...inner]) {
      const states = statesOfPeriod(textsOf(document, each))
      if (states && isOwnStateName(pointer.at(-1) ?? '') && !sent.has(bareName(name)))
        return { pointer: [...pointer], start, end, states }
    }
  }
  return undefined
}

function statesOfPeriod(values: readonly string[]): Period['states'] | undefined {
  const during = findUsable(values)
  const after = values.find((each) => each !== during && isEnded(each))
  const before = values.find((each) => each !== during && !isEnded(each) && isBegun(each))
  if (values.length !== 3 || during === undefined || before === undefined || after === undefined) return undefined
  return [before, during, after]
}

/** The states of a job. Each lasts a step: see `lastingOf`. */
function findStates(
  document: OpenApiDocument,
  collection: KnownCollection,
  sent: ReadonlySet<string>,
): Lifecycle | undefined {
  for (const [property, schema] of flattenSchema(document, collection.record).properties) {
    if (!isOwnStateName(property) || sent.has(bareName(property))) continue
    const states = chooseStates(textsOf(document, schema))
    if (!states || isMoved(collection, property, states)) continue
    const first = firstState(collection, property)
    // A job begins in the state that new records have.
    if (first !== undefined && !states.includes(first) && isBegun(first)) states.unshift(first)
    const [begun = '', ...later] = states
    const to = later.map((value, index) => ({
      after: toDuration(lastingOf(states[index] ?? '', states) * step),
      value,
    }))
    return { property, from: begun, to }
  }
  return undefined
}

/** Whether a request sets one of the states. */
function isMoved({ members }: KnownCollection, property: string, states: readonly string[]): boolean {
  return members.some(
    ({ kind, lines }) => kind === 'action' && states.includes(String(lines.value('changes', toAbout([property])))),
  )
}

/** The state of a new record. */
function firstState({ members, lines }: KnownCollection, property: string): string | undefined {
  const line = lines.get('first', property)
  if (line && line.evidence.author !== 'guess') return typeof line.says === 'string' ? line.says : undefined
  const written = members.flatMap((member) => (member.kind === 'create' && member.lines.value('writes')) || [])
  const found = written.find((each) => each.property === property && typeof each.value === 'string')
  return found && String(found.value)
}

/** The names of what requests write. A creation that takes what it answers, and that no other request changes, says nothing of it. */
function sentNames(document: OpenApiDocument, { record, members }: KnownCollection): Set<string> {
  const isChanged = members.some(({ kind }) => kind === 'replace' || kind === 'update')
  const names = members.flatMap((member) => {
    const isReading = member.kind === 'list' || member.kind === 'read'
    const request = isReading ? undefined : findRequestRecord(document, member, record)
    const shown = member.record ?? record
    if (request && !isChanged && placeOf(document, request.schema) === placeOf(document, shown)) return []
    const given = request ? [...flattenSchema(document, request.schema).properties] : []
    return given.flatMap(([name, schema]) => (hasFlag(document, schema, 'readOnly') ? [] : [bareName(name)]))
  })
  return new Set(names)
}

function textsOf(document: OpenApiDocument, schema: Located<Schema>): string[] {
  const { types, keywords } = flattenSchema(document, schema)
  return types.has('string') ? (keywords.enum ?? []).filter((each) => typeof each === 'string') : []
}

/** The states that a job passes through until it succeeds, or something until it is in use. @returns undefined for the states of anything else */
function chooseStates(values: readonly string[]): string[] | undefined {
  const before = values.filter(isQueued)
  const during = values.filter(isUnderWay)
  const end = findSuccess(values)
  const canFail = values.some(isFailure)
  if (end !== undefined && canFail && before.length + during.length > 0) return [...before, ...during, end]
  const made = values.find(isBeingMade)
  const used = findUsable(values)
  return made === undefined || used === undefined ? undefined : [made, used]
}

/**
 * How many steps a state lasts: one. Nothing is ahead of a job that waits, so that it waits for only a part of the first step, and
 * works for the rest of it: a job that is queued and then runs has succeeded after one step.
 */
function lastingOf(value: string, states: readonly string[]): number {
  const waiting = states.filter(isQueued).length
  const isShared = states.indexOf(value) <= waiting && states.length > waiting + 1
  return value === states.at(-1) ? 0 : isShared ? 1 / (waiting + 1) : 1
}

/** What else a record has from a state on. */
function reachedIn(
  document: OpenApiDocument,
  value: string,
  states: readonly string[],
  others: readonly [string, Located<Schema>][],
): Record<string, unknown> {
  const isEnd = value === states.at(-1)
  const sets = isQueued(value) ? [] : others.flatMap(([name, schema]) => changeOf(document, name, schema, value, isEnd))
  return Object.fromEntries(sets)
}

/** What a property has from a state on. */
function changeOf(
  document: OpenApiDocument,
  property: string,
  schema: Located<Schema>,
  state: string,
  isEnd: boolean,
): [string, unknown][] {
  const flat = flattenSchema(document, schema)
  const { types, keywords } = flat
  const isNamed = (isEnd ? isEndTime : isStartTime)(property) || isTimeOf(state, property)
  const form = isNamed ? timeFormOf(property, flat, true) : undefined
  if (form) return [[property, '$now']]
  const isNumber = types.has('number') || types.has('integer')
  if (isNumber && isShareOfWork(property)) {
    const whole = keywords.maximum === 1 ? 1 : 100
    if (!isEnd && whole === 1 && !types.has('number')) return []
    return [[property, isEnd ? whole : whole / 2]]
  }
  return []
}
