/**
 * The effect `list`: answers with the matching records, newest first. This file alone is enough for a bundle whose lists are
 * plain arrays; `write-list.ts` writes all others.
 */
import type { ListEffect } from '../../contract/effects/effect.js'
import { type Outcome, Refusal, textContent } from '../outcome.js'
import type { EffectInput, WrittenList } from '../writes/effect-input.js'
import { openRecords } from '../writes/existing-record.js'
import { toFilters } from './choose-records.js'

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
