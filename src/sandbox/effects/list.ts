/** The effect `list`: answers with a page of the matching records, newest first. */
import type { ListEffect } from '../../contract/effect.js'
import { toTyped } from '../../json/typed-value.js'
import type { Filter } from '../../state/filter.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { Records } from '../records.js'
import type { EffectInput, WrittenList } from './effect.js'
import { refuseNotMade, writeArray } from './ensured.js'
import { openRecords } from './open-records.js'
import { pageSizeOf } from './paging.js'
import { isRemoved } from './sampled-record.js'

export function list(input: EffectInput<ListEffect>): Outcome {
  const { operation, effect, query, lists } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return collection
  const id = `${collection.stateId} ${operation.id}?${query}`
  let written = lists.get(id)
  if (!written) {
    const made = write(input, collection)
    if (!made) return refuseNotMade(input)
    written = lists.set(id, made)
  }
  return {
    status: effect.status,
    mediaType: effect.mediaType,
    headers: effect.headers,
    body: written.text,
    bytes: written.bytes,
  }
}

/** @returns undefined if a record cannot be shown */
function write(input: EffectInput<ListEffect>, collection: Records): WrittenList | undefined {
  const { effect, request } = input
  const filters = filtersOf(effect, request.query)
  const selected = collection.select(filters, pageSizeOf(effect, request.query))
  const records = selected.filter((record) => !isRemoved(record))
  const isPlain = !effect.keys && !effect.around && !effect.envelope
  const text = isPlain
    ? writeArray(input, records)
    : input.nesting?.writeList(input, records, () => collection.count(filters))
  if (text === undefined) return undefined
  return { text, bytes: new TextEncoder().encode(text) }
}

/** The filters of a request, including defaults. Values are converted to the type of their property. */
function filtersOf({ filters }: ListEffect, query: Record<string, unknown>): Filter[] {
  return filters.flatMap(({ parameter, property, types, default: standard }) => {
    const value = query[parameter] ?? standard
    return value === undefined ? [] : [{ property, values: [value].flat().map((each) => toTyped(each, types)) }]
  })
}
