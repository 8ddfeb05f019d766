/** The effect `list`: answers with a page of the matching records, newest first. */
import type { ListEffect } from '../../contract/effects/effect.js'
import { toTyped } from '../../json/typed-value.js'
import type { Filter } from '../../state/stored-record.js'
import type { EffectInput } from '../effects/effect.js'
import { openRecords } from '../effects/existing-record.js'
import type { Records } from '../effects/records.js'
import { type Outcome, Refusal, textContent } from '../outcome.js'
import { refuseNotMade } from '../responses/write-answer.js'

export function list(input: EffectInput<ListEffect>): Outcome {
  const { operation, effect, query, lists, relations, request } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return collection
  if (effect.view && relations) return relations.viewList(input, collection, filtersOf(effect, request.query))
  const id = `${collection.stateId} ${operation.id}?${query}`
  let written = lists.get(id)
  if (!written) {
    const text = (relations?.writeList ?? writePlain)(input, collection, filtersOf(effect, request.query))
    if (text === undefined) return refuseNotMade(input)
    written = lists.set(id, { text, bytes: new TextEncoder().encode(text) })
  }
  return {
    status: effect.status,
    mediaType: effect.mediaType,
    headers: effect.headers,
    content: textContent(written.text, written.bytes),
  }
}

/** @returns undefined if a record cannot be shown */
function writePlain(
  input: EffectInput<ListEffect>,
  collection: Records,
  filters: readonly Filter[],
): string | undefined {
  const { contract, effect, request } = input
  const records = collection.select(filters, pageSizeOf(effect, request.query))
  return `[${records.map((record) => record.text(contract.shapes, effect.shape)).join(',')}]`
}

/** The filters of a request, including defaults. Values are converted to the type of their property. */
function filtersOf({ filters }: ListEffect, query: Record<string, unknown>): Filter[] {
  return filters.flatMap(({ parameter, property, types, default: standard }) => {
    const value = query[parameter] ?? standard
    return value === undefined ? [] : [{ property, values: [value].flat().map((each) => toTyped(each, types)) }]
  })
}

/** The maximum number of records on a page: from the request, else the documented default, else unlimited. */
export function pageSizeOf({ limit, defaultLimit }: ListEffect, query: Record<string, unknown>): number {
  const requested = limit === undefined ? undefined : query[limit]
  return Number(requested ?? defaultLimit ?? Number.POSITIVE_INFINITY)
}
