/** Cuts the list of an example to the page that a request chooses. */

import type { ExampleEffect, ExamplePage, Repeats } from '../../contract/effects/effect.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { toPathProperty } from '../../json/path-property.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { StoredRecord } from '../../state/stored-record.js'
import type { EffectInput } from '../writes/effect-input.js'
import { ensureValue } from '../writes/sampler.js'
import { toPage } from './choose-page.js'
import { describePage } from './list.js'

/** Items of an example have no key: their number is used instead. */
const key = toPathProperty('number')

/** @returns undefined if the body has no such list */
export function pageExample(
  input: EffectInput<ExampleEffect>,
  { pointer, query, repeats }: ExamplePage,
  body: ExactValue,
): { text: string; headers: Record<string, string> } | undefined {
  const { contract, effect, model, operation } = input
  const root = { body }
  const owner = ['body', ...pointer]
    .slice(0, -1)
    .reduce<unknown>((at, name) => (isObject(at) ? ownValue(at, name) : undefined), root)
  const name = pointer.at(-1) ?? 'body'
  const own = isObject(owner) ? ownValue(owner, name) : undefined
  if (!isObject(owner) || !Array.isArray(own)) return undefined
  const list = repeats ? repeat(own, valueAt(input.request.body.value, repeats.given), repeats) : own
  const records = list.map((_, index) => new StoredRecord({ [key]: index }))
  const asList = { ...input, model: { ...model, key } }
  const page = toPage(asList, query, records)
  owner[name] = page.records.map(({ values }) => list[Number(values[key])] as ExactValue)
  const facts = describePage(asList, query, page)
  facts.put(root.body)
  const { ensure } = effect
  const isChanged = repeats !== undefined || (query.facts.length > 0 && isObject(root.body))
  const ensured = isChanged && ensure && ensureValue(contract, ensure, root.body, toSeed(operation.id))
  return { text: writeByShape(ensured || root.body, contract.shapes, 0), headers: facts.headers }
}

/** The most items that are made for the values of one request. */
const maxRepeated = 1000

/** One item for each value that is sent. */
function repeat(items: ExactValue[], given: unknown, { key: own, index: number }: Repeats): ExactValue[] {
  const sent = given === undefined || isObject(given) ? [] : ([given].flat() as ExactValue[])
  if (sent.length === 0 || sent.length > maxRepeated) return items
  return sent.map((value, index): ExactValue => {
    // What an item requires is made afterwards.
    const item = items.length > 0 ? (items[index % items.length] as ExactValue) : {}
    if (!isObject(item)) return item
    return { ...item, ...(own !== undefined && { [own]: value }), ...(number !== undefined && { [number]: index }) }
  })
}
