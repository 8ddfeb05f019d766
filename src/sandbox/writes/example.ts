/** The effects without records: `example` answers from the document's examples and schemas, `undescribed` refuses. */
import type { ExampleEffect, ExamplePage, Repeats, UndescribedEffect } from '../../contract/effects/effect.js'
import { isUnchanging } from '../../contract/effects/is-unchanging.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { toPathProperty } from '../../json/path-property.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { StoredRecord } from '../../state/stored-record.js'
import { toPage } from '../lists/choose-page.js'
import { describePage } from '../lists/list.js'
import { type Outcome, Refusal, textContent } from '../outcome.js'
import type { EffectInput } from './effect-input.js'
import { noteUnchanged } from './existing-record.js'
import { answerFixed, startRecord } from './fixed-answer.js'
import { openPath } from './open-records.js'
import { ensureValue } from './sampler.js'

export function example(input: EffectInput<ExampleEffect>): Outcome {
  const { contract, operation } = input
  const missing = refuseBelowMissing(input)
  if (missing) return missing
  if (isUnchanging(operation, contract)) noteUnchanged(input)
  const answer = answerExample(input)
  return input.showChosen ? input.showChosen(input, answer) : answer
}

function answerExample(input: EffectInput<ExampleEffect>): Outcome {
  const { effect, query, request } = input
  const answer = answerFixed(input, effect)
  const { page, starts } = effect
  if (starts && !(answer instanceof Refusal)) return startRecord(input, effect, starts, answer)
  const isAsking = query !== '' || request.body.codec !== undefined
  if (!page || !isAsking || answer instanceof Refusal) return answer
  const cut = pageExample(input, page, answer.content?.value?.() ?? null)
  return cut ? { ...answer, headers: { ...answer.headers, ...cut.headers }, content: textContent(cut.text) } : answer
}

/** Refuses a request below a record that does not exist. */
export function refuseBelowMissing(input: EffectInput): Refusal | undefined {
  const { effect } = input
  if (effect.kind !== 'example' || !effect.place) return undefined
  const { collection = '' } = effect.place.owners.at(-1) ?? {}
  const opened = openPath(input, effect.place, collection)
  return opened instanceof Refusal ? opened : undefined
}

export function undescribed({ operation: { method, path } }: EffectInput<UndescribedEffect>): Refusal {
  return new Refusal('not_described', `The document describes no success response for ${method} ${path}`)
}

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
