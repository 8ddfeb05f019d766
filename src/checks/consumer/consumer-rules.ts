/** All rules about a consumer's requests. */
import type { ConsumerRule } from './consumer-rule.js'
import {
  deprecatedOperation,
  removedOperation,
  undocumentedMethod,
  undocumentedPath,
  unstableOperation,
} from './rules/operation-rules.js'
import {
  invalidBody,
  invalidCredentials,
  invalidParameter,
  lostInt64Precision,
  missingCredentials,
  unknownField,
  unknownParameter,
  unknownReference,
  unmetExpectation,
  wrongContentType,
} from './rules/request-rules.js'
import { newFailure, newUsage } from './rules/usage-rule.js'

/** In the order in which a request is processed. */
export const consumerRules: readonly ConsumerRule[] = [
  undocumentedPath,
  undocumentedMethod,
  missingCredentials,
  invalidCredentials,
  invalidParameter,
  invalidBody,
  wrongContentType,
  unknownParameter,
  unknownField,
  unknownReference,
  deprecatedOperation,
  removedOperation,
  unstableOperation,
  lostInt64Precision,
  unmetExpectation,
  newUsage,
  newFailure,
]
