/** A request as values, which probes can vary and simplify before it is written as HTTP. */
import { valueContentOf } from '../../../contract/body-content.js'
import type { Contract, Operation, RequestContract } from '../../../contract/contract.js'
import { type PlacedCredentials, writeCredentials } from '../../../contract/credentials.js'
import { fillPath, parsePathTemplate, type QueryPair, writeQuery } from '../../../contract/path-template.js'
import type { Parameter, ParameterPlace } from '../../../contract/request-model.js'
import { judge, type Violation } from '../../../contract/violations.js'
import { createNamed, isObject } from '../../../json/own-value.js'
import { toRounded } from '../../../json/rounding.js'
import { withValueAt } from '../values/other-values.js'
import { type CredentialsKind, keyOfKind, otherSchemeOf, schemesOf, unknownKey } from './credentials-kinds.js'
import { encodeText, joinPairs, sentTypeOf, typeParametersOf, writeBody, writeParameter } from './write-values.js'

export interface Draft {
  operation: Operation
  /** Values of parameters by place and name, in objects that inherit nothing. Lists are arrays; integers beyond 2^53 are bigints. */
  parameters: Record<ParameterPlace, Record<string, unknown>>
  /** A JSON value, or text that is sent unchanged. */
  body?: { value: unknown } | { text: string }
  contentType?: string
  credentials: CredentialsKind
}

/** A request as it is sent. */
export interface ProviderRequest {
  method: string
  url: string
  headers: [name: string, value: string][]
  body?: string
  credentials: CredentialsKind
}

/** The caller: the address of the provider, and the key. */
export interface Caller {
  /** Without a trailing slash. */
  baseUrl: string
  contract: RequestContract
  /** Empty if no key is needed. */
  key: string
  /** A valid key of another account. */
  otherKey?: string | undefined
}

/** A request of an operation with a valid key, without parameters and body. */
export function createDraft(operation: Operation): Draft {
  const parameters = { path: createNamed(), query: createNamed(), header: createNamed(), cookie: createNamed() }
  return { operation, parameters, credentials: 'valid' }
}

/** A copy with one parameter set, or removed if the value is undefined. */
export function withParameter(draft: Draft, place: ParameterPlace, name: string, value: unknown): Draft {
  const { [name]: _, ...others } = draft.parameters[place]
  const values = Object.assign(createNamed(), others, value === undefined ? {} : { [name]: value })
  return { ...draft, parameters: { ...draft.parameters, [place]: values } }
}

/** A copy with a body of JSON, or of the first documented media type if none is JSON. */
export function withBody(draft: Draft, value: unknown): Draft {
  const content = valueContentOf(draft.operation)
  return { ...draft, body: { value }, contentType: content ? sentTypeOf(content) : 'application/json' }
}

/** The value of the body; undefined without a body, and for a body given as text. */
export function bodyValue({ body }: Draft): unknown {
  return body && 'value' in body ? body.value : undefined
}

function bodyText({ body, operation }: Draft, contract: RequestContract): string | undefined {
  if (!body) return undefined
  return 'text' in body ? body.text : writeBody(body.value, valueContentOf(operation), contract)
}

function typeHeader({ body, operation, contentType = '' }: Draft): string {
  const content = body && 'value' in body ? valueContentOf(operation) : undefined
  return content && contentType.startsWith('multipart/') ? contentType + typeParametersOf(content) : contentType
}

/** Writes a request as HTTP: path, query, headers and body as text. */
export function toProviderRequest(draft: Draft, caller: Caller): ProviderRequest {
  const { operation, parameters, contentType, credentials } = draft
  const headers: ProviderRequest['headers'] = []
  const template = parsePathTemplate(operation.path)
  const query: string[] = [writeQuery(template)].filter(Boolean)
  const cookies: string[] = []
  const add = (place: 'query' | 'header' | 'cookie', name: string, text: string) => {
    if (place === 'query') query.push(`${encodeText(name)}=${encodeText(text)}`)
    else if (place === 'header') headers.push([name, text])
    else cookies.push(`${name}=${text}`)
  }
  const keys = credentialsOf(draft, caller)
  for (const { in: place, name, value } of keys) add(place, name, value)
  // Some documents also describe the key as a parameter.
  const isSent = (parameter: Parameter) =>
    keys.some(({ in: place, name }) => place === parameter.in && name === parameter.name)
  for (const parameter of operation.parameters) {
    const { in: place, name } = parameter
    const value = parameters[place][name]
    if (value === undefined || place === 'path' || isFixed(operation, parameter) || isSent(parameter)) continue
    const pairs = writeParameter(parameter, value)
    if (place === 'query') query.push(joinPairs(pairs))
    else if (place === 'header') for (const [, text] of pairs) headers.push([name, text])
    else cookies.push(...pairs.map((pair) => joinPairs([pair])))
  }
  if (contentType !== undefined) headers.push(['Content-Type', typeHeader(draft)])
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')])
  const path = fillPath(template, (name) => writePath(operation, name, parameters.path[name]))
  const search = query.join('&')
  const url = `${caller.baseUrl}${path}${search === '' ? '' : `?${search}`}`
  const body = bodyText(draft, caller.contract)
  return { method: operation.method, url, headers, credentials, ...(body === undefined ? {} : { body }) }
}

/** Whether a request changes nothing: GET and HEAD (RFC 9110, section 9.2.1). */
export function isSafe({ operation }: Draft): boolean {
  return operation.method === 'GET' || operation.method === 'HEAD'
}

/** Whether the path of an operation prescribes the value of a query parameter: `/xs?beta=true` */
export function isFixed({ path }: Operation, { in: place, name }: Parameter): boolean {
  const isPrescribed = (pair: QueryPair) => pair.name === name && pair.value !== undefined
  return place === 'query' && parsePathTemplate(path).query.some(isPrescribed)
}

function writePath({ parameters }: Operation, name: string, value: unknown): string {
  const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
  const [[, text] = ['', '']] = parameter ? writeParameter(parameter, value) : []
  return parameter ? text : encodeText(String(value))
}

/** Credentials for the first security alternative of the operation (OpenAPI 3.1, section 4.8.30). */
function credentialsOf({ operation, credentials }: Draft, { contract, key, otherKey }: Caller): PlacedCredentials[] {
  const sent = credentials === 'other-account' ? otherKey : keyOfKind(credentials, key)
  if (sent === undefined) return []
  const [schemes = []] = schemesOf(operation, contract)
  if (credentials === 'other-scheme') {
    // Basic can carry any key, as it is Base64; a plain header can carry only ASCII.
    const other = otherSchemeOf(schemesOf(operation, contract).flat()) ?? 'Token'
    const token = /^[\x20-\x7e]*$/.test(key) ? key : unknownKey
    return [{ in: 'header', name: 'Authorization', value: `${other} ${token}` }]
  }
  return schemes.map((scheme) => writeCredentials(scheme, sent))
}

/** A request that no client can send. */
export class UnsendableError extends Error {}

/** RFC 9110, section 5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/

/** RFC 9110, section 5.5. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers that a client writes itself, as they are about the connection or the length (RFC 9110, section 7.6.1). */
const ofConnection = new Set(
  'connection content-length expect host keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
)

/** Whether a parameter may have this name in a header or cookie. */
export function isSendableName(place: 'header' | 'cookie', name: string): boolean {
  return token.test(name) && !(place === 'header' && ofConnection.has(name.toLowerCase()))
}

/** @throws UnsendableError */
export function checkSendable({ headers }: ProviderRequest): void {
  for (const [name, value] of headers) {
    if (!isSendableName('header', name)) throw new UnsendableError(`a client can't choose the header "${name}"`)
    if (!fieldValue.test(value))
      throw new UnsendableError(`the value of "${name}" has characters that headers do not allow`)
  }
}

/** The properties that lead to the record in the bodies of an operation. Empty if it is the whole body. */
export function givenPath({ effect }: Operation): readonly string[] {
  return ('given' in effect && effect.given) || []
}

/** The record in a body of an operation. Undefined if there is no object where it should be. */
export function givenIn(operation: Operation, body: unknown): Record<string, unknown> | undefined {
  const found = givenPath(operation).reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body)
  return isObject(found) ? found : undefined
}

/** The record that a request sends. Empty if it sends none. */
export function sentRecord(draft: Draft): Record<string, unknown> {
  return givenIn(draft.operation, bodyValue(draft)) ?? {}
}

/** The same request with another record in its body. */
export function withRecord(draft: Draft, record: Record<string, unknown>): Draft {
  return withBody(draft, withValueAt(bodyValue(draft), givenPath(draft.operation), record))
}

/** The same request, with another value of one property of the record in its body. */
export function withProperty(draft: Draft, name: string, value: unknown): Draft {
  const { contentType } = draft
  return {
    ...withRecord(draft, { ...sentRecord(draft), [name]: value }),
    ...(contentType !== undefined && { contentType }),
  }
}

/** The number of the shape of the record in the bodies of an operation. */
export function givenShape({ shapes }: Contract, operation: Operation): number | undefined {
  return givenPath(operation).reduce<number | undefined>(
    (shape, name) => shapes[shape ?? 0]?.properties?.find(([known]) => known === name)?.[1],
    valueContentOf(operation)?.shape,
  )
}

/** All violations in the parameters and the JSON body of a request. A body given as text is not validated. */
export function violationsOf({ validators }: RequestContract, { operation, parameters, body }: Draft): Violation[] {
  const judgeBy = (number: number | undefined, value: unknown) =>
    judge(number === undefined ? undefined : validators[number], toRounded(value), value, value === parameters)
  const bodyValue = body && 'value' in body ? body.value : unsent
  return [
    ...judgeBy(operation.validatePath, parameters),
    ...judgeBy(operation.validateParameters, parameters),
    ...(bodyValue === unsent ? [] : judgeBy(valueContentOf(operation)?.validate, bodyValue)),
  ]
}

export function isValid(contract: RequestContract, draft: Draft): boolean {
  return violationsOf(contract, draft).length === 0
}

/** Whether only formats are violated, if anything is. Validators need not check them (JSON Schema 2020-12, section 7.2.1). */
export function isAcceptable(violations: readonly Violation[]): boolean {
  return violations.every(({ rule }) => rule === 'format')
}

export function describeViolations(violations: readonly Violation[]): string {
  return violations.map(({ message }) => message).join('; ')
}

/** Place and keyword of the first violation, e.g. `query limit maximum`; empty without violations. */
export function placeOf([first]: readonly Violation[]): string {
  return first ? `${first.in} ${first.at}${first.at === '' ? '' : ' '}${first.rule}`.replace('  ', ' ') : ''
}

/** Whether two requests are invalid in the same way. */
export function isSameCase(one: readonly Violation[], other: readonly Violation[]): boolean {
  return one.length === other.length && placeOf(one) === placeOf(other)
}

/** The violated rules of the JSON body and their places, for comparisons. Empty if there are none. */
export function brokenRulesOf({ validators }: RequestContract, { operation, body }: Draft): string {
  const number = valueContentOf(operation)?.validate
  const validate = number === undefined ? undefined : validators[number]
  if (!body || !('value' in body) || !validate || validate(toRounded(body.value))) return ''
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`).join('\n')
}

const unsent = Symbol('no body')
