/**
 * Jobs: records whose state goes on as time passes. The state is computed whenever a record is read, so that nothing has to
 * wait and a read changes nothing.
 */
import type { CollectionModel, Period, Progress, ProgressState } from '../../contract/contract.js'
import { valueAt, withNested } from '../../json/nested.js'
import { ownValue } from '../../json/own-value.js'
import { reachedMark } from '../../json/path-property.js'
import { createRandom, toSeed } from '../../json/random.js'
import { StoredRecord, type Values } from '../../state/stored-record.js'
import type { PlacedProgress } from './records.js'
import { writeTime } from './service-written.js'

export function openProgress(model: CollectionModel, now: number): PlacedProgress {
  return {
    now,
    read: (record) => atTime(model, record, now),
    begin: (values) => withBeginning(model, values, now),
    change: (before, values) => withoutProgress(model, before, values),
  }
}

/** The values of a new record, marked if its job begins now. */
export function withBeginning({ progress }: CollectionModel, values: Values, now: number): Values {
  return progress && isUnfinished(progress, values) ? { ...values, [reachedMark]: now } : values
}

/** A record as it is at a time. */
export function atTime(
  { progress, key }: Pick<CollectionModel, 'progress' | 'key'>,
  record: StoredRecord,
  now: number,
): StoredRecord {
  if (progress?.period) return inPeriod(progress.period, record, now)
  const reached = progress && record.values[reachedMark]
  if (!progress || typeof reached !== 'number') return record
  const values = advance(progress, record.values, reached, now, String(record.values[key]))
  return values === record.values ? record : new StoredRecord(values)
}

/** A record with the state that its times give it. */
function inPeriod({ pointer, start, end, states }: Period, record: StoredRecord, now: number): StoredRecord {
  const [from, to] = [start, end].map((name) => Date.parse(String(record.values[name])))
  const state = now >= Number(to) ? states[2] : now >= Number(from) ? states[1] : states[0]
  if (valueAt(record.values, pointer) === state) return record
  return new StoredRecord(withNested(record.values, pointer, state))
}

/** The states that the job of a record reaches, with their times in milliseconds since 1970. */
export function stepsOf(
  model: Pick<CollectionModel, 'progress' | 'key'>,
  record: StoredRecord,
): { at: number; state: unknown }[] {
  const { progress } = model
  let reached = record.values[reachedMark]
  if (!progress || typeof reached !== 'number') return []
  const { property, states, step } = progress
  const first = states.findIndex(({ value }) => value === ownValue(record.values, property))
  return states.slice(Math.max(0, first), -1).map(({ steps }) => {
    const at = Math.round((reached as number) + steps * step)
    reached = at
    return { at, state: atTime(model, record, at).values[property] }
  })
}

/** The values of a change: a job whose state a request changes goes on no further. */
function withoutProgress({ progress }: CollectionModel, before: Values, values: Values): Values {
  if (!progress || ownValue(before, progress.property) === ownValue(values, progress.property)) return values
  const { [reachedMark]: _, ...others } = values
  return others
}

function isUnfinished({ property, states }: Progress, values: Values): boolean {
  return states.slice(0, -1).some(({ value }) => value === ownValue(values, property))
}

/** @param key of the record: it says whether it fails */
function advance(
  { property, states, step, fails }: Progress,
  before: Values,
  began: number,
  now: number,
  key: string,
): Values {
  let [values, reached] = [before, began]
  const first = states.findIndex(({ value }) => value === ownValue(before, property))
  for (const [index, { steps }] of first < 0 ? [] : [...states.entries()].slice(first)) {
    const next = states[index + 1]
    const end = Math.round(reached + steps * step)
    if (!next || now < end) break
    const changes = next.sets.map((each) => [each.property, changedValue(each, end, end - began)])
    const { [reachedMark]: _, ...others } = values
    const mark = index + 2 < states.length && { [reachedMark]: end }
    const isFailed = !mark && fails && createRandom(toSeed(key)).next() < fails.share
    const reachedValues = isFailed ? {} : Object.fromEntries(changes)
    values = { ...others, ...reachedValues, [property]: isFailed ? fails.value : next.value, ...mark }
    reached = end
  }
  return values
}

/** @param at when a state was reached @param elapsed milliseconds since the job began */
function changedValue(change: ProgressState['sets'][number], at: number, elapsed: number): unknown {
  if (change.with === 'now') return change.as ? writeTime(at, change.as) : new Date(at).toISOString()
  if (change.with === 'constant') return change.value
  if (change.as === 'milliseconds') return elapsed
  return change.as === 'seconds' ? Math.round(elapsed / 1000) : `PT${elapsed / 1000}S`
}
