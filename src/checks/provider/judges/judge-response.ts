/** Compares a response with the document, and applies the rules about a single one. */
import type { Operation, RequestContract } from '../../../contract/contract.js'
import type { DocumentedResponse } from '../../../contract/documented-response.js'
import { documentedResponse } from '../../../contract/documented-status.js'
import { bareMediaType, isRange } from '../../../contract/http/media-types.js'
import type { OpenApiDocument } from '../../../document/document.js'
import type { FoundByRule } from '../../finding.js'
import { type Answer, type Expected, type ParsedResponse, type RequestDetails, requestKinds } from '../rules/answer.js'
import { findInAnswer } from '../rules/response-rules.js'
import { type BodyJudge, createBodyJudge, createIntegerJudge, type IntegerJudge } from './body-judge.js'
import { createToPlace, type Deviation } from './deviation.js'
import {
  contentFor,
  createDocumentedResponses,
  type DocumentedContent,
  type DocumentedResponses,
  isJsonText,
} from './documented-content.js'
import { createHeaderJudge, type HeaderJudge } from './header-judge.js'
import { createPrismJudge, type PrismJudge } from './prism-judge.js'

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

/** Returns all problems of a response by itself, without comparing it with others. */
export function judgeResponse(
  judges: ResponseJudges,
  operation: Operation,
  { expected, at = '', description, isKnownToExist = false }: RequestDetails & { expected: Expected },
  response: ParsedResponse,
): FoundByRule[] {
  const kind = requestKinds[expected]
  const request = description === undefined ? kind : `${kind} (${description})`
  const documented = response.status < 500 ? documentedResponse(operation, response.status) : undefined
  const differences = documented ? compare(judges, operation, documented, response) : { deviations: [], outOfRange: [] }
  const { contract } = judges
  const about = { contract, operation, expected, at, isKnownToExist, request, response, documented }
  return [...findInAnswer({ ...about, ...differences })]
}

function compare(
  judges: ResponseJudges,
  operation: Operation,
  documented: DocumentedResponse,
  response: ParsedResponse,
): Pick<Answer, 'deviations' | 'outOfRange'> {
  const { headers, json } = response
  const described = judges.responses(operation, documented.status)
  const content = described && contentFor(described, headers['content-type'])
  const found = [
    ...judges.prism(operation, { ...response, type: headers['content-type'], documentedType: content?.name }),
    ...(described ? judges.headers(described, headers) : []),
    ...(content ? judgeType(content, headers['content-type']) : []),
    ...(content ? judgeBody(judges, operation, content, response) : []),
  ]
  // With a wrong media type, all other deviations of the body are consequences.
  const ofWhole = found.filter(({ at }) => at === '')
  // An enum says more than the type of its values.
  const isImplied = ({ at, kind }: Deviation) =>
    kind === 'type' && found.some((other) => other.at === at && other.kind === 'enum')
  return {
    deviations: ofWhole.length > 0 ? ofWhole : found.filter((each) => !isImplied(each)),
    outOfRange: json && content?.schema ? judges.integers(content.schema, json.exact) : [],
  }
}

/** One type of JSON is not another (RFC 9110, section 8.3.1), although the validator of Prism takes it for it. */
function judgeType({ name }: DocumentedContent, answered = ''): Deviation[] {
  const [documented, type] = [bareMediaType(name), bareMediaType(answered)]
  if (isRange(documented) || documented === type || !isJsonText(type) || !isJsonText(documented)) return []
  const message = `Response has the media type ${type}, and ${documented} is documented`
  return [{ at: 'header Content-Type', kind: 'media-type', message }]
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
