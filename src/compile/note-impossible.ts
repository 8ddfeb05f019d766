/** Notes operations whose answer no value satisfies. */
import type { Contract, Operation } from '../contract/contract.js'
import type { Ensure } from '../contract/ensure.js'
import type { Validate } from '../contract/validator.js'
import { ensureValid } from '../json/ensure-valid.js'
import type { DescribedOperation } from './describe-operations.js'
import type { Notes } from './notes.js'

export interface AnswersToNote {
  contract: Pick<Contract, 'operations' | 'collections' | 'plans' | 'recordSchemas'>
  described: readonly DescribedOperation[]
  notes: Notes
}

/** Makes each answer once, which takes time. */
export function noteImpossible({ contract, described, notes }: AnswersToNote, validators: readonly Validate[]): void {
  const { operations, collections, plans, recordSchemas } = contract
  const isPossible = ({ validate, plan }: Ensure, value: unknown): boolean => {
    const judge = validators[validate]
    return !judge || ensureValid({ value, judge, plans, plan, seed: 1 }) !== undefined
  }
  for (const [index, { effect, method, path }] of operations.entries()) {
    if (!isMade(effect) || isPossible(effect.ensure, JSON.parse(effect.body))) continue
    const place = [...(described[index]?.at ?? []), 'responses']
    notes.add(place, `No value satisfies the schema of the response of ${method} ${path}`, 'it answers 501')
  }
  for (const { name, ensure, record } of collections) {
    if (!ensure || isPossible(ensure, undefined)) continue
    notes.add(
      recordSchemas[record] ?? [],
      `No record of "${name}" satisfies its schema`,
      'what returns one answers 501',
    )
  }
}

type MadeEffect = Extract<Operation['effect'], { kind: 'example' }> & { body: string; ensure: Ensure }

function isMade(effect: Operation['effect']): effect is MadeEffect {
  return effect.kind === 'example' && effect.ensure !== undefined && effect.body !== undefined
}
