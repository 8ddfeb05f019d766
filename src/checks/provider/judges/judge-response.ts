/** Judges one response: whether it is documented, and whether it is the expected one. */

import type { Operation, RequestContract } from '../../../contract/contract.js'
import type { DocumentedResponse, ErrorBody } from '../../../contract/documented-response.js'
import { documentedResponse } from '../../../contract/documented-status.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { type ExactJson, NestingError, parseExactJson } from '../../../json/exact-json.js'
import { ownValue } from '../../../json/own-value.js'
import type { Rule } from '../../rule.js'
import type { ProviderResponse } from '../client.js'
import { providerRuleSet } from '../provider-rules.js'
import { schemesOf } from '../requests/request-draft.js'
import { type BodyJudge, createBodyJudge } from './body-judge.js'
import { type Complaint, createToPlace, type Deviation } from './deviation.js'
import {
  contentFor,
  createDocumentedResponses,
  type DocumentedContent,
  type DocumentedResponses,
  isJsonText,
} from './documented-content.js'
import { createHeaderJudge, type HeaderJudge } from './header-judge.js'
import { createIntegerJudge, type IntegerJudge } from './integer-judge.js'
import { documentsReason, type Expected, judgeExpectation, requestKinds } from './judge-expectation.js'
import { judgeLifecycle } from './judge-lifecycle.js'
import { createPrismJudge, type PrismJudge } from './prism-judge.js'

/** The purpose of a request. */
export interface RequestDetails {
  /** Part of the request, e.g. `query limit maximum`. @default '' for the whole request */
  at?: string
  /** The special property of the request, e.g. `limit=0: query parameter limit must be at least 1`. */
  description?: string | undefined
  /** The record is known to exist. @default false */
  isKnownToExist?: boolean
}

/** A response with its parsed body. */
export interface ParsedResponse extends ProviderResponse {
  /** Absent if the body is not JSON. */
  json?: ExactJson
  /** Why it is not. */
  unreadable?: string
}

/** What responses are compared with. */
export interface ResponseJudges {
  contract: RequestContract
  responses: DocumentedResponses
  prism: PrismJudge
  headers: HeaderJudge
  bodies: BodyJudge
  integers: IntegerJudge
}

/** Prepares everything that judges responses from the document, once per check. */
export function createResponseJudges(contract: RequestContract, document: OpenApiDocument): ResponseJudges {
  const toPlace = createToPlace(document)
  return {
    contract,
    responses: createDocumentedResponses(document),
    prism: createPrismJudge(document, toPlace),
    headers: createHeaderJudge(document, toPlace),
    bodies: createBodyJudge(document, toPlace),
    integers: createIntegerJudge(document),
  }
}

/** Parses the body as JSON, with every digit of its integers. */
export function parseResponse(response: ProviderResponse): ParsedResponse {
  try {
    return { ...response, json: parseExactJson(response.text) }
  } catch (error) {
    // Messages of other errors quote a part of the body, which could contain an unrecognized part of the key.
    const why = error instanceof NestingError ? error.message : 'it is not JSON'
    return { ...response, unreadable: response.text === '' ? 'it is empty' : why }
  }
}

/** Returns all problems of a response by itself, without comparing it with others. */
export function judgeResponse(
  judges: ResponseJudges,
  operation: Operation,
  { expected, at = '', description, isKnownToExist = false }: RequestDetails & { expected: Expected },
  response: ParsedResponse,
): Complaint[] {
  const { status } = response
  const kind = requestKinds[expected]
  const request = description === undefined ? kind : `${kind} (${description})`
  if (status >= 500)
    return [{ rule: providerRuleSet.serverError, at: expected, message: `answered ${status} to ${request}` }]
  const rule = judgeExpectation(operation, expected, status, isKnownToExist)
  const reason = rule === providerRuleSet.wrongRefusal ? ', with a valid key' : ''
  const expectation = rule ? [{ rule, at, message: `answered ${status} to ${request}${reason}` }] : []
  const documented = documentedResponse(operation, status)
  const lifecycle = judgeLifecycle(operation, response)
  if (!documented) {
    // If no status is documented for the reason of a refusal, any 4xx is accepted.
    const isAnyAccepted = status >= 400 && !documentsReason(operation, expected)
    if (isAnyAccepted || rule) return [...expectation, ...lifecycle]
    const message = describeUndocumented(operation, response)
    return [{ rule: providerRuleSet.undocumentedStatus, at: String(status), message }, ...lifecycle]
  }
  return [...expectation, ...judgeDocumented(judges, operation, documented, response), ...lifecycle]
}

function describeUndocumented({ responses, id }: Operation, { status, headers }: ProviderResponse): string {
  const documented = responses.map((response) => response.status).join(', ')
  const target = headers['location']
  const redirect = status >= 300 && status < 400 && target ? ` to ${target}; redirects are not followed` : ''
  return `answered ${status}${redirect}; ${id} documents ${documented || 'no status'}`
}

function judgeDocumented(
  judges: ResponseJudges,
  operation: Operation,
  documented: DocumentedResponse,
  response: ParsedResponse,
): Complaint[] {
  const { contract, integers } = judges
  const { status, headers, json } = response
  const described = judges.responses(operation, documented.status)
  const content = described && contentFor(described, headers['content-type'])
  const found = [
    ...judges.prism(operation, { ...response, type: headers['content-type'], documentedType: content?.name }),
    ...(described ? judges.headers(described, headers) : []),
    ...(content ? judgeBody(judges, operation, content, response) : []),
  ]
  // With a wrong media type, all other deviations of the body are consequences.
  const ofWhole = found.filter(({ at }) => at === '')
  // An enum says more than the type of its values.
  const isImplied = ({ at, kind }: Deviation) =>
    kind === 'type' && found.some((other) => other.at === at && other.kind === 'enum')
  const told = ofWhole.length > 0 ? ofWhole : found.filter((each) => !isImplied(each))
  const outOfRange = json && content?.schema ? integers(content.schema, json.exact) : []
  const toComplaint = (rule: Rule, { at, message, ...kind }: Deviation): Complaint => {
    return { rule, at: `${status} ${at}`.trim(), ...kind, message: `answered ${status}: ${message}` }
  }
  const complaints = [
    ...told.map((each) => toComplaint(providerRuleSet.responseSchema, each)),
    ...outOfRange.map((each) => toComplaint(providerRuleSet.integerRange, each)),
  ]
  if (status >= 400 && told.length === 0) {
    complaints.push(...judgeErrorStatus(documented.error ?? contract.errorBody, json?.exact, status))
  }
  if (status === 401 && headers['www-authenticate'] === undefined) {
    complaints.push(missingChallenge(operation, contract))
  }
  return complaints
}

/** One complaint for each scheme, because a service usually refuses all requests in one place. */
function missingChallenge(operation: Operation, contract: RequestContract): Complaint {
  const message = 'answered 401 without WWW-Authenticate'
  const at = operation.security[0]?.join(' and ') ?? ''
  const found = { rule: providerRuleSet.missingChallenge, at, message, isGeneral: true }
  const [scheme] = schemesOf(operation, contract)[0] ?? []
  if (scheme?.kind !== 'apiKey') return found
  const where = `the key in the ${scheme.in} ${scheme.name}`
  const help = `Send WWW-Authenticate with a name for ${where}, e.g. "ApiKey", as every 401 must have a challenge`
  return { ...found, message: `${message}, for ${where}`, help }
}

/** Judges a body that is documented as JSON. Prism judges others. */
function judgeBody(
  { bodies }: ResponseJudges,
  { method }: Operation,
  { schema }: DocumentedContent,
  { status, headers, text, isUtf8 = true, json, unreadable }: ParsedResponse,
): Deviation[] {
  if (!isJsonText(headers['content-type'] ?? '') || (text === '' && isBodiless(method, status))) return []
  if (!isUtf8)
    return [{ at: 'body', kind: 'utf-8', message: 'Response body is not valid UTF-8 (RFC 8259, section 8.1)' }]
  if (!json) return [{ at: 'body', kind: 'json', message: `Response body cannot be read as JSON: ${unreadable}` }]
  return schema ? bodies.judge(schema, text, json.rounded) : []
}

/** Whether a response has no body, whatever is documented (RFC 9110, sections 9.3.2, 15.3.5, 15.3.6 and 15.4.5). */
function isBodiless(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304
}

/** Compares the property that is documented to hold the status with the HTTP status. */
function judgeErrorStatus({ fields, part }: ErrorBody, body: unknown, status: number): Complaint[] {
  const [name] = (part?.from === 'object' ? part.members : []).find(([, { from }]) => /^status/.test(from)) ?? [
    fields?.find((field) => field === 'status'),
  ]
  const value = name && typeof body === 'object' && body !== null ? ownValue({ ...body }, name) : undefined
  if (value === undefined || Number(value) === status) return []
  const message = `answered ${status}, and ${name} in the body is ${JSON.stringify(value)}`
  return [{ rule: providerRuleSet.errorStatus, at: `body ${name}`, message }]
}
