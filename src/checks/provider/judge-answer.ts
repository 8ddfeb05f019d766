/** Judges one answer, whatever was asked: is it as documented, and what was to be expected of it? */
import type { DocumentedResponse, ErrorField, Operation, RequestContract } from '../../contract/contract.js'
import { documentedResponse } from '../../contract/documented-status.js'
import { type ExactJson, parseExactJson } from '../../json/exact-json.js'
import type { Rule } from '../rule.js'
import type { Answer } from './client.js'
import type { Complaint } from './complaint.js'
import type { IntegerJudge } from './integer-judge.js'
import { judgeLifecycle } from './judge-lifecycle.js'
import type { PrismJudge } from './prism-judge.js'
import { rules } from './provider-rules.js'

/**
 * What a request deserves. `found`: success, as the record is there; `invalid`: a refusal, for its parameters or body;
 * `absent`: a refusal, as there is no such record.
 */
export type Expected = 'success' | 'found' | 'invalid' | 'unauthorized' | 'absent'

/** What a request asks about. */
export interface Asked {
  /** Part of the request, e.g. `query limit maximum`; empty for the whole. */
  at?: string
  /** What is special about the request, in words: `limit=0: query parameter limit must be at least 1`. */
  words?: string
  /** The record is known to be there. */
  isThere?: boolean
}

/** An answer whose body was read. */
export interface ReadAnswer extends Answer {
  /** Absent where the body is not JSON. */
  json?: ExactJson
}

export interface AnswerJudges {
  contract: RequestContract
  prism: PrismJudge
  integers: IntegerJudge
}

export function readAnswer(answer: Answer): ReadAnswer {
  try {
    return { ...answer, json: parseExactJson(answer.text) }
  } catch {
    return answer
  }
}

export function judgeAnswer(
  judges: AnswerJudges,
  operation: Operation,
  { expected, at = '', words, isThere = false }: Asked & { expected: Expected },
  answer: ReadAnswer,
): Complaint[] {
  const { status } = answer
  const request = words === undefined ? wordsFor[expected] : `${wordsFor[expected]} (${words})`
  if (status >= 500) return [{ rule: rules.serverError, at: expected, message: `answered ${status} to ${request}` }]
  const expectation = judgeExpectation(operation, expected, status, isThere).map(({ rule, message }) => ({
    rule,
    at,
    message: `answered ${status} to ${request}${message}`,
  }))
  const documented = documentedResponse(operation, status)
  const lifecycle = judgeLifecycle(operation, answer)
  if (!documented) {
    // A refusal for which nothing fitting is documented can have any status.
    const isOpen = status >= 400 && !documentsReason(operation, expected)
    const undocumented = {
      rule: rules.undocumentedStatus,
      at: String(status),
      message: sayUndocumented(operation, answer),
    }
    return [...(isOpen || expectation.length > 0 ? expectation : [undocumented]), ...lifecycle]
  }
  return [...expectation, ...judgeDocumented(judges, operation, documented, answer), ...lifecycle]
}

const wordsFor: Record<Expected, string> = {
  success: 'a request that keeps the contract',
  found: 'a request for a record that is there',
  invalid: 'a request that breaks the contract',
  unauthorized: 'a request without a valid key',
  absent: 'a request for a record that is not there',
}

/** Statuses that say the reason; where none of them is documented, any 4xx is taken. */
const reasons: Record<Expected, readonly number[]> = {
  success: [],
  found: [],
  invalid: [400, 422, 415, 413],
  unauthorized: [401, 403],
  absent: [404, 410],
}

function documentsReason(operation: Operation, expected: Expected): boolean {
  return reasons[expected].some((status) => documentedResponse(operation, status))
}

/** The rule that a status breaks, with what else is to be said of it. */
function judgeExpectation(
  operation: Operation,
  expected: Expected,
  status: number,
  isThere: boolean,
): { rule: Rule; message: string }[] {
  const { effect } = operation
  const isSuccess = status >= 200 && status < 300
  const isRefusal = status >= 400
  if (expected === 'success') {
    return isRefusal && !isOfState(operation, status, isThere) ? [{ rule: rules.validRefused, message: '' }] : []
  }
  if (expected === 'found') return isRefusal ? [{ rule: rules.recordLost, message: '' }] : []
  if (isSuccess) {
    // Who removes what is not there has what was wanted.
    if (expected === 'absent' && effect.kind === 'remove') return []
    const broken = {
      invalid: rules.invalidAccepted,
      unauthorized: rules.credentialsNotChecked,
      absent: rules.unknownFound,
    }
    return [{ rule: broken[expected], message: '' }]
  }
  if (!isRefusal) return []
  const isAboutKeys = reasons.unauthorized.includes(status)
  if (expected === 'unauthorized') return isAboutKeys ? [] : [{ rule: rules.credentialsNotChecked, message: '' }]
  if (status === 403 && operation.responses.some((response) => response.status === '403')) return []
  return isAboutKeys ? [{ rule: rules.wrongRefusal, message: ', with a valid key' }] : []
}

/** A documented refusal for what the service holds or allows, which a request cannot know that keeps the contract. */
function isOfState(operation: Operation, status: number, isThere: boolean): boolean {
  const { security, parameters, responses } = operation
  if (!documentedResponse(operation, status)) return false
  const isNamed = (name: number) => responses.some((response) => response.status === String(name))
  if ([402, 409, 412, 423, 428].includes(status)) return true
  if (status === 403) return isNamed(403)
  // As where somebody logs in.
  if (status === 401) return security.length === 0
  if (status === 404 || status === 410) {
    return !isThere && (isNamed(status) || parameters.some((parameter) => parameter.in === 'path'))
  }
  return status === 422 && isNamed(400) && isNamed(422)
}

function sayUndocumented({ responses, id }: Operation, { status, headers }: Answer): string {
  const documented = responses.map((response) => response.status).join(', ')
  const where = headers['location']
  const redirect = status >= 300 && status < 400 && where ? ` to ${where}; redirects are not followed` : ''
  return `answered ${status}${redirect}; ${id} documents ${documented || 'no status'}`
}

function judgeDocumented(
  { contract, prism, integers }: AnswerJudges,
  operation: Operation,
  documented: DocumentedResponse,
  answer: ReadAnswer,
): Complaint[] {
  const { status, headers, text, json } = answer
  const body = json ? shortened(json.rounded) : text === '' ? undefined : text
  const found = prism(operation, { status, headers, body })
  // What is wrong with a body follows from its being of another media type.
  const ofWhole = found.filter(({ at }) => at === '')
  const deviations = (ofWhole.length > 0 ? ofWhole : found).map(({ at, message }) => ({
    rule: rules.responseSchema,
    at: `${status} ${at}`.trim(),
    message: `answered ${status}: ${message}`,
  }))
  const outOfRange = json ? integers(operation, documented.status, shortened(json.exact)) : []
  const beyond = outOfRange.map(({ at, message }) => ({
    rule: rules.integerRange,
    at: `${status} ${at}`,
    message: `answered ${status}: ${message}`,
  }))
  const complaints: Complaint[] = [...deviations, ...beyond]
  if (status >= 400 && deviations.length === 0) {
    const { fields } = documented.error ?? contract.errorBody
    complaints.push(...judgeErrorStatus(fields, json?.exact, status))
  }
  if (status === 401 && headers['www-authenticate'] === undefined) {
    complaints.push({ rule: rules.missingChallenge, at: '', message: 'answered 401 without WWW-Authenticate' })
  }
  return complaints
}

/** Items of one list that are judged, from both ends: of a million wrong ones each would be kept in memory. */
const maxJudged = 1000
/** Lists lie no deeper in what is documented; what is sent may be deeper than the stack. */
const maxDepth = 4

function shortened(value: unknown, depth = 0): unknown {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const half = maxJudged / 2
    const judged = value.length > maxJudged ? [...value.slice(0, half), ...value.slice(-half)] : value
    return judged.map((item) => shortened(item, depth + 1))
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner, depth + 1)]))
}

/** The property that is documented to hold the status. */
function judgeErrorStatus(fields: readonly ErrorField[], body: unknown, status: number): Complaint[] {
  const field = fields.find(({ from }) => from === 'status')
  const value = field && (body as Record<string, unknown> | undefined)?.[field.name]
  if (!field || value === undefined || Number(value) === status) return []
  const message = `answered ${status}, and ${field.name} in the body is ${JSON.stringify(value)}`
  return [{ rule: rules.errorStatus, at: `body ${field.name}`, message }]
}
