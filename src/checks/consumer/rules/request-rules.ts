/** Rules about what a request sends: credentials, parameters, body and expectation. */
import { bodyContentFor } from '../../../contract/body-content.js'
import type { SecurityScheme } from '../../../contract/contract.js'
import { findSecretNames } from '../../../contract/hiding/find-credentials.js'
import { quote } from '../../../contract/violations.js'
import { NestingError, parseExactJson } from '../../../json/exact-json.js'
import { pruneByShape } from '../../../json/prune-by-shape.js'
import type { Exchange } from '../../../state/journal.js'
import type { Call, ConsumerRule } from '../consumer-rule.js'
import { expectationHeader, readExpectation, readJson, requestHeader, sentBy } from '../exchange-values.js'
import { generalizePlace, violatedPlaces } from '../places.js'
import { sentIntegers, structuredValues } from '../sent-values.js'

const missingCredentials: ConsumerRule = {
  id: 'missing-credentials',
  severity: 'error',
  restsOn: 'OpenAPI 3.1, section 4.8.30',
  looksAt: 'a call without the credentials that the operation requires',
  help: 'Send the key as documented; mark a test of a missing key with "Sandbox-Expect: 401"',
  isExpectable: true,
  *find(call) {
    const problem = credentialProblem(call)
    if (problem?.kind === 'missing') yield { at: problem.at, message: call.message ?? 'An API key is required' }
  },
}

export const invalidCredentials: ConsumerRule = {
  id: 'invalid-credentials',
  severity: 'error',
  restsOn: 'OpenAPI 3.1, section 4.8.30',
  looksAt: 'a call with credentials that are not valid',
  help: 'Read the key from the environment variable that the run sets; mark a test of an invalid key with "Sandbox-Expect: 401"',
  isExpectable: true,
  *find(call) {
    const problem = credentialProblem(call)
    if (problem?.kind === 'invalid') yield { at: problem.at, message: call.message ?? 'This API key is not valid' }
  },
}

/** Why credentials were refused, and where they belong; undefined if the request was not refused for them. */
function credentialProblem(call: Call): { kind: 'missing' | 'invalid'; at: string } | undefined {
  const { exchange, operation, contract, isForced } = call
  if (isForced || !operation || exchange.refused !== 'unauthorized') return undefined
  const alternatives = operation.security.map((names) => names.flatMap((name) => contract.schemes[name] ?? []))
  const isMissing = (scheme: SecurityScheme) => sentBy(exchange, scheme) === undefined
  const tried = alternatives.find((schemes) => !schemes.every(isMissing)) ?? alternatives[0] ?? []
  const missing = tried.find(isMissing)
  const scheme = missing ?? tried[0]
  return { kind: missing ? 'missing' : 'invalid', at: placeOfScheme(scheme) }
}

function placeOfScheme(scheme: SecurityScheme | undefined): string {
  return scheme?.kind === 'apiKey' ? `${scheme.in} ${scheme.name}` : 'header Authorization'
}

/** One problem for each scheme, because many clients send one header to all operations. */
const unneededCredentials: ConsumerRule = {
  id: 'unneeded-credentials',
  severity: 'info',
  restsOn: 'OpenAPI 3.1, section 4.8.30',
  looksAt: 'a call with credentials of the document that the operation does not need',
  help: 'Nothing needs to be done; leave them out if another service must not get them',
  isExpectable: false,
  *find({ exchange, operation, contract: { schemes } }) {
    if (!operation || operation.security.length > 0 || operation.hasOptionalKey) return
    const sent = Object.values(schemes).filter((scheme) => sentBy(exchange, scheme) !== undefined)
    for (const at of new Set(sent.map(placeOfScheme)))
      yield { at, message: `${operation.id} needs no credentials, and got some`, isGeneral: true }
  },
}

const invalidParameter: ConsumerRule = {
  id: 'invalid-parameter',
  severity: 'error',
  restsOn: 'OpenAPI 3.1, section 4.8.12',
  looksAt: 'a path, query, header or cookie parameter that is missing or violates its schema',
  help: 'Send a value that the document allows; mark a test of an invalid one with "Sandbox-Expect: 4XX"',
  isExpectable: true,
  find: (call) => violatedPlaces(call, (violation) => violation.in !== 'body'),
}

const invalidBody: ConsumerRule = {
  id: 'invalid-body',
  severity: 'error',
  restsOn: 'OpenAPI 3.1, section 4.8.13',
  looksAt: 'a body that is missing, too large, not JSON or violates its schema',
  help: 'Send a body that the document allows; mark a test of an invalid one with "Sandbox-Expect: 4XX"',
  isExpectable: true,
  *find(call) {
    const { exchange, isForced, message } = call
    yield* violatedPlaces(call, (violation) => violation.in === 'body')
    const isUnreadable = exchange.refused === 'invalid_request' && !exchange.violations && !exchange.unknownReferences
    if (isForced || !(isUnreadable || exchange.refused === 'payload_too_large')) return
    yield { at: 'body', kind: kindOf(exchange), message: message ?? 'The body cannot be read' }
  },
}

function kindOf(exchange: Exchange): string {
  const { body } = exchange.request
  if (exchange.refused === 'payload_too_large') return 'too-large'
  if (body === undefined) {
    const isSent = requestHeader(exchange, 'transfer-encoding') ?? Number(requestHeader(exchange, 'content-length'))
    return isSent ? 'not-text' : 'missing'
  }
  if (!/json/i.test(requestHeader(exchange, 'content-type') ?? 'json')) return 'unreadable'
  try {
    parseExactJson(body)
    return 'unreadable'
  } catch (error) {
    return error instanceof NestingError ? 'too-deep' : 'not-json'
  }
}

const wrongContentType: ConsumerRule = {
  id: 'wrong-content-type',
  severity: 'error',
  restsOn: 'OpenAPI 3.1, section 4.8.14',
  looksAt: 'a body whose content type or encoding the operation does not accept',
  help: 'Send the documented Content-Type, and no Content-Encoding; mark a test of another one with "Sandbox-Expect: 4XX"',
  isExpectable: true,
  *find({ exchange, operation, isForced, message }) {
    if (isForced || exchange.refused !== 'unsupported_media_type') return
    const type = requestHeader(exchange, 'content-type')
    const isAccepted = operation && bodyContentFor(operation, type) !== undefined
    yield {
      at:
        isAccepted && !requestHeader(exchange, 'content-encoding')
          ? 'body'
          : `header ${isAccepted ? 'Content-Encoding' : 'Content-Type'}`,
      kind: type === undefined ? 'missing' : 'not-accepted',
      message: message ?? 'The operation does not accept this content type',
    }
  },
}

const unknownParameter: ConsumerRule = {
  id: 'unknown-parameter',
  severity: 'warning',
  restsOn: 'the document: parameters',
  looksAt: 'an undocumented query parameter',
  help: 'Remove it, or use a documented one: the service may ignore it now and refuse it later',
  isExpectable: false,
  *find(call) {
    const { exchange, operation, contract } = call
    if (!operation || exchange.request.query === '') return
    const structured = new Set([...structuredValues(call, operation)].flatMap(([, { names }]) => names))
    const documented = operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
    // Keys are known parameters even of operations that require none.
    const keys = Object.values(contract.schemes).flatMap((scheme) =>
      scheme.kind === 'apiKey' && scheme.in === 'query' ? scheme.name : [],
    )
    for (const name of new Set(new URLSearchParams(exchange.request.query).keys())) {
      if (documented.includes(name) || structured.has(name) || keys.includes(name)) continue
      const known = documented.length === 0 ? 'it has none' : `it has ${documented.join(', ')}`
      const message = `${operation.id} has no query parameter ${quote(name)}; ${known}`
      const isUnneededKey = operation.security.length === 0 && findSecretNames(contract).isSecret(name, 'query')
      yield { at: generalizePlace('query', name), message, ...(isUnneededKey && { severity: 'info' }) }
    }
  },
}

const unknownField: ConsumerRule = {
  id: 'unknown-field',
  severity: 'warning',
  restsOn: 'the document: requestBody',
  looksAt: 'an undocumented property in the body',
  help: 'Remove it: the service may drop it now and refuse it later',
  isExpectable: false,
  *find({ exchange, operation, contract }) {
    const { body } = exchange.request
    const content = operation && bodyContentFor(operation, requestHeader(exchange, 'content-type'))
    if (!content || body === undefined) return
    const dropped: string[] = []
    // `invalid-body` reports a body that is not JSON.
    pruneByShape(readJson(body), contract.shapes, content.shape, (path) => dropped.push(path))
    for (const path of dropped) {
      if (exchange.violations?.some(({ message }) => message === `${path} is not allowed`)) continue
      const message = `${operation.id} documents no property ${quote(path)}; it was dropped`
      yield { at: generalizePlace('body', path), message }
    }
  },
}

export const unknownReference: ConsumerRule = {
  id: 'unknown-reference',
  severity: 'warning',
  restsOn: 'the document: requestBody',
  looksAt: 'a key in a body that refers to a record which does not exist',
  help: 'Create the record first, or send the key of one that exists: the service may refuse the request',
  isExpectable: true,
  *find({ exchange, isForced }) {
    if (isForced) return
    for (const { at, collection } of exchange.unknownReferences ?? [])
      yield { at: generalizePlace('body', at), message: `${at} has a key of no record in ${collection}` }
  },
}

export const lostInt64Precision: ConsumerRule = {
  id: 'lost-int64-precision',
  severity: 'error',
  restsOn: 'RFC 8259, section 6',
  looksAt: 'an integer beyond 2^53 that was rounded to a double before it was sent back',
  help: 'Read and write such integers as BigInt or text: JSON.parse and other parsers round them',
  isExpectable: false,
  *find(call) {
    for (const { at, value } of sentIntegers(call)) {
      const meant = isPrintedDouble(value) ? nearestWithSameDouble(call, value) : undefined
      if (meant !== undefined) yield { at, message: `${value} was sent, which is ${meant} rounded to a double` }
    }
  },
}

/** Whether a value may have been printed from a double: exactly, or shortened as in JavaScript. */
function isPrintedDouble(value: bigint): boolean {
  const double = Number(value)
  if (!Number.isFinite(double)) return false
  return BigInt(double) === value || String(double) === value.toString()
}

/** The nearest existing integer with the same double; undefined if the value itself exists. */
function nearestWithSameDouble({ received, existingKeys }: Call, value: bigint): bigint | undefined {
  const double = Number(value)
  const same = new Set<bigint>()
  for (const integer of received) if (Number(integer) === double) same.add(integer)
  // Only integers beyond 2^53 share a double.
  for (const key of existingKeys()) if (typeof key === 'bigint' && Number(key) === double) same.add(key)
  if (same.has(value)) return undefined
  return [...same].reduce<bigint | undefined>(
    (best, each) => (best === undefined || distance(each, value) < distance(best, value) ? each : best),
    undefined,
  )
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}

export const unmetExpectation: ConsumerRule = {
  id: 'unmet-expectation',
  severity: 'error',
  restsOn: 'the document: responses',
  looksAt: 'a request marked with "Sandbox-Expect" that was answered with another status',
  help: 'Send a request that gets the expected status, or mark it with the status that it gets',
  isExpectable: false,
  *find({ exchange }) {
    const expectation = readExpectation(exchange)
    if (!expectation || expectation.isMet) return
    const at = `header ${expectationHeader}`
    const { status } = exchange.response
    const { text, statuses, isReadable } = expectation
    if (isReadable) {
      const kind = `${[...statuses].sort().join('-or-')}-got-${status}`
      yield { at, kind, message: `expected ${text}, got ${status}` }
    } else {
      const help = `Write e.g. "${expectationHeader}: 400", "400, 422" or "4XX"`
      yield { at, kind: 'unreadable', message: `${quote(text)} is not a status, a range or a list of them`, help }
    }
  },
}

/** In the order in which a request is processed. */
export const requestRules: readonly ConsumerRule[] = [
  missingCredentials,
  invalidCredentials,
  unneededCredentials,
  invalidParameter,
  invalidBody,
  wrongContentType,
  unknownParameter,
  unknownField,
  unknownReference,
]
