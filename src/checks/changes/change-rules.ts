/** All rules about changes between two versions. */
import type { ChangeRule } from './change-rule.js'
import { answerRules } from './rules/answer-rules.js'
import { answerValueRules } from './rules/answer-value-rules.js'
import { notCompared } from './rules/not-compared.js'
import { operationRules } from './rules/operation-rules.js'
import { parameterRules } from './rules/parameter-rules.js'
import { sentValueRules } from './rules/sent-value-rules.js'

export const changeRules: readonly ChangeRule[] = [
  ...operationRules,
  ...parameterRules,
  ...sentValueRules,
  ...answerRules,
  ...answerValueRules,
  notCompared,
]
