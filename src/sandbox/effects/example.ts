/** The effect `example`: answers from the document's examples and schemas, independent of the state. */
import type { Effect, ExampleEffect, FixedBody, Success } from '../../contract/effect.js'
import { decodeBytes } from '../../json/base64.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { EffectInput } from './effect.js'
import { refuseNotMade } from './ensured.js'

export function example(input: EffectInput<ExampleEffect>): Outcome {
  const { effect, nesting, query, request } = input
  const answer = answerFixed(input, effect)
  const { page } = effect
  const isAsking = query !== '' || request.body.codec !== undefined
  if (!page || !isAsking || !nesting || answer instanceof Refusal || typeof answer.body !== 'string') return answer
  const cut = nesting.pageExample(input, page, answer.body)
  if (!cut) return answer
  const { status, mediaType, headers } = answer
  return { status, mediaType, headers: { ...headers, ...cut.headers }, body: cut.text }
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
