/** Shared by effects: the records of a collection that the path of an operation selects. */
import type { RecordAccess } from '../../contract/effect.js'
import type { Refusal } from '../outcome.js'
import type { Records } from '../records.js'
import type { EffectInput } from './effect.js'

/** @returns a refusal if a record that the path is below does not exist */
export function openRecords(input: EffectInput): Records | Refusal {
  const { world, server, nesting } = input
  const effect = input.effect as RecordAccess
  if (effect.place && nesting) return nesting.open(input, effect.place, effect.collection)
  return world.collection(effect.collection, server)
}

/** A record or a list with what stands around it in the body. */
export function surround(input: EffectInput, text: string): string {
  const { around } = input.effect as RecordAccess
  return around && input.nesting ? input.nesting.surround(input, around, text) : text
}
