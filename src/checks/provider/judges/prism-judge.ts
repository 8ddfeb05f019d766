/**
 * Judges the status and media type of responses, and bodies that are not JSON, by Prism's validator, an independent
 * implementation of OpenAPI.
 */
import { transformOas3Operations } from '@stoplight/http-spec/oas3/operation'
import { bundleTarget, decycle } from '@stoplight/json'
import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js'
import type { Operation } from '../../../contract/contract.js'
import { bareMediaType } from '../../../contract/http/media-types.js'
import {
  isReference,
  type Located,
  type OpenApiDocument,
  type ResponseObject,
  type Schema,
} from '../../../document/document.js'
import { resolve } from '../../../document/references.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import { type DescribedOperation, describeOperations } from '../../../schemas/operations/describe-operations.js'
import type { Deviation, ToPlace } from './deviation.js'
import { isJsonText } from './documented-content.js'

type Values = Record<string, unknown>
/** An operation as Prism reads it. */
type Resource = Parameters<typeof validateOutput>[0]['resource']

export interface JudgedResponse {
  status: number
  /** The media type of the response; undefined if it has none. */
  type: string | undefined
  /** The documented media type that it is equivalent to; undefined if there is none. */
  documentedType: string | undefined
  text: string
}

/** Returns every way in which a response differs from the document; empty if the operation is unknown to Prism. */
export type PrismJudge = (operation: Operation, response: JudgedResponse) => Deviation[]

/** Prepares the document for Prism, once per check. */
export function createPrismJudge(document: OpenApiDocument, toPlace: ToPlace): PrismJudge {
  const plain = decycle(toJudgedDocument(document)) as Values
  const resources = new Map(
    transformOas3Operations(plain).map((operation) => [
      `${operation.method.toUpperCase()} ${operation.path.replace(/^(?!\/)/, '/')}`,
      bundleTarget({ document: { ...plain, __target__: operation }, path: '#/__target__', cloneDocument: false }),
    ]),
  )
  const recent = createRecentResults<Deviation[]>()
  return ({ method, path }, response) => {
    const operation = `${method} ${path}`
    const resource = resources.get(operation)
    const { type, documentedType, status, text } = response
    if (!resource) return []
    // These responses have no body, and need no media type (RFC 9110, sections 9.3.2, 15.3.5 and 15.4.5).
    if (type === undefined && text === '' && (method === 'HEAD' || status === 204 || status === 304)) return []
    const isJson = isJsonText(documentedType ?? '')
    const key = JSON.stringify([operation, status, type, documentedType, isJson ? '' : text])
    return recent(key, () => judge(resource, response))
  }

  function judge(resource: Resource, { status, type, documentedType, text }: JudgedResponse): Deviation[] {
    // Prism throws on an invalid media type. If the document itself has it, it is not a fault of the provider.
    if (type !== undefined && !mediaType.test(type))
      return type === documentedType ? [] : [{ at: '', message: `Content-Type "${type}" is not a media type` }]
    const judgedType = documentedType === undefined ? type : (judgedName(documentedType) ?? type)
    const headers: Record<string, string> = judgedType === undefined ? {} : { 'content-type': judgedType }
    const result = validateOutput({ resource, element: { statusCode: status, headers, body: text } })
    return result._tag === 'Right'
      ? []
      : result.left.map(({ code, message, path: at = [] }) => ({
          at: toPlace(at),
          ...(code === undefined ? {} : { kind: String(code) }),
          message,
        }))
  }
}

/** RFC 9110, section 8.3.1. */
const mediaType =
  /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;\s*(?:[\w!#$%&'*+.^`|~-]+=(?:"(?:[^"\\]|\\.)*"|[\w!#$%&'*+.^`|~-]+)\s*)?)*$/

/** Prism's name for a documented media type; undefined if it is invalid. */
function judgedName(name: string): string | undefined {
  const judged = isJsonText(name) && bareMediaType(name) !== '*/*' ? bareMediaType(name) : name.toLowerCase()
  return mediaType.test(judged) ? judged : undefined
}

/** The part that Prism judges: responses with their media types, and schemas of bodies that are not JSON. */
function toJudgedDocument(document: OpenApiDocument): Values {
  const paths: Record<string, Values> = {}
  for (const operation of describeOperations(document)) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: toJudgedOperation(operation) }
  }
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths }

  function toJudgedOperation({ responses, method }: DescribedOperation): Values {
    const judged = [...responses].map(([status, response]) => [status, toJudgedResponse(response, method === 'HEAD')])
    return { responses: Object.fromEntries(judged) }
  }

  function toJudgedResponse({ value, path }: Located<ResponseObject>, isWithoutBody: boolean): Values {
    const content = Object.entries(value.content ?? {}).flatMap(([name, { schema }]) => {
      const judged = judgedName(name)
      if (judged === undefined) return []
      const located = { value: schema ?? true, path: [...path, 'content', name, 'schema'] }
      const isJudged = !isWithoutBody && !isJsonText(name) && isForText(document, name, located)
      return [[judged, isJudged ? { schema: dereference(document, located.value) } : {}]]
    })
    return { description: '', content: Object.fromEntries(content) }
  }
}

/** Whether a schema describes the text of a body, not a value written in it, such as XML. */
function isForText(document: OpenApiDocument, name: string, schema: Located<Schema>): boolean {
  if (/^(?:application\/x-www-form-urlencoded|multipart\/form-data)$/.test(bareMediaType(name))) return true
  const { types } = flattenSchema(document, schema)
  return types.has('string') && size(document, schema.value) < maxNodes
}

/** A larger schema is not judged. */
const maxNodes = 10_000

function size(document: OpenApiDocument, root: unknown): number {
  const seen = new Set<unknown>()
  let nodes = 0
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value) || nodes > maxNodes) return
    seen.add(value)
    nodes++
    for (const inner of Object.values(value)) visit(inner)
    if (isReference(value)) visit(resolve<object>(document, value, []).value)
  }
  visit(root)
  return nodes
}

/** A copy in which each `$ref` is replaced by its target. A circular reference becomes a circular object. */
function dereference(document: OpenApiDocument, root: unknown): unknown {
  const copies = new Map<object, unknown>()
  return copy(root)

  function copy(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    const known = copies.get(value)
    if (known !== undefined) return known
    const target = isReference(value) ? resolve<object>(document, value, []).value : undefined
    if (target && Object.keys(value).length === 1) return copy(target)
    const made: Values | unknown[] = Array.isArray(value) ? [] : {}
    copies.set(value, made)
    const own = Object.entries(value).filter(([name]) => target === undefined || name !== '$ref')
    return Object.assign(made, copy(target), Object.fromEntries(own.map(([name, inner]) => [name, copy(inner)])))
  }
}

/** Remembers the last results of a calculation. Requests in a row often get the same response. */

const maxResults = 20

/** A longer key is not kept in memory. */
const maxKeyLength = 100_000

/** Returns what `calculate` returned for the same key, if that was recently. */
type RecentResults<Result> = (key: string, calculate: () => Result) => Result

export function createRecentResults<Result>(): RecentResults<Result> {
  const results = new Map<string, Result>()
  return (key, calculate) => {
    const known = results.get(key)
    if (known !== undefined) return known
    const result = calculate()
    if (key.length > maxKeyLength) return result
    const [oldest] = results.size < maxResults ? [] : results.keys()
    if (oldest !== undefined) results.delete(oldest)
    results.set(key, result)
    return result
  }
}
