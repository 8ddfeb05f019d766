/** The effect `list`: answers with a page of the matching records, newest first. Here only of plain arrays. */
import type { ListEffect } from '../../contract/effects/effect.js'
import type { ListFilter } from '../../contract/effects/list-query.js'
import { toTyped } from '../../json/typed-value.js'
import type { Filter } from '../../state/stored-record.js'
import type { EffectInput, WrittenList } from '../effects/effect.js'
import { openRecords } from '../effects/existing-record.js'
import { type Outcome, Refusal, textContent } from '../outcome.js'

export function list(input: EffectInput<ListEffect>): Outcome {
  const { contract, operation, effect, query, lists, relations, request } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return collection
  if (relations) return relations.list(input, collection)
  const id = `${collection.stateId} ${operation.id}?${query}`
  let written = lists.get(id)
  if (!written) {
    const { filters, sizes, defaultSize } = effect.query
    const size = request.query[sizes[0]?.name ?? ''] ?? defaultSize
    const records = collection.select(toFilters(filters, request.query), size as number | undefined)
    const text = `[${records.map((record) => record.text(contract.shapes, effect.shape)).join(',')}]`
    written = lists.set(id, toWritten(text))
  }
  const { status, mediaType, headers } = effect
  return { status, mediaType, headers, content: textContent(written.text, written.bytes) }
}

export function toWritten(text: string): WrittenList {
  return { text, bytes: new TextEncoder().encode(text) }
}

/** The filters of a request that the index decides, with defaults. Values have the type of their property. */
export function toFilters(filters: readonly ListFilter[], sent: Record<string, unknown>): Filter[] {
  return filters.flatMap(({ name, properties, compare, types, default: standard }) => {
    const value = sent[name] ?? standard
    if (compare !== 'equal' || value === undefined) return []
    return { property: properties[0] as string, values: [value].flat().map((each) => toTyped(each, types)) }
  })
}
