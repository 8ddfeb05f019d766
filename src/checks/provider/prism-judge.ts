/**
 * Judges answers by Prism's validator: a second reading of the document by people who are not us. Prism narrows int64
 * to what a double holds, so it gets the document without that format; `integer-range` judges it.
 */
import { transformOas3Operations } from '@stoplight/http-spec/oas3/operation'
import { bundleTarget, decycle } from '@stoplight/json'
import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js'
import type { Operation } from '../../contract/contract.js'
import { isReference, type OpenApiDocument, resolve } from '../../contract/document.js'

export interface Deviation {
  /** Where: `body[].id`, `header x-total`; empty for the whole answer. */
  at: string
  message: string
}

export type PrismJudge = (
  operation: Operation,
  answer: { status: number; headers: Record<string, string>; body: unknown },
) => Deviation[]

export function createPrismJudge(document: OpenApiDocument): PrismJudge {
  // Prism judges an `allOf` whose parts are references by its other parts only, so it gets none but circular ones.
  const plain = decycle(dereference(withoutInt64(document))) as Record<string, unknown>
  const resources = new Map(
    transformOas3Operations(plain).map((operation) => [
      `${operation.method.toUpperCase()} ${operation.path}`,
      bundleTarget({ document: { ...plain, __target__: operation }, path: '#/__target__', cloneDocument: false }),
    ]),
  )
  return ({ method, path }, { status, headers, body }) => {
    const resource = resources.get(`${method} ${path}`)
    if (!resource) return []
    const type = headers['content-type']
    // Prism throws on such a one.
    if (type !== undefined && !mediaType.test(type))
      return [{ at: '', message: `Content-Type "${type}" is no media type` }]
    const result = validateOutput({ resource, element: { statusCode: status, headers, body } })
    return result._tag === 'Right'
      ? []
      : result.left.map(({ message, path: at = [] }) => ({ at: toPlace(at), message }))
  }
}

/** RFC 9110, section 8.3.1. */
const mediaType =
  /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;\s*(?:[\w!#$%&'*+.^`|~-]+=(?:"(?:[^"\\]|\\.)*"|[\w!#$%&'*+.^`|~-]+))?\s*)*$/

function withoutInt64(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (name, value) =>
    name === 'format' && value === 'int64' ? undefined : value,
  )
}

/** With what each `$ref` points to in its place; one that leads back into itself makes a circle. */
function dereference(root: OpenApiDocument): unknown {
  const copies = new Map<object, unknown>()
  return copy(root)

  function copy(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    const known = copies.get(value)
    if (known !== undefined) return known
    const target = isReference(value) ? resolve<object>(root, value, []).value : undefined
    if (target && Object.keys(value).length === 1) return copy(target)
    const made: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {}
    copies.set(value, made)
    const own = Object.entries(value).filter(([name]) => target === undefined || name !== '$ref')
    Object.assign(made, copy(target), Object.fromEntries(own.map(([name, inner]) => [name, copy(inner)])))
    return made
  }
}

/** Which item of a list it is says nothing of the contract. */
function toPlace(path: readonly (string | number)[]): string {
  return path.reduce<string>((at, part) => {
    if (/^\d+$/.test(String(part))) return `${at}[]`
    return at === '' ? String(part) : `${at}.${part}`
  }, '')
}
