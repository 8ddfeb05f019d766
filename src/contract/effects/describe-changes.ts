/** Says in words what an operation needs and changes, besides what is sent as the record. */
import type { ChosenValue, Effect, KeyedEffect } from './effect.js'

/** @example describeChanges(effect) // ['only if status is "draft"', 'status becomes "paid"', 'paid_at becomes the time'] */
export function describeChanges(effect: Effect): string[] {
  const { needs = [], changes = [], blockedBy = [] } = effect as Partial<KeyedEffect>
  const { sets = [], takes = [] } = effect.kind === 'action' ? effect : {}
  const values = sets.map(({ property, with: kind, value }) => [property, kind === 'now' ? now : write(value)])
  return [
    ...needs.map((each) => `only if ${each.property} is ${each.values.map((value) => write(value)).join(' or ')}`),
    ...blockedBy.map(({ collection, property }) => `only if no ${property} in ${collection} names it`),
    ...[...values, ...takes.map(([, own]) => [own, sent])].map(([name, value]) => `${name} becomes ${value}`),
    ...changes.map(({ pointer, value }) => `${pointer.join('.')} becomes ${describeValue(value)}`),
  ]
}

const now = 'the time'
const sent = 'what is sent'

function describeValue(value: ChosenValue): string {
  if (value.from === 'constant') return write(value.value)
  return value.from === 'now' ? now : value.from === 'request' ? sent : 'another value'
}

/** A value of the document as JSON; an integer beyond 2^53 in it as a text. */
function write(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
}
