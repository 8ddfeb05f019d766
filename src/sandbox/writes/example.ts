/** The effect `example`: answers from the document's examples and schemas, independent of the state. */
import {
  type Effect,
  type ExampleEffect,
  type FixedBody,
  type Success,
  sampleTime,
} from '../../contract/effects/effect.js'
import { isUnchanging } from '../../contract/effects/is-unchanging.js'
import { decodeBytes } from '../../json/base64.js'
import { type Outcome, Refusal, textContent } from '../outcome.js'
import { refuseNotMade } from '../responses/write-answer.js'
import type { EffectInput } from './effect-input.js'
import { noteUnchanged } from './existing-record.js'
import { writeTime } from './service-written.js'

export function example(input: EffectInput<ExampleEffect>): Outcome {
  const { contract, effect, relations, operation, query, request } = input
  const missing = refuseBelowMissing(input)
  if (missing) return missing
  if (isUnchanging(operation, contract)) noteUnchanged(input)
  const answer = answerFixed(input, effect)
  const { page, starts } = effect
  if (starts && relations && !(answer instanceof Refusal)) return relations.start(input, effect, starts, answer)
  const isAsking = query !== '' || request.body.codec !== undefined
  if (!page || !isAsking || !relations || answer instanceof Refusal) return answer
  const cut = relations.pageExample(input, page, answer.content?.value?.() ?? null)
  return cut ? { ...answer, headers: { ...answer.headers, ...cut.headers }, content: textContent(cut.text) } : answer
}

/** Refuses a request below a record that does not exist. */
export function refuseBelowMissing(input: EffectInput): Refusal | undefined {
  const { effect, relations } = input
  if (effect.kind !== 'example' || !effect.place) return undefined
  const { collection = '' } = effect.place.owners.at(-1) ?? {}
  const opened = relations?.open(input, effect.place, collection)
  return opened instanceof Refusal ? opened : undefined
}

/** Answers with a body that does not depend on the state. */
export function answerFixed(input: EffectInput<Success & Effect>, { body, base64, ensure }: FixedBody): Outcome {
  const { contract, context, effect, operation, sampler, lists } = input
  const { status, mediaType, headers } = effect
  const isReading = operation.method === 'GET' || operation.method === 'HEAD'
  if (base64 !== undefined) return { status, mediaType, headers, content: { bytes: decodeBytes(base64) } }
  if (body === undefined) return { status, mediaType, headers }
  const toBody = (text: string) => (isReading ? text : writeTimes(text, context.now))
  if (!ensure || !sampler) return { status, mediaType, headers, content: textContent(toBody(body)) }
  const id = `example ${operation.id}`
  let written = lists.get(id)
  if (!written) {
    const text = sampler.ensureText(contract, ensure, body, operation.id)
    if (text === undefined) return refuseNotMade(input)
    written = lists.set(id, { text, bytes: new TextEncoder().encode(text) })
  }
  const text = toBody(written.text)
  const bytes = text === written.text ? written.bytes : undefined
  return { status, mediaType, headers, content: textContent(text, bytes) }
}

/** Replaces the times of samples by the time of the clock: an event happens now. */
function writeTimes(text: string, now: number): string {
  // biome-ignore lint/plugin: a time of an example in the document
  return text.replace(sampledTimes, (sampled) => JSON.stringify(writeTime(now, 'sample', JSON.parse(sampled))))
}

// unmeasured: fixed times without a repeat
const sampledTimes = new RegExp(
  [new Date(sampleTime).toISOString(), sampleTime, sampleTime / 1000, writeTime(sampleTime, 'date')]
    .map((time) => `(?<=[:[,])${JSON.stringify(time).replaceAll('.', '\\.')}(?=[,}\\]])`)
    .join('|'),
  'g',
)
