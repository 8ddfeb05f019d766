/** Rules about a single response, by itself. */
import type { Operation } from '../../../contract/contract.js'
import { toJson } from '../../../json/exact-json.js'
import { ownValue } from '../../../json/own-value.js'
import type { FoundByRule, FoundProblem } from '../../finding.js'
import type { ProviderResponse } from '../client.js'
import type { Deviation } from '../judges/deviation.js'
import { schemesOf } from '../requests/credentials-kinds.js'
import type { Answer, ResponseRule } from './answer.js'
import { brokenExpectation, documentsReason, expectationFamily } from './expectation-rules.js'

/** Applies to responses with 5xx, and no other rule does. */
const serverError: ResponseRule = {
  id: 'server-error',
  severity: 'error',
  restsOn: 'RFC 9110, section 15.6',
  looksAt: 'a response with a 5xx status, whatever the request was',
  help: 'Find the exception in the log of the provider; answer an invalid request with a 4xx and the documented body',
  *find({ expected, request, response: { status } }) {
    if (status >= 500) yield { at: expected, message: `answered ${status} to ${request}` }
  },
}

const undocumentedStatus: ResponseRule = {
  id: 'undocumented-status',
  severity: 'error',
  restsOn: 'the document: responses',
  looksAt: 'a status that the operation does not document',
  help: 'Return a documented status, or add this one to the document',
  *find(answer) {
    const { operation, expected, response, documented } = answer
    const { status } = response
    // If no status is documented for the reason of a refusal, any 4xx is accepted.
    const isAnyAccepted = status >= 400 && !documentsReason(operation, expected)
    if (documented || isAnyAccepted || brokenExpectation(answer)) return
    yield { at: String(status), message: describeUndocumented(operation, response) }
  },
}

function describeUndocumented({ responses, id }: Operation, { status, headers }: ProviderResponse): string {
  const documented = responses.map((response) => response.status).join(', ')
  const target = headers['location']
  const redirect = status >= 300 && status < 400 && target ? ` to ${target}; redirects are not followed` : ''
  return `answered ${status}${redirect}; ${id} documents ${documented || 'no status'}`
}

const responseSchema: ResponseRule = {
  id: 'response-schema',
  severity: 'error',
  restsOn: 'the document: responses',
  looksAt: 'a response whose media type, headers or body differ from the document',
  help: 'Return what the document describes, or fix the document',
  find: ({ response, deviations }) => deviations.map((each) => toProblem(response, each)),
}

const integerRange: ResponseRule = {
  id: 'integer-range',
  severity: 'error',
  restsOn: 'OpenAPI 3.1, section 4.4',
  looksAt: 'an integer in a response that does not fit its format, int32 or int64',
  help: 'Keep the integer within its format, or document it as another type',
  find: ({ response, outOfRange }) => outOfRange.map((each) => toProblem(response, each)),
}

function toProblem({ status }: ProviderResponse, { at, message, ...kind }: Deviation): FoundProblem {
  return { at: `${status} ${at}`.trim(), ...kind, message: `answered ${status}: ${message}` }
}

const errorStatus: ResponseRule = {
  id: 'error-status',
  severity: 'error',
  restsOn: 'RFC 9457, section 3.1.2',
  looksAt: 'an error body whose status differs from the HTTP status',
  help: 'Set the status in the body to the HTTP status',
  *find({ contract, documented, deviations, response: { status, json } }) {
    if (!documented || status < 400 || deviations.length > 0) return
    const { fields, part } = documented.error ?? contract.errorBody
    const [name] = (part?.from === 'object' ? part.members : []).find(([, { from }]) => /^status/.test(from)) ?? [
      fields?.find((field) => field === 'status'),
    ]
    const body = json?.exact
    const value = name && typeof body === 'object' && body !== null ? ownValue({ ...body }, name) : undefined
    if (value === undefined || Number(value) === status) return
    yield { at: `body ${name}`, message: `answered ${status}, and ${name} in the body is ${toJson(value)}` }
  },
}

/** One problem for each scheme, because a service usually refuses all requests in one place. */
const missingChallenge: ResponseRule = {
  id: 'missing-challenge',
  severity: 'warning',
  restsOn: 'RFC 9110, section 15.5.2',
  looksAt: 'a 401 without a WWW-Authenticate header (RFC 9110, section 15.5.2)',
  help: 'Send WWW-Authenticate with the scheme, e.g. "Bearer", so that clients know how to authenticate',
  *find({ operation, contract, documented, response: { status, headers } }) {
    if (!documented || status !== 401 || headers['www-authenticate'] !== undefined) return
    const message = 'answered 401 without WWW-Authenticate'
    const at = operation.security[0]?.join(' and ') ?? ''
    const [scheme] = schemesOf(operation, contract)[0] ?? []
    if (scheme?.kind !== 'apiKey') return void (yield { at, message, isGeneral: true })
    const where = `the key in the ${scheme.in} ${scheme.name}`
    const help = `Send WWW-Authenticate with a name for ${where}, e.g. "ApiKey", as every 401 must have a challenge`
    yield { at, message: `${message}, for ${where}`, help, isGeneral: true }
  },
}

const lifecycleHeaders: ResponseRule = {
  id: 'lifecycle-headers',
  severity: 'warning',
  restsOn: 'RFC 9745, section 2',
  looksAt:
    'a response of a deprecated operation whose Deprecation, Sunset or Link is missing or differs from the document',
  help: 'Send those of Deprecation (RFC 9745), Sunset (RFC 8594) and Link with rel="successor-version" that the document has values for, in every response',
  find: ({ operation, response }) => judgeLifecycle(operation, response),
}

/** Compares Deprecation, Sunset and Link with the document. */
export function judgeLifecycle({ lifecycle }: Operation, { headers, status }: ProviderResponse): FoundProblem[] {
  const { deprecated, deprecatedSince, sunset, successor } = lifecycle
  const problems: FoundProblem[] = []
  const add = (at: string, kind: string, message: string) =>
    problems.push({ at, kind, message: `answered ${status} ${message}` })

  const { deprecation, sunset: written, link } = headers
  // Without a date in the document, a provider may have none to send.
  if (deprecatedSince !== undefined && deprecation === undefined) {
    const date = new Date(deprecatedSince * 1000).toISOString().slice(0, 10)
    add('Deprecation', 'missing', `without Deprecation; the document deprecates the operation since ${date}`)
  }
  // RFC 9745, section 2.1: a date as a structured field, `@` and the seconds since 1970.
  if (deprecated && deprecation !== undefined && !/^@-?\d+$/.test(deprecation)) {
    add('Deprecation', 'malformed', `with Deprecation: ${deprecation}, which is not "@" with seconds (RFC 9745)`)
  }
  if (sunset !== undefined) {
    const date = new Date(sunset).toUTCString()
    const sent = written === undefined ? Number.NaN : Date.parse(written)
    if (written === undefined) add('Sunset', 'missing', `without Sunset; the document says ${date}`)
    else if (!httpDate.test(written))
      add('Sunset', 'malformed', `with Sunset: ${written}, which is not an HTTP date (RFC 9110)`)
    else if (sent < sunset || sent > endOf(sunset)) {
      add('Sunset', 'different', `with Sunset: ${written}; the document says ${date}`)
    }
    // RFC 9745, section 4: the sunset must not be before the deprecation.
    if (deprecation !== undefined && Number(deprecation.slice(1)) * 1000 > endOf(sunset)) {
      add('Deprecation', 'after-sunset', `with Deprecation: ${deprecation}, which is after its Sunset`)
    }
  }
  if (successor?.link !== undefined) {
    const targets = [...(link ?? '').matchAll(links)].flatMap(([, target = '', parameters = '']) =>
      isSuccessor(parameters) ? [target] : [],
    )
    const path = pathOf(successor.link)
    const isNamed = targets.some((target) => pathOf(target).endsWith(path))
    if (targets.length === 0)
      add('Link', 'missing', `without a Link to the successor-version, which is ${successor.path}`)
    else if (!isNamed) add('Link', 'different', `with Link: ${link}; the successor is ${successor.path}`)
  }
  return problems
}

/** RFC 9110, section 5.6.7: the only form that senders may use. */
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const day = 24 * 60 * 60 * 1000
/** Targets with their parameters (RFC 8288, section 3). */
const links = /<([^<>]*)>((?:\s*;\s*[\w*!-]+(?:\s*=\s*(?:"[^"]*"|[^\s",;]+))?)*)/g
const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i

function isSuccessor(parameters: string): boolean {
  const [, quoted = '', token = ''] = relation.exec(parameters) ?? []
  return /(?:^|\s)successor-version(?:\s|$)/i.test(quoted || token)
}

/** A documented date without a time means the whole day. */
function endOf(sunset: number): number {
  return sunset % day === 0 ? sunset + day - 1 : sunset
}

/** Path of a link target, which may be relative. */
function pathOf(target: string): string {
  try {
    return new URL(target, 'http://service.example/').pathname
  } catch {
    return target
  }
}

type ResponseRuleName =
  | 'serverError'
  | 'undocumentedStatus'
  | 'responseSchema'
  | 'integerRange'
  | 'errorStatus'
  | 'missingChallenge'
  | 'lifecycleHeaders'

/** In the order of their problems. */
export const responseRules: Record<ResponseRuleName, ResponseRule> = {
  serverError,
  undocumentedStatus,
  responseSchema,
  integerRange,
  errorStatus,
  missingChallenge,
  lifecycleHeaders,
}

/** All problems of a response by itself, without comparing it with others. A failure of the service breaks one rule only. */
export function* findInAnswer(answer: Answer): Generator<FoundByRule> {
  const isFailure = answer.response.status >= 500
  if (!isFailure) yield* expectationFamily.find(answer)
  for (const rule of isFailure ? [serverError] : Object.values(responseRules)) {
    for (const found of rule.find(answer)) yield { rule, ...found }
  }
}
