/** Judges whether the status of a response is one that its request should get. */
import type { Operation } from '../../../contract/contract.js'
import { documentedResponse } from '../../../contract/documented-status.js'
import type { Rule } from '../../rule.js'
import { providerRuleSet } from '../provider-rules.js'

/**
 * The expected result of a request. `found`: success, because the record exists; `invalid`: a refusal because of its
 * parameters or body; `absent`: a refusal, because the record does not exist; `any`: success or a refusal.
 */
export type Expected = 'success' | 'found' | 'invalid' | 'unauthorized' | 'absent' | 'any'

export const requestKinds: Record<Expected, string> = {
  success: 'a valid request',
  found: 'a request for an existing record',
  invalid: 'an invalid request',
  unauthorized: 'a request without a valid key',
  absent: 'a request for a missing record',
  any: 'a request',
}

/** Statuses for each reason of a refusal. If none of them is documented, any 4xx is accepted. */
const reasons: Record<Expected, readonly number[]> = {
  success: [],
  found: [],
  invalid: [400, 422, 415, 413],
  unauthorized: [401, 403],
  absent: [404, 410],
  any: [],
}

/** Whether the operation documents a status for the reason of a refusal. */
export function documentsReason(operation: Operation, expected: Expected): boolean {
  // 415 and 413 are for some bodies only.
  return reasons[expected].some((status) => status !== 415 && status !== 413 && documentedResponse(operation, status))
}

/** The rule that a status breaks; undefined if the status is expected. */
export function judgeExpectation(
  operation: Operation,
  expected: Expected,
  status: number,
  isKnownToExist: boolean,
): Rule | undefined {
  const isSuccess = status >= 200 && status < 300
  const isRefusal = status >= 400
  const isAboutKeys = reasons.unauthorized.includes(status)
  switch (expected) {
    case 'any':
      return undefined
    case 'success':
      return isRefusal && !dependsOnState(operation, status, isKnownToExist) ? providerRuleSet.validRefused : undefined
    case 'found':
      return isRefusal ? providerRuleSet.recordLost : undefined
    case 'unauthorized':
      return isSuccess || (isRefusal && !isAboutKeys) ? providerRuleSet.credentialsNotChecked : undefined
    case 'absent':
      // Removing a record that does not exist may succeed: the result is the same.
      if (isSuccess) return operation.effect.kind === 'remove' ? undefined : providerRuleSet.unknownFound
      break
    case 'invalid':
      if (isSuccess) return providerRuleSet.invalidAccepted
  }
  const isDocumented = status === 403 && operation.responses.some((response) => response.status === '403')
  return isAboutKeys && !isDocumented ? providerRuleSet.wrongRefusal : undefined
}

/** Whether a refusal is documented and depends on data or rights that a valid request cannot know. */
function dependsOnState(operation: Operation, status: number, isKnownToExist: boolean): boolean {
  const { method, security, parameters, responses, effect } = operation
  const isMissing = (status === 404 || status === 410) && !isKnownToExist
  // Few documents say that a record in the path may be missing. If the effect is known, the key exists.
  const isUnknown = effect.kind === 'example' && parameters.some((parameter) => parameter.in === 'path')
  if (isUnknown && isMissing) return true
  // The key of a new record is in its path, and was sent before.
  if (isUnknown && status === 409 && (method === 'POST' || method === 'PUT')) return true
  if (!documentedResponse(operation, status)) return false
  const isNamed = (name: number) => responses.some((response) => response.status === String(name))
  if ([402, 409, 412, 423, 428].includes(status)) return true
  if (status === 403) return isNamed(403)
  // Such as a login with a wrong password.
  if (status === 401) return security.length === 0
  if (isMissing) return isNamed(status) || parameters.some((parameter) => parameter.in === 'path')
  return status === 422 && isNamed(400) && isNamed(422)
}
