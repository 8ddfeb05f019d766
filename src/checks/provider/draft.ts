/** A request to be sent, as values: what can be varied and made smaller, before it becomes text. */
import type { Operation, Parameter, ParameterPlace, RequestContract } from '../../contract/contract.js'
import { type PlacedCredentials, writeCredentials } from '../../contract/credentials.js'
import { writeByShape } from '../../json/write-by-shape.js'

export interface Draft {
  operation: Operation
  /** Values of parameters by place and name; lists as arrays, integers beyond 2^53 as bigints. */
  parameters: Record<ParameterPlace, Record<string, unknown>>
  /** A JSON value, or text as it is. */
  body?: { value: unknown } | { text: string }
  contentType?: string
  credentials: Credentials
}

/** The key that is valid, none, one that nobody has, an empty one, or the valid one by another scheme. */
export type Credentials = 'valid' | 'none' | 'unknown' | 'empty' | 'other-scheme'

/** A request as HTTP has it. */
export interface HttpRequest {
  method: string
  url: string
  headers: [name: string, value: string][]
  body?: string
}

export interface Caller {
  /** Without a trailing slash. */
  baseUrl: string
  contract: RequestContract
  key: string
}

/** A key that nobody has. */
const unknownKey = 'no-such-key-7f3a9c'

export function createDraft(operation: Operation): Draft {
  return { operation, parameters: { path: {}, query: {}, header: {}, cookie: {} }, credentials: 'valid' }
}

/** With one parameter set, or left out where the value is undefined. */
export function withParameter(draft: Draft, place: ParameterPlace, name: string, value: unknown): Draft {
  const { [name]: _, ...others } = draft.parameters[place]
  const values = value === undefined ? others : { ...others, [name]: value }
  return { ...draft, parameters: { ...draft.parameters, [place]: values } }
}

/** With a JSON body of the first documented media type. */
export function withBody(draft: Draft, value: unknown): Draft {
  return { ...draft, body: { value }, contentType: draft.operation.body?.mediaTypes[0] ?? 'application/json' }
}

function bodyText({ body }: Draft): string | undefined {
  if (!body) return undefined
  return 'text' in body ? body.text : writeByShape(body.value, [], 0)
}

export function toHttp(draft: Draft, caller: Caller): HttpRequest {
  const { operation, parameters, contentType } = draft
  const headers: HttpRequest['headers'] = []
  const query: string[] = []
  const cookies: string[] = []
  const put = (place: 'query' | 'header' | 'cookie', name: string, text: string) => {
    if (place === 'query') query.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    else if (place === 'header') headers.push([name, text])
    else cookies.push(`${name}=${text}`)
  }
  for (const { in: place, name, value } of credentialsOf(draft, caller)) put(place, name, value)
  for (const parameter of operation.parameters) {
    const { in: place, name } = parameter
    const value = parameters[place][name]
    if (value === undefined || place === 'path') continue
    if (place === 'query' && parameter.list?.separator === ',' && Array.isArray(value)) {
      // The comma between items is no part of a value (RFC 6570, section 3.2.8).
      query.push(`${encodeURIComponent(name)}=${value.map((item) => encodeURIComponent(String(item))).join(',')}`)
      continue
    }
    for (const text of toTexts(parameter, value)) put(place, name, text)
  }
  if (contentType !== undefined) headers.push(['Content-Type', contentType])
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')])
  const path = operation.path.replace(/\{([^{}]+)\}/g, (_, name) => encodeURIComponent(String(parameters.path[name])))
  const search = query.join('&')
  const url = `${caller.baseUrl}${path}${search === '' ? '' : `?${search}`}`
  const body = bodyText(draft)
  return { method: operation.method, url, headers, ...(body === undefined ? {} : { body }) }
}

function toTexts({ list }: Parameter, value: unknown): string[] {
  if (!list || !Array.isArray(value)) return [String(value)]
  const texts = value.map(String)
  return list.separator === 'repeat' ? texts : [texts.join(list.separator)]
}

/** What the first alternative of the operation asks for (OpenAPI 3.1, section 4.8.30). */
function credentialsOf({ operation, credentials }: Draft, { contract, key }: Caller): PlacedCredentials[] {
  if (credentials === 'none') return []
  const [names = []] = operation.security
  const schemes = names.flatMap((name) => contract.schemes[name] ?? [])
  const sent = { valid: key, 'other-scheme': key, unknown: unknownKey, empty: '' }[credentials]
  if (credentials === 'other-scheme') {
    // Basic takes any key, as Base64; a header takes only ASCII.
    const token = /^[\x20-\x7e]*$/.test(key) ? key : unknownKey
    return [{ in: 'header', name: 'Authorization', value: `Token ${token}` }]
  }
  return schemes.map((scheme) => writeCredentials(scheme, sent))
}
