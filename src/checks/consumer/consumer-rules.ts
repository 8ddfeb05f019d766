/** All rules about a consumer's requests. */
import type { ConsumerRule } from './consumer-rule.js'
import { endStateRules } from './end-state.js'
import { lifecycleRules, newFailure, newUsage, overrideResponse, pathRules } from './rules/operation-rules.js'
import { lostInt64Precision, requestRules, unmetExpectation } from './rules/request-rules.js'

/** In the order in which a request is processed. */
export const consumerRules: readonly ConsumerRule[] = [
  ...pathRules,
  ...requestRules,
  ...lifecycleRules,
  lostInt64Precision,
  unmetExpectation,
  newUsage,
  newFailure,
  overrideResponse,
  ...Object.values(endStateRules),
]
