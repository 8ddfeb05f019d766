/** The effect `example`: answers from the document's examples and schemas, independent of the state. */
import type { ExampleEffect } from '../../contract/contract.js'
import { decodeBytes } from '../../json/base64.js'
import type { Answer } from '../outcome.js'
import type { EffectInput } from './effect.js'

export function example({ effect: { status, mediaType, body, base64 } }: EffectInput<ExampleEffect>): Answer {
  return { status, mediaType, body: base64 === undefined ? body : decodeBytes(base64) }
}
