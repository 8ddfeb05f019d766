/** The effect `example`: answers from the document's examples and schemas, independent of the state. */
import type { ExampleEffect } from '../../contract/contract.js'
import type { Answer } from '../outcome.js'
import type { EffectInput } from './effect.js'

export function example({ effect: { status, mediaType, body } }: EffectInput<ExampleEffect>): Answer {
  return { status, mediaType, body }
}
