/** The rules of `check`, about a provider's responses. */
import type { Rule } from '../finding.js'
import { expectationRules } from './rules/expectation-rules.js'
import { responseRules } from './rules/response-rules.js'

const probeRules = {
  noAnswer: {
    id: 'no-answer',
    severity: 'error',
    restsOn: 'the document: responses',
    looksAt:
      'a request without a readable response: timed out, cut off, not HTTP, too large, or 429 after several retries',
    help: 'Check the log of the provider at that time; --timeout waits longer, --rate sends fewer requests per second',
  },
  probesLost: {
    id: 'probes-lost',
    severity: 'error',
    restsOn: 'the document: requestBody',
    looksAt:
      'an operation that refuses all valid or all invalid requests for values that a record has, so that none was compared',
    help: 'Remove the records of earlier checks, or give the values room: --seed sends other ones',
  },
  partialKeyAccepted: {
    id: 'partial-key-accepted',
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.30',
    looksAt: 'success with the valid key and further characters, or with the valid key without its last character',
    help: 'Compare the whole key, in constant time',
  },
  recordChanged: {
    id: 'record-changed',
    severity: 'error',
    restsOn: 'the document: requestBody and responses',
    looksAt: 'a value that comes back changed: other digits or letters, or a missing property',
    help: 'Store and return what was sent; integers beyond 2^53 do not fit a double',
  },
  recordLeft: {
    id: 'refused-but-stored',
    severity: 'error',
    restsOn: 'RFC 9110, section 15.5',
    looksAt: 'a creation that was refused but stored a record',
    help: 'Validate before storing anything, or roll back',
  },
  keyReused: {
    id: 'key-reused',
    severity: 'error',
    restsOn: 'the document: paths',
    looksAt: 'a key that is used for two records',
    help: 'Generate keys in a way that is safe for concurrent requests',
  },
  keyTaken: {
    id: 'key-taken-from-body',
    severity: 'error',
    restsOn: 'the document: requestBody',
    looksAt: 'a record whose key comes from a request body without a documented key',
    help: 'Generate the key in the service, and ignore or refuse one in the body',
  },
  limitNotKept: {
    id: 'limit-not-kept',
    severity: 'error',
    restsOn: 'the document: parameters',
    looksAt: 'a list with more records than its limit, or with fewer although more exist',
    help: 'Return as many records as the limit allows, if there are so many',
  },
  pageNotKept: {
    id: 'page-not-kept',
    severity: 'error',
    restsOn: 'the document: parameters',
    looksAt:
      'pages by offset, number or cursor that repeat or leave out records, a link to the next page without what the request has, or a wrong total',
    help: 'Begin the page where the request says, and count all records that match the filters',
  },
  defaultNotKept: {
    id: 'default-not-kept',
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 9.2)',
    looksAt: 'an omitted parameter or property that does not act like its documented default',
    help: 'Use the documented default if the parameter or property is absent',
  },
  filterNotKept: {
    id: 'filter-not-kept',
    severity: 'error',
    restsOn: 'the document: parameters',
    looksAt:
      'a filtered list with records that do not match, or without some that do; a list below a record with those of another',
    help: 'Apply the filter to every record, before the limit',
  },
  orderNotKept: {
    id: 'order-not-kept',
    severity: 'error',
    restsOn: 'the document: parameters',
    looksAt: 'a list that is not in the order that its request asks for; numbers and times in their own order',
    help: 'Order by the documented property, and by its value, not by its text',
  },
  omittedKept: {
    id: 'omitted-kept',
    severity: 'warning',
    restsOn: 'RFC 9110, section 9.3.4',
    looksAt: 'a PUT after which a property that it left out has its old value (RFC 9110, section 9.3.4)',
    help: 'Replace the whole record, or document that PUT changes only what is sent',
  },
  writeOnlyShown: {
    id: 'write-only-shown',
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 9.4)',
    looksAt:
      'an answer with a property that is writeOnly (OpenAPI 3.0, section 4.7.24.2; JSON Schema 2020-12, section 9.4)',
    help: 'Leave it out of answers, or remove writeOnly',
  },
  refusedButChanged: {
    id: 'refused-but-changed',
    severity: 'error',
    restsOn: 'RFC 9110, section 15.5',
    looksAt: 'a request that was refused but changed the record',
    help: 'Check everything before changing anything, or roll back',
  },
  locationWrong: {
    id: 'location-wrong',
    severity: 'error',
    restsOn: 'RFC 9110, section 15.3.2',
    looksAt: 'a Location of a 201 that does not lead to the new record (RFC 9110, section 15.3.2)',
    help: 'Send the address of the new record',
  },
  conditionNotKept: {
    id: 'condition-not-kept',
    severity: 'error',
    restsOn: 'RFC 9110, section 13.1',
    looksAt:
      'a documented If-Match or If-None-Match without effect, or an ETag that stays the same after a change (RFC 9110, sections 8.8.3 and 13.1)',
    help: 'Compare the condition with the current ETag before doing anything',
  },
  headDiffers: {
    id: 'head-differs',
    severity: 'warning',
    restsOn: 'RFC 9110, section 9.3.2',
    looksAt: 'a HEAD whose status is not that of the same GET; an error where HEAD is documented',
    help: 'Answer HEAD as GET, without the body',
  },
  workflowFailed: {
    id: 'workflow-failed',
    severity: 'error',
    restsOn: 'Arazzo 1.0.1, section 4.6.5',
    looksAt: 'a step of an Arazzo workflow whose success criteria are not met (Arazzo 1.0.1, section 4.6.5)',
    help: 'Answer as the workflow says, or correct the workflow',
  },
  linkBroken: {
    id: 'link-broken',
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.20',
    looksAt: 'a documented link of an answer that leads to a refusal (OpenAPI 3.1, section 4.8.20)',
    help: 'Answer with values that the linked operation accepts, or correct the link',
  },
  duplicateAccepted: {
    id: 'duplicate-accepted',
    severity: 'error',
    restsOn: 'the document: the description of the property, and 409',
    looksAt: 'a value of another record where the document says that it is unique',
    help: 'Refuse it with 409, also in changes',
  },
  heldRemoved: {
    id: 'held-record-removed',
    severity: 'error',
    restsOn: 'the document: the description of the operation',
    looksAt: 'the removal of a record that has others, where the document says that it is refused',
    help: 'Refuse it with the documented status, and change nothing',
  },
  allowMissing: {
    id: 'allow-missing',
    severity: 'warning',
    restsOn: 'RFC 9110, section 15.5.6',
    looksAt: 'a 405 without an Allow header (RFC 9110, section 15.5.6)',
    help: 'Send Allow with the methods of the path',
  },
  unknownReference: {
    id: 'unknown-reference-accepted',
    severity: 'warning',
    restsOn: 'the document: responses',
    looksAt: 'a record with the key of a record that does not exist, where the document describes the refusal',
    help: 'Refuse keys that no record has, with the documented status',
  },
} as const

type RuleName = keyof typeof responseRules | keyof typeof expectationRules | keyof typeof probeRules

const { noAnswer, probesLost, partialKeyAccepted, recordChanged, recordLeft, keyReused, keyTaken, ...ofLists } =
  probeRules
const { recordLost, unknownFound, ...ofStatuses } = expectationRules

/** All rules by name, in the order in which they are listed. */
export const providerRuleSet: Readonly<Record<RuleName, Rule>> = {
  noAnswer,
  ...responseRules,
  probesLost,
  ...ofStatuses,
  partialKeyAccepted,
  recordLost,
  recordChanged,
  recordLeft,
  keyReused,
  keyTaken,
  unknownFound,
  ...ofLists,
}

export const providerRules: readonly Rule[] = Object.values(providerRuleSet)
