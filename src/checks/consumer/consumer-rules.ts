/** All rules about a consumer's requests. */
import type { ConsumerRule } from './consumer-rule.js'
import { deprecatedOperation } from './rules/deprecated-operation.js'
import { invalidBody } from './rules/invalid-body.js'
import { invalidCredentials } from './rules/invalid-credentials.js'
import { invalidParameter } from './rules/invalid-parameter.js'
import { lostInt64Precision } from './rules/lost-int64-precision.js'
import { missingCredentials } from './rules/missing-credentials.js'
import { removedOperation } from './rules/removed-operation.js'
import { undocumentedMethod } from './rules/undocumented-method.js'
import { undocumentedPath } from './rules/undocumented-path.js'
import { unknownField } from './rules/unknown-field.js'
import { unknownParameter } from './rules/unknown-parameter.js'
import { unmetExpectation } from './rules/unmet-expectation.js'
import { unstableOperation } from './rules/unstable-operation.js'
import { wrongContentType } from './rules/wrong-content-type.js'

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
  deprecatedOperation,
  removedOperation,
  unstableOperation,
  lostInt64Precision,
  unmetExpectation,
]
