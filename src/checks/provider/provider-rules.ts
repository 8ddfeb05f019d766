/** The rules of `check`, about a provider's responses. */
import type { Rule } from '../rule.js'

/** The rules by name. */
export const providerRuleSet = {
  noAnswer: {
    id: 'no-answer',
    severity: 'error',
    looksAt:
      'a request that gets no readable answer: too late, cut off, not HTTP, without an end, or 429 again and again',
    help: 'Look into the log of the provider at that time; --timeout gives it longer, --rate asks less often',
  },
  serverError: {
    id: 'server-error',
    severity: 'error',
    looksAt: 'an answer with a 5xx status, whatever the request was',
    help: 'Look for the exception in the log of the provider; a bad request deserves a 4xx with the documented body',
  },
  undocumentedStatus: {
    id: 'undocumented-status',
    severity: 'error',
    looksAt: 'a status that the operation does not document',
    help: 'Answer with a documented status, or add this one to the document',
  },
  responseSchema: {
    id: 'response-schema',
    severity: 'error',
    looksAt: 'an answer whose media type, headers or body are not as documented',
    help: 'Make the answer as the document has it, or mend the document',
  },
  integerRange: {
    id: 'integer-range',
    severity: 'error',
    looksAt: 'an integer in an answer beyond its format, int32 or int64',
    help: 'Keep the integer within its format, or document it as another type',
  },
  errorStatus: {
    id: 'error-status',
    severity: 'error',
    looksAt: 'an error body whose status is not that of the answer',
    help: 'Fill the status in the body with the HTTP status',
  },
  missingChallenge: {
    id: 'missing-challenge',
    severity: 'warning',
    looksAt: 'a 401 without a WWW-Authenticate header (RFC 9110, section 15.5.2)',
    help: 'Send WWW-Authenticate with the scheme, e.g. "Bearer", so that clients know what is asked for',
  },
  lifecycleHeaders: {
    id: 'lifecycle-headers',
    severity: 'warning',
    looksAt: 'an answer of a deprecated operation without Deprecation, Sunset or Link, or with others than documented',
    help: 'Send Deprecation (RFC 9745), Sunset (RFC 8594) and Link; rel="successor-version" on every answer',
  },
  validRefused: {
    id: 'valid-request-refused',
    severity: 'error',
    looksAt: 'a request that keeps the contract and is refused all the same',
    help: 'Take what the document allows, or state the bound in the document',
  },
  invalidAccepted: {
    id: 'invalid-request-accepted',
    severity: 'error',
    looksAt: 'a request that breaks the contract and is answered with success',
    help: 'Refuse it with the documented status, or lift the bound in the document',
  },
  wrongRefusal: {
    id: 'wrong-refusal',
    severity: 'error',
    looksAt: 'a refusal for another reason than the one that is there, such as a 401 with a valid key',
    help: 'Answer with the status that says what is wrong with the request',
  },
  credentialsNotChecked: {
    id: 'credentials-not-checked',
    severity: 'error',
    looksAt: 'a request without a valid key that is not refused for that',
    help: 'Check the key before anything else, on every operation that documents it',
  },
  recordLost: {
    id: 'record-lost',
    severity: 'error',
    looksAt: 'a record that was created, and is not found again by its key or in a list',
    help: 'Answer a creation only when the record is stored, and find it by the key that was answered',
  },
  recordChanged: {
    id: 'record-changed',
    severity: 'error',
    looksAt: 'a value that comes back other than it was sent: digits, letters, a property that is gone',
    help: 'Store and answer what was sent; integers beyond 2^53 need more than a double',
  },
  recordLeft: {
    id: 'refused-but-stored',
    severity: 'error',
    looksAt: 'a creation that was refused, and left a record all the same',
    help: 'Validate before anything is stored, or roll back',
  },
  keyReused: {
    id: 'key-reused',
    severity: 'error',
    looksAt: 'a key that is given to two records',
    help: 'Take keys from a sequence that two requests cannot read at once',
  },
  unknownFound: {
    id: 'unknown-record-found',
    severity: 'error',
    looksAt: 'success for a key that no record has, or has no more',
    help: 'Answer 404 where there is no such record',
  },
  limitNotKept: {
    id: 'limit-not-kept',
    severity: 'error',
    looksAt: 'a list with more records than its limit, or with fewer while there are more',
    help: 'Cut the list at the limit, not before and not after',
  },
  defaultNotKept: {
    id: 'default-not-kept',
    severity: 'error',
    looksAt: 'a parameter left out that does not act as its documented default',
    help: 'Fill in the documented default where the parameter is absent',
  },
  filterNotKept: {
    id: 'filter-not-kept',
    severity: 'error',
    looksAt: 'a filtered list with records that do not match, or without some that do',
    help: 'Apply the filter before the limit, to every record',
  },
} as const

/** All rules, in the order in which they are listed. */
export const providerRules: readonly Rule[] = Object.values(providerRuleSet)
