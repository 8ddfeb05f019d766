/** All rules about changes between two versions, in the order in which they are listed and applied. */
import type { Rule } from '../finding.js'
import type { ChangeFamily } from './change.js'
import { answerFamily, answerValueFamily } from './rules/answer-rules.js'
import { notComparedFamily } from './rules/not-compared.js'
import { operationFamily } from './rules/operation-rules.js'
import { parameterFamily } from './rules/parameter-rules.js'
import { sentValueFamily } from './rules/sent-value-rules.js'

export const changeFamilies: readonly ChangeFamily[] = [
  operationFamily,
  parameterFamily,
  sentValueFamily,
  answerFamily,
  answerValueFamily,
  notComparedFamily,
]

/** An `error` breaks consumers, a `warning` needs attention, an `info` is harmless. */
export const changeRules: readonly Rule[] = changeFamilies.flatMap(({ rules }) => rules)
