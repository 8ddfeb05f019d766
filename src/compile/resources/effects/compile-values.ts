/** Compiles the values of an answer besides those of records: what lines say, what the request has, and new keys. */
import type { AnswerValue, Effect, ValueUse } from '../../../contract/effects/effect.js'
import type { Schema } from '../../../document/document.js'
import { isObjectSchema } from '../../../schemas/flatten-schema.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { CompiledCandidate } from '../known-operation.js'
import { chooseAnswer } from './choose-changes.js'
import type { Group } from './compile-scope.js'

/** @param group the collection of the operation. Undefined if it has none */
export function compileValues(
  { document, ensures, plans }: OperationContext,
  candidate: CompiledCandidate,
  effect: Effect | undefined,
  group: Group | undefined,
): ValueUse | undefined {
  const { success, pointer, lines } = candidate
  const { schema, flat } = success ?? {}
  if (!effect || effect.kind === 'undescribed' || !schema || !flat || !isObjectSchema(flat)) return undefined
  const toUse = (values: AnswerValue[]): ValueUse => ({
    ...{ kind: 'values', values, record: [...pointer] },
    ensure: ensures.add(schema),
  })
  const chosen = chooseAnswer(document, candidate, group?.record ?? schema, group?.model.links)
  if (chosen.length > 0) return toUse(chosen)
  const found = lines.value('values')
  return found && toUse(found.map(toValue))

  function toValue({ made, ...value }: NonNullable<typeof found>[number]): AnswerValue {
    return made === undefined ? value : { ...value, plan: plans.add(made as Schema, { isKey: true }) }
  }
}
