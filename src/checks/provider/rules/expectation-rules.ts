/** Rules about the status of a response: whether it is one that its request should get. */
import type { Operation } from '../../../contract/contract.js'
import { documentedResponse } from '../../../contract/documented-status.js'
import type { Rule, RuleFamily, Severity } from '../../finding.js'
import type { Answer, Expected } from './answer.js'

type ExpectationRule =
  | 'validRefused'
  | 'invalidAccepted'
  | 'formatAccepted'
  | 'wrongRefusal'
  | 'credentialsNotChecked'
  | 'recordLost'
  | 'unknownFound'

export const expectationRules: Record<ExpectationRule, Rule> = {
  validRefused: {
    id: 'valid-request-refused',
    severity: 'error',
    restsOn: 'the document: parameters and requestBody',
    looksAt: 'a valid request that is refused',
    help: 'Accept what the document allows, or document the restriction',
  },
  invalidAccepted: {
    id: 'invalid-request-accepted',
    severity: 'error',
    restsOn: 'the document: parameters and requestBody',
    looksAt: 'an invalid request that succeeds',
    help: 'Refuse it with the documented status, or remove the restriction from the document',
  },
  formatAccepted: {
    id: 'format-accepted',
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 7.2.1)',
    looksAt: 'a value that breaks its format and is accepted; an error where 400 or 422 itself is documented',
    help: 'Refuse it, or remove the format from the document',
  },
  wrongRefusal: {
    id: 'wrong-refusal',
    severity: 'error',
    restsOn: 'RFC 9110, section 15.5',
    looksAt:
      'a refusal whose status names another reason, such as a 401 with a valid key, or 422 for a syntax error where 400 is documented (RFC 9110, section 15.5.21)',
    help: 'Return the status for what is wrong with the request',
  },
  credentialsNotChecked: {
    id: 'credentials-not-checked',
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.30',
    looksAt: 'a request without a valid key that is not refused with 401 or 403',
    help: 'Check the key before anything else, in every operation that requires one',
  },
  recordLost: {
    id: 'record-lost',
    severity: 'error',
    restsOn: 'the document: responses',
    looksAt: 'a created record that is not found by its key or in a list',
    help: 'Respond to a creation only after the record is stored, and find the record by the key in the response',
  },
  unknownFound: {
    id: 'unknown-record-found',
    severity: 'error',
    restsOn: 'the document: responses',
    looksAt:
      'success for a key of a missing or removed record, or of another account, or below an owner that is missing or another one; a warning for removals, and where neither 404 nor 410 itself is documented',
    help: 'Return 404 if no record has the key',
  },
}

export const expectationFamily: RuleFamily<Answer> = {
  rules: Object.values(expectationRules),
  *find(answer) {
    const rule = brokenExpectation(answer)
    const isAboutKey = reasons.unauthorized.includes(answer.response.status)
    const reason = rule === expectationRules.wrongRefusal && isAboutKey ? ', with a valid key' : ''
    const { at, operation, request, response } = answer
    if (!rule) return
    const isHarmless = rule === expectationRules.unknownFound && operation.effect.kind === 'remove'
    const message = `answered ${response.status} to ${request}${reason}`
    yield { rule, at, message, severity: isHarmless ? 'warning' : severityOf(rule, operation) }
  },
}

/** What breaks a format or names no record has to be refused only where the document has the refusal. */
export function severityOf(rule: Rule, operation: Operation): Severity {
  const reason = {
    [expectationRules.formatAccepted.id]: 'invalid',
    [expectationRules.unknownFound.id]: 'absent',
  } as const
  const expected = reason[rule.id]
  return expected === undefined ? rule.severity : documentsReason(operation, expected) ? 'error' : 'warning'
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

/**
 * Whether the operation documents a status for the reason of a refusal.
 * @param isNamed whether the status itself has to be there, as a range or `default` does not say for which reason it is. @default true
 */
export function documentsReason(operation: Operation, expected: Expected, isNamed = true): boolean {
  // 415 and 413 are for some bodies only.
  const own = reasons[expected].filter((status) => status !== 415 && status !== 413)
  const has = (name: string) => operation.responses.some(({ status }) => status === name)
  return own.some((status) => (isNamed ? has(String(status)) : documentedResponse(operation, status)))
}

/** The rule that a status breaks; undefined if the status is expected. */
export function brokenExpectation({ operation, expected, at, response, isKnownToExist }: Answer): Rule | undefined {
  const { status } = response
  const isSuccess = status >= 200 && status < 300
  const isRefusal = status >= 400
  const isAboutKeys = reasons.unauthorized.includes(status)
  switch (expected) {
    case 'any':
      return undefined
    case 'success':
      return isRefusal && !dependsOnState(operation, status, isKnownToExist) ? expectationRules.validRefused : undefined
    case 'found':
      return isRefusal ? expectationRules.recordLost : undefined
    case 'unauthorized':
      return isSuccess || (isRefusal && !isAboutKeys) ? expectationRules.credentialsNotChecked : undefined
    case 'absent':
      // Removing a record that does not exist may succeed where nothing else is documented: the result is the same.
      if (isSuccess && (operation.effect.kind !== 'remove' || documentsReason(operation, 'absent')))
        return expectationRules.unknownFound
      break
    case 'invalid':
      // Validators need not check formats (JSON Schema Validation 2020-12, section 7.2.1).
      if (isSuccess) return at.endsWith(' format') ? expectationRules.formatAccepted : expectationRules.invalidAccepted
  }
  // A syntax error is no 422 (RFC 9110, section 15.5.21).
  const isSyntax = at === 'body not JSON' && status === 422 && operation.responses.some((each) => each.status === '400')
  if (isSyntax) return expectationRules.wrongRefusal
  const isDocumented = status === 403 && operation.responses.some((response) => response.status === '403')
  return isAboutKeys && !isDocumented ? expectationRules.wrongRefusal : undefined
}

/** Whether a refusal is documented and depends on data or rights that a valid request cannot know. */
function dependsOnState(operation: Operation, status: number, isKnownToExist: boolean): boolean {
  const { method, security, parameters, responses, effect, body } = operation
  const isMissing = (status === 404 || status === 410) && !isKnownToExist
  // Few documents say that a record in the path or in the body may be missing. If the effect is known, the key exists.
  const isUnknown = effect.kind === 'example' && parameters.some((parameter) => parameter.in === 'path')
  if ((isUnknown || (effect.kind === 'example' && body)) && isMissing) return true
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
