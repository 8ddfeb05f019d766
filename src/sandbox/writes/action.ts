/** The effect `action`: makes the changes that the document describes, and may answer with the record. */
import type { CreateEffect, KeyedEffect } from '../../contract/effects/effect.js'
import { ownValue } from '../../json/own-value.js'
import type { Values } from '../../state/stored-record.js'
import { type Outcome, Refusal } from '../outcome.js'
import { changeRecord } from './change-record.js'
import { create } from './create.js'
import type { EffectInput } from './effect-input.js'
import { findRecord } from './existing-record.js'
import { givenValues } from './given-values.js'
import { fill } from './service-written.js'

export function action(input: EffectInput<KeyedEffect>): Outcome {
  const { effect, context } = input
  const taken = effect.takes ? takenValues(input, effect.takes) : {}
  if (taken instanceof Refusal) return taken
  if (effect.copies) return copy(input, taken)
  return changeRecord(input, (values) => ({ ...values, ...taken, ...fill(effect.sets ?? [], context.now, values) }))
}

/** What the record gets of the values that were sent. */
function takenValues(input: EffectInput<KeyedEffect>, takes: NonNullable<KeyedEffect['takes']>): Values | Refusal {
  const given = givenValues(input)
  if (given instanceof Refusal) return given
  const taken = takes.map(([sent, own]) => [own, ownValue(given, sent)] as const)
  return Object.fromEntries(taken.filter(([, value]) => value !== undefined))
}

/** Creates a record with the values of another one. What only the service writes is new. */
function copy(input: EffectInput<KeyedEffect>, taken: Values): Outcome {
  const found = findRecord(input)
  if (found instanceof Refusal) return found
  const { effect, model, request } = input
  const own = [...effect.serviceWritten, ...(model.ownKeys ?? []), { property: model.key, owned: true }]
  const names = own.flatMap(({ property, ...each }) => ('owned' in each && !each.owned ? [] : [property]))
  const source = Object.entries(found.record.values).filter(([name]) => !names.includes(name))
  const { parameter: _, given: __, givenAliases: ___, ...others } = effect
  const body = { codec: { name: 'json' }, value: { ...Object.fromEntries(source), ...taken } } as typeof request.body
  return create({
    ...input,
    effect: { ...others, kind: 'create' } as CreateEffect,
    request: { ...request, body },
  })
}
