/**
 * Finds jobs: records whose state no request writes, with the values of something that is waited for, worked on, and then
 * done or failed. They go on as time passes, and succeed.
 */
import { guess } from '../../../behaviour/line.js'
import type { Lifecycle } from '../../../behaviour/members.js'
import { toDuration, toMilliseconds } from '../../../behaviour/values.js'
import type { Progress, ProgressState } from '../../../contract/contract.js'
import type { BulkUse, Effect, LinkUse, ValueUse } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { findRequestRecord } from '../../../infer/facts/request-record.js'
import { refuseUnknown } from '../../../infer/read-extensions.js'
import { reachedMark } from '../../../json/path-property.js'
import {
  findSuccess,
  findUsable,
  isBegun,
  isBeingMade,
  isFailure,
  isOwnStateName,
  isQueued,
  isUnderWay,
} from '../../../lexicon/stages.js'
import { isEndTime, isShareOfWork, isStartTime, isTimeOf, saysMilliseconds } from '../../../lexicon/times.js'
import { bareName } from '../../../lexicon/words.js'
import { flattenSchema, hasFlag } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
import { timeFormOf } from '../../../schemas/time-form.js'
import type { Group } from './compile-scope.js'

/** A step of time, in milliseconds. */
const step = 1000

/**
 * Adds the states to the collections of jobs.
 * @param started names of the collections whose records begin to exist because answers name them
 */
export function addProgress(
  document: OpenApiDocument,
  groups: Iterable<Group>,
  effects: ReadonlyMap<DescribedOperation, Effect>,
  bulks: ReadonlyMap<DescribedOperation, BulkUse | LinkUse | ValueUse>,
): void {
  const all = [...effects.values(), ...[...bulks.values()].flatMap(effectsOf)]
  const started = new Set(all.map((effect) => startedBy(effect)))
  for (const group of groups) {
    const { model, members } = group
    if (!members.some(({ kind }) => kind === 'create') && !started.has(model.name)) continue
    const own = all.filter((effect) => 'collection' in effect && effect.collection === model.name)
    const { lines } = group
    const found = lines.get('lifecycle') ? undefined : findProgress(document, group, own)
    if (found) {
      const why = `its values are those of a job: ${[found.from, ...found.to.map(({ value }) => value)].join(', ')}`
      lines.add('lifecycle', '', found, guess('schema', why))
    }
    const progress = readLifecycle(document, group)
    if (!progress) continue
    model.progress = progress
    model.hidden = [...(model.hidden ?? []), reachedMark]
    // Placed records know the time.
    for (const effect of own) {
      if (!('collection' in effect)) continue
      effect.place ??= { values: [], owners: [] }
      effect.hidden = model.hidden
    }
  }
}

/** The states of a lifecycle. Times and percentages of the record follow them. */
function readLifecycle(document: OpenApiDocument, group: Group): Progress | undefined {
  const { record, lines } = group
  const line = lines.get('lifecycle')
  if (!line?.says) return undefined
  const { property, from, to, fail = 0, failed } = line.says
  const { properties } = flattenSchema(document, record)
  const sent = sentNames(document, group)
  refuseUnknown(line, property, properties.keys(), 'property of the record', 'property')
  const schema = properties.get(property)
  const allowed = schema ? (flattenSchema(document, schema).keywords.enum ?? []) : []
  const checkState = (value: unknown, ...at: string[]) => {
    if (allowed.length > 0) refuseUnknown(line, String(value), allowed.map(String), 'state', ...at)
  }
  checkState(from, 'from')
  const values = [from, ...to.map(({ value }) => value)].map(String)
  const others = [...properties].filter(([name]) => name !== property && !sent.has(bareName(name)))
  const states = values.map((value, index): ProgressState => {
    const { sets = undefined } = to[index - 1] ?? {}
    if (index > 0) checkState(value, 'to', String(index - 1), 'value')
    const inferred = reachedIn(document, value, values, others)
    const chosen = Object.entries(sets ?? {}).map(([name, each]): ProgressState['sets'][number] => {
      refuseUnknown(line, name, properties.keys(), 'property of the record', 'to', String(index - 1), 'sets', name)
      const own = properties.get(name) as Located<Schema>
      const form = timeFormOf(name, flattenSchema(document, own), true)
      if (each === '$now') return { property: name, with: 'now', ...form }
      if (each === '$elapsed') return { property: name, with: 'elapsed', as: durationFormOf(document, own) }
      return { property: name, with: 'constant', value: each }
    })
    return { value, steps: toMilliseconds(to[index]?.after ?? '0s') / step, sets: sets ? chosen : inferred }
  })
  if (fail === 0) return { property, states, step }
  const known = failed ?? allowed.find((value) => isFailure(String(value)))
  checkState(known ?? 'failed', failed === undefined ? 'fail' : 'failed')
  return { property, states, step, fails: { share: fail, value: String(known ?? 'failed') } }
}

export function effectsOf(use: BulkUse | LinkUse | ValueUse): Effect[] {
  return use.kind === 'bulk' ? [use.read, use.create, use.change, use.remove].filter((each) => each !== undefined) : []
}

function startedBy(effect: Effect): string | undefined {
  const fixed = effect.kind === 'example' ? effect : 'answer' in effect ? effect.answer : undefined
  return fixed?.starts?.collection
}

/** The states of a job. Each lasts a step: see `lastingOf`. */
function findProgress(document: OpenApiDocument, group: Group, effects: readonly Effect[]): Lifecycle | undefined {
  const { properties } = flattenSchema(document, group.record)
  const sent = sentNames(document, group)
  for (const [property, schema] of properties) {
    if (!isOwnStateName(property) || sent.has(bareName(property))) continue
    const values = textsOf(document, schema)
    const states = chooseStates(values)
    if (!states) continue
    const isMoved = effects.some(
      (effect) =>
        'sets' in effect &&
        effect.sets?.some((each) => each.property === property && states.includes(String(each.value))),
    )
    if (isMoved) continue
    const [first] = effects
      .flatMap((effect) => (effect.kind === 'create' && effect.serviceWritten) || [])
      .flatMap((each) =>
        each.property === property && each.with === 'constant' && typeof each.value === 'string' ? [each.value] : [],
      )
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

/** The names of what requests write. */
function sentNames(document: OpenApiDocument, { record, members }: Group): Set<string> {
  const names = members.flatMap(({ kind, operation, pointer }) => {
    const request =
      kind === 'list' || kind === 'read' ? undefined : findRequestRecord(document, operation, pointer, record)
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
): ProgressState['sets'] {
  const isEnd = value === states.at(-1)
  return isQueued(value) ? [] : others.flatMap(([name, schema]) => changeOf(document, name, schema, value, isEnd))
}

/** What a property has from a state on. */
function changeOf(
  document: OpenApiDocument,
  property: string,
  schema: Located<Schema>,
  state: string,
  isEnd: boolean,
): ProgressState['sets'] {
  const flat = flattenSchema(document, schema)
  const { types, keywords } = flat
  const isNamed = (isEnd ? isEndTime : isStartTime)(property) || isTimeOf(state, property)
  const form = isNamed ? timeFormOf(property, flat, true) : undefined
  if (form) return [{ property, with: 'now', ...form }]
  const isNumber = types.has('number') || types.has('integer')
  if (isNumber && isShareOfWork(property)) {
    const whole = keywords.maximum === 1 ? 1 : 100
    if (!isEnd && whole === 1 && !types.has('number')) return []
    return [{ property, with: 'constant', value: isEnd ? whole : whole / 2 }]
  }
  return []
}

/** How a property has the time since a job began. */
function durationFormOf(document: OpenApiDocument, schema: Located<Schema>): 'seconds' | 'milliseconds' | 'duration' {
  const { types, keywords } = flattenSchema(document, schema)
  if (types.has('string')) return 'duration'
  return saysMilliseconds(String(keywords.description ?? '')) ? 'milliseconds' : 'seconds'
}
