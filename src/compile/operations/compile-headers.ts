/** Makes values of the headers that a response requires. */

import { isJson } from '../../contract/http/media-types.js'
import { separators } from '../../contract/item-types.js'
import {
  type Located,
  type OpenApiDocument,
  type ParameterObject,
  type ResponseObject,
  schemaOf,
} from '../../document/document.js'
import { resolve } from '../../document/references.js'
import { toJson } from '../../json/exact-json.js'
import { isObject } from '../../json/own-value.js'
import { exampleValue, flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { sample } from '../samples/sample.js'

/** Headers that every response sets, or that are described elsewhere (OpenAPI 3.1, section 4.8.17). */
const own = /^(content-type|www-authenticate|allow|date)$/i

/** Headers of the connection (RFC 9110, section 7.6.1) or of body framing (RFC 9112, section 6): bodies are never compressed. */
export const ofTransport: RegExp =
  /^(connection|content-encoding|content-length|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/** Seconds or a date (RFC 9110, section 10.2.3). Clients need it even if the document does not require it. */
function toWait(sampled: unknown): string {
  const text = String(sampled)
  return /^[1-9]\d*$/.test(text) || !Number.isNaN(Date.parse(text)) ? text : '1'
}

/** Headers that pages may always read, or that the sandbox exposes itself (Fetch standard, section 3.3.3). */
const known =
  /^(cache-control|content-.*|expires|last-modified|pragma|deprecation|sunset|link|www-authenticate|allow|retry-after|preference-applied|set-cookie2?|access-control-.*|vary)$/i

/** The documented headers that pages may read, each after `, `. */
export function findExposed(described: readonly DescribedOperation[]): string {
  const names = described.flatMap(({ responses }) =>
    [...responses.values()].flatMap(({ value }) => Object.keys(value.headers ?? {})),
  )
  const others = names.filter((name) => /^[\w-]+$/.test(name) && !known.test(name))
  return [...new Map(others.map((name) => [name.toLowerCase(), `, ${name}`])).values()].join('')
}

/** A sample for a header whose syntax HTTP defines (RFC 9110, sections 8.8.2 and 8.8.3), if the schema gives none. */
function toField(name: string, sampled: string): string {
  if (sampled !== 'string') return sampled
  if (/^etag$/i.test(name)) return '"0123456789abcdef"'
  return /^(last-modified|expires)$/i.test(name) ? 'Sat, 01 Jan 2000 00:00:00 GMT' : sampled
}

/** @returns undefined if no header is required */
export function compileHeaders(
  document: OpenApiDocument,
  response: Located<ResponseObject>,
): Record<string, string> | undefined {
  const headers = headersOf(document, response).flatMap(([name, header]) => {
    if (name.toLowerCase() === 'retry-after') return [[name, toWait(sampleHeader(document, header))] as const]
    if (header.value.required !== true || own.test(name) || ofTransport.test(name)) return []
    const text = headerText(sampleHeader(document, header), header.value)
    // Both are dates, which only the document can know (RFC 9745, section 2.1; RFC 8594, section 3).
    if (text === 'string' && /^(deprecation|sunset)$/i.test(name)) return []
    return [[name, toField(name, text)] as const]
  })
  return headers.length === 0 ? undefined : Object.fromEntries(headers)
}

/** The same for a redirect, which also gets a `Location` if the document does not require it (RFC 9110, section 15.4). */
export function compileRedirect(document: OpenApiDocument, response: Located<ResponseObject>): Record<string, string> {
  const found = headersOf(document, response).find(([each]) => each.toLowerCase() === 'location')
  const given = found && giveHeader(document, found[1])
  return {
    ...compileHeaders(document, response),
    [found?.[0] ?? 'Location']: typeof given === 'string' ? given : 'https://service.example/',
  }
}

/** The headers of a response. */
export function headersOf(
  document: OpenApiDocument,
  { value, path }: Located<ResponseObject>,
): [name: string, header: Located<ParameterObject>][] {
  return Object.entries(value.headers ?? {}).map(([name, written]) => [
    name,
    resolve<ParameterObject>(document, written, [...path, 'headers', name]),
  ])
}

/** The value of a header in the document, or undefined. */
function giveHeader(document: OpenApiDocument, header: Located<ParameterObject>): unknown {
  return header.value.example ?? exampleValue(flattenSchema(document, schemaOf(header)).keywords)
}

function sampleHeader(document: OpenApiDocument, { value, path }: Located<ParameterObject>): unknown {
  const { example = firstExample(value), schema, content } = value
  if (example !== undefined) return example
  if (schema !== undefined) return sample(document, schemaOf({ value, path }))
  const [media] = Object.entries(content ?? {})
  const { schema: inner, example: given = firstExample(media?.[1] ?? {}) } = media?.[1] ?? {}
  const sampled = given ?? (inner === undefined ? '' : sample(document, { value: inner, path: [...path, 'content'] }))
  return isJson(media?.[0] ?? '') ? toJson(sampled) : sampled
}

function firstExample(value: object): unknown {
  const examples = (value as { examples?: unknown }).examples
  const [first] = isObject(examples) ? Object.values(examples) : []
  return isObject(first) ? first['value'] : undefined
}

/** The style `simple` (OpenAPI 3.1, section 4.8.12.3; RFC 6570, section 3.2.2). Values in values are JSON. */
function headerText(value: unknown, { explode, style }: Pick<ParameterObject, 'explode' | 'style'>): string {
  const write = (each: unknown) => (typeof each === 'object' ? JSON.stringify(each) : String(each))
  const separator = separators[style ?? ''] ?? ','
  if (Array.isArray(value)) return value.map(write).join(separator)
  if (!isObject(value)) return String(value)
  return Object.entries(value)
    .map(([name, each]) => `${name}${explode ? '=' : ','}${write(each)}`)
    .join()
}
