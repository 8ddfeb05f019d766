/** The effect `list`: answers with a page of the matching records, newest first. */
import type { EnvelopeField, ListEffect } from '../../contract/contract.js'
import { toTyped } from '../../json/typed-value.js'
import type { Filter } from '../../state/filter.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import type { Answer } from '../outcome.js'
import type { EffectInput, WrittenList } from './effect.js'
import { pageSizeOf } from './paging.js'

export function list(input: EffectInput<ListEffect>): Answer {
  const { operation, effect, world, server, query, lists } = input
  const collection = world.collection(effect.collection, server)
  const id = `${collection.stateId} ${operation.id}?${query}`
  const { text, bytes } = lists.get(id) ?? lists.set(id, write(input, collection))
  return { status: effect.status, mediaType: effect.mediaType, body: text, bytes }
}

function write({ contract, effect, request }: EffectInput<ListEffect>, collection: StoredCollection): WrittenList {
  const filters = filtersOf(effect, request.query)
  const records = collection.select(filters, pageSizeOf(effect, request.query))
  const array = `[${records.map((record) => record.text(contract.shapes, effect.shape)).join(',')}]`
  const text = effect.envelope ? wrap(effect.envelope, array, records.length, collection.count(filters)) : array
  return { text, bytes: new TextEncoder().encode(text) }
}

/** The filters of a request, including defaults. Values are converted to the type of their property. */
function filtersOf({ filters }: ListEffect, query: Record<string, unknown>): Filter[] {
  return filters.flatMap(({ parameter, property, types, default: standard }) => {
    const value = query[parameter] ?? standard
    return value === undefined ? [] : [{ property, values: [value].flat().map((each) => toTyped(each, types)) }]
  })
}

/** @param total the number of records that pass the filters */
function wrap(envelope: readonly EnvelopeField[], array: string, count: number, total: number): string {
  const texts = { records: array, count: String(count), total: String(total), more: String(total > count) }
  const members = envelope.map(({ name, from, value }) => {
    return `${JSON.stringify(name)}:${from === 'constant' ? JSON.stringify(value) : texts[from]}`
  })
  return `{${members.join(',')}}`
}
