/** The effect `example`: answers from the document's examples and schemas, independent of the state. */
import type { Effect, ExampleEffect, FixedBody, Success } from '../../contract/effect.js'
import { isUnchanging } from '../../contract/is-unchanging.js'
import { decodeBytes } from '../../json/base64.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { EffectInput } from './effect.js'
import { refuseNotMade } from './ensured.js'
import { noteUnchanged } from './existing-record.js'

export function example(input: EffectInput<ExampleEffect>): Outcome {
  const { contract, effect, nesting, operation, query, request } = input
  const missing = refuseBelowMissing(input)
  if (missing) return missing
  if (isUnchanging(operation, contract)) noteUnchanged(input)
  const answer = answerFixed(input, effect)
  const { page } = effect
  const isAsking = query !== '' || request.body.codec !== undefined
  if (!page || !isAsking || !nesting || answer instanceof Refusal || typeof answer.body !== 'string') return answer
  const cut = nesting.pageExample(input, page, answer.body)
  if (!cut) return answer
  const { status, mediaType, headers } = answer
  return { status, mediaType, headers: { ...headers, ...cut.headers }, body: cut.text }
}

/** Refuses a request below a record that does not exist. */
export function refuseBelowMissing(input: EffectInput): Refusal | undefined {
  const { effect, nesting } = input
  if (effect.kind !== 'example' || !effect.place) return undefined
  const { collection = '' } = effect.place.owners.at(-1) ?? {}
  const opened = nesting?.open(input, effect.place, collection)
  return opened instanceof Refusal ? opened : undefined
}

/** Answers with a body that does not depend on the state. */
export function answerFixed(input: EffectInput<Success & Effect>, { body, base64, ensure }: FixedBody): Outcome {
  const { contract, effect, operation, filler, lists } = input
  const { status, mediaType, headers } = effect
  if (base64 !== undefined) return { status, mediaType, headers, body: decodeBytes(base64) }
  if (!ensure || !filler || body === undefined) return { status, mediaType, headers, body }
  const id = `example ${operation.id}`
  let written = lists.get(id)
  if (!written) {
    const text = filler.ensureText(contract, ensure, body, operation.id)
    if (text === undefined) return refuseNotMade(input)
    written = lists.set(id, { text, bytes: new TextEncoder().encode(text) })
  }
  return { status, mediaType, headers, body: written.text, bytes: written.bytes }
}
