/** The effect `list` for plain arrays of whole records, newest first. `scripts/build.js` chooses it where it is enough. */
import type { ListEffect } from '../../contract/effects/effect.js'
import { type Outcome, Refusal, textContent } from '../outcome.js'
import type { EffectInput } from '../writes/effect-input.js'
import { openRecords } from '../writes/open-records.js'
import { toFilters } from './choose-records.js'

export function list(input: EffectInput<ListEffect>): Outcome {
  const { contract, operation, effect, query, lists, request } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return collection
  const id = `${collection.stateId} ${operation.id}?${query}`
  let written = lists.get(id)
  if (!written) {
    const { filters, sizes, defaultSize } = effect.query
    const size = request.query[sizes[0]?.name ?? ''] ?? defaultSize
    const records = collection.select(toFilters(filters, request.query), size as number | undefined)
    const text = `[${records.map((record) => record.text(contract.shapes, effect.shape)).join(',')}]`
    written = lists.set(id, { text, bytes: new TextEncoder().encode(text) })
  }
  const { status, mediaType, headers } = effect
  return { status, mediaType, headers, content: textContent(written.text, written.bytes) }
}
