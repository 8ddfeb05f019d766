/** The effect `example`: answers from the document's examples and schemas, independent of the state. */
import type { ExampleEffect } from '../../contract/effects/effect.js'
import { isUnchanging } from '../../contract/effects/is-unchanging.js'
import { pageExample } from '../lists/page-example.js'
import { type Outcome, Refusal, textContent } from '../outcome.js'
import type { EffectInput } from './effect-input.js'
import { noteUnchanged } from './existing-record.js'
import { answerFixed, startRecord } from './fixed-answer.js'
import { openPath } from './open-records.js'

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
