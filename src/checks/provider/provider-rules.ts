/** The rules of `check`, about a provider's responses. */
import type { Rule } from '../rule.js'

/** The rules by name. */
export const providerRuleSet = {
  noAnswer: {
    id: 'no-answer',
    severity: 'error',
    looksAt:
      'a request without a readable response: timed out, cut off, not HTTP, too large, or 429 after several retries',
    help: 'Check the log of the provider at that time; --timeout waits longer, --rate sends fewer requests per second',
  },
  serverError: {
    id: 'server-error',
    severity: 'error',
    looksAt: 'a response with a 5xx status, whatever the request was',
    help: 'Find the exception in the log of the provider; answer an invalid request with a 4xx and the documented body',
  },
  undocumentedStatus: {
    id: 'undocumented-status',
    severity: 'error',
    looksAt: 'a status that the operation does not document',
    help: 'Return a documented status, or add this one to the document',
  },
  responseSchema: {
    id: 'response-schema',
    severity: 'error',
    looksAt: 'a response whose media type, headers or body differ from the document; one JSON type counts as another',
    help: 'Return what the document describes, or fix the document',
  },
  integerRange: {
    id: 'integer-range',
    severity: 'error',
    looksAt: 'an integer in a response that does not fit its format, int32 or int64',
    help: 'Keep the integer within its format, or document it as another type',
  },
  errorStatus: {
    id: 'error-status',
    severity: 'error',
    looksAt: 'an error body whose status differs from the HTTP status',
    help: 'Set the status in the body to the HTTP status',
  },
  missingChallenge: {
    id: 'missing-challenge',
    severity: 'warning',
    looksAt: 'a 401 without a WWW-Authenticate header (RFC 9110, section 15.5.2)',
    help: 'Send WWW-Authenticate with the scheme, e.g. "Bearer", so that clients know how to authenticate',
  },
  lifecycleHeaders: {
    id: 'lifecycle-headers',
    severity: 'warning',
    looksAt:
      'a response of a deprecated operation whose Deprecation, Sunset or Link is missing or differs from the document',
    help: 'Send those of Deprecation (RFC 9745), Sunset (RFC 8594) and Link with rel="successor-version" that the document has values for, in every response',
  },
  probesLost: {
    id: 'probes-lost',
    severity: 'error',
    looksAt:
      'an operation that refuses all valid or all invalid requests for values that a record has, so that none was compared',
    help: 'Remove the records of earlier checks, or give the values room: --seed sends other ones',
  },
  validRefused: {
    id: 'valid-request-refused',
    severity: 'error',
    looksAt: 'a valid request that is refused',
    help: 'Accept what the document allows, or document the restriction',
  },
  invalidAccepted: {
    id: 'invalid-request-accepted',
    severity: 'error',
    looksAt: 'an invalid request that succeeds',
    help: 'Refuse it with the documented status, or remove the restriction from the document',
  },
  wrongRefusal: {
    id: 'wrong-refusal',
    severity: 'error',
    looksAt: 'a refusal whose status names another reason, such as a 401 with a valid key',
    help: 'Return the status for what is wrong with the request',
  },
  credentialsNotChecked: {
    id: 'credentials-not-checked',
    severity: 'error',
    looksAt: 'a request without a valid key that is not refused with 401 or 403',
    help: 'Check the key before anything else, in every operation that requires one',
  },
  partialKeyAccepted: {
    id: 'partial-key-accepted',
    severity: 'error',
    looksAt: 'success with the valid key and further characters, or with the valid key without its last character',
    help: 'Compare the whole key, in constant time',
  },
  recordLost: {
    id: 'record-lost',
    severity: 'error',
    looksAt: 'a created record that is not found by its key or in a list',
    help: 'Respond to a creation only after the record is stored, and find the record by the key in the response',
  },
  recordChanged: {
    id: 'record-changed',
    severity: 'error',
    looksAt: 'a value that comes back changed: other digits or letters, or a missing property',
    help: 'Store and return what was sent; integers beyond 2^53 do not fit a double',
  },
  recordLeft: {
    id: 'refused-but-stored',
    severity: 'error',
    looksAt: 'a creation that was refused but stored a record',
    help: 'Validate before storing anything, or roll back',
  },
  keyReused: {
    id: 'key-reused',
    severity: 'error',
    looksAt: 'a key that is used for two records',
    help: 'Generate keys in a way that is safe for concurrent requests',
  },
  keyTaken: {
    id: 'key-taken-from-body',
    severity: 'error',
    looksAt: 'a record whose key comes from a request body without a documented key',
    help: 'Generate the key in the service, and ignore or refuse one in the body',
  },
  unknownFound: {
    id: 'unknown-record-found',
    severity: 'error',
    looksAt: 'success for a key of a missing or removed record',
    help: 'Return 404 if no record has the key',
  },
  limitNotKept: {
    id: 'limit-not-kept',
    severity: 'error',
    looksAt: 'a list with more records than its limit, or with fewer although more exist',
    help: 'Return as many records as the limit allows, if there are so many',
  },
  pageNotKept: {
    id: 'page-not-kept',
    severity: 'error',
    looksAt: 'a page that repeats the first one although its offset, number or cursor differs, or a wrong total',
    help: 'Begin the page where the request says, and count all records that match the filters',
  },
  defaultNotKept: {
    id: 'default-not-kept',
    severity: 'error',
    looksAt: 'an omitted parameter that does not act like its documented default',
    help: 'Use the documented default if the parameter is absent',
  },
  filterNotKept: {
    id: 'filter-not-kept',
    severity: 'error',
    looksAt:
      'a filtered list with records that do not match, or without some that do; a list below a record with those of another',
    help: 'Apply the filter to every record, before the limit',
  },
} as const

/** All rules, in the order in which they are listed. */
export const providerRules: readonly Rule[] = Object.values(providerRuleSet)
