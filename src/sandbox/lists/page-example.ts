/** Cuts the list of an example to the page that a request chooses. */
import type { ExampleEffect, ExamplePage, ListEffect } from '../../contract/effects/effect.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { StoredRecord } from '../../state/stored-record.js'
import type { EffectInput } from '../effects/effect.js'
import { addressOf } from './page-links.js'
import { factsOf, headersOf, toPage, withFacts } from './view-list.js'

/** Items have no key: their number takes its place. */
const key = '{number}'

/** @returns undefined if the body has no such list */
export function pageExample(
  input: EffectInput<ExampleEffect>,
  { pointer, view }: ExamplePage,
  text: string,
): { text: string; headers: Record<string, string> } | undefined {
  const { effect, model } = input
  const body = parseExactJson(text).exact
  const owner = pointer
    .slice(0, -1)
    .reduce<unknown>((at, name) => (isObject(at) ? ownValue(at, name) : undefined), body)
  const name = pointer.at(-1)
  const list = name === undefined ? body : isObject(owner) ? ownValue(owner, name) : undefined
  if (!Array.isArray(list)) return undefined
  const records = list.map((_, index) => new StoredRecord({ [key]: index }))
  const listEffect: ListEffect = {
    ...{ kind: 'list', status: effect.status, collection: '', shape: 0, filters: [], view },
    ...(effect.ensure && { ensureBody: effect.ensure }),
  }
  const asList: EffectInput<ListEffect> = { ...input, effect: listEffect, model: { ...model, key } }
  const page = toPage(asList, view, records)
  const shown = page.records.map(({ values }) => list[Number(values[key])] as ExactValue)
  if (name !== undefined) (owner as Record<string, unknown>)[name] = shown
  const cut = writeByShape((name === undefined ? shown : body) as ExactValue, input.contract.shapes, 0)
  const address = addressOf(input)
  const facts = factsOf(asList, view, records, page, address)
  return {
    text: view.fields.length > 0 ? withFacts(asList, view.fields, cut, facts, address) : cut,
    headers: headersOf(view, facts, address),
  }
}
