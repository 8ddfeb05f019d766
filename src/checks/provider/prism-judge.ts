/**
 * Judges responses by Prism's validator, an independent implementation of OpenAPI. Prism narrows int64 to the range of a
 * double, so it gets the document without that format; the rule `integer-range` checks it instead.
 */
import { transformOas3Operations } from '@stoplight/http-spec/oas3/operation'
import { bundleTarget, decycle } from '@stoplight/json'
import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js'
import { isReference, type OpenApiDocument, type Schema } from '../../compile/document.js'
import { resolve } from '../../compile/references.js'
import { hasFlag } from '../../compile/schemas/flatten-schema.js'
import type { Operation } from '../../contract/contract.js'
import { createRecentResults } from './recent-results.js'

export interface Deviation {
  /** Place in the response, e.g. `body[].id` or `header x-total`; empty for the whole response. */
  at: string
  /** The violated keyword of JSON Schema, e.g. `required`; absent for a wrong media type. */
  kind?: string
  message: string
}

type Values = Record<string, unknown>
/** An operation as Prism reads it. */
type Resource = Parameters<typeof validateOutput>[0]['resource']

export interface JudgedResponse {
  status: number
  headers: Record<string, string>
  /** The text of the body, and what is judged of it. */
  text: string
  body: unknown
}

/** Returns every way in which a response differs from the document; empty if the operation is unknown to Prism. */
export type PrismJudge = (operation: Operation, response: JudgedResponse) => Deviation[]

/** Prepares the document for Prism, once per check. */
export function createPrismJudge(document: OpenApiDocument): PrismJudge {
  const root = withoutInt64(document)
  // Prism ignores references in an `allOf`, so all references are replaced by their targets, except circular ones. If
  // that would make the document too large, only references in an `allOf` are replaced.
  const keepsSchemas = dereferencedSize(root) > maxNodes
  const plain = decycle(dereference(keepsSchemas ? withoutWriteOnly(root) : root, keepsSchemas)) as Values
  const names = namesIn(document)
  const resources = new Map(
    transformOas3Operations(plain).map((operation) => [
      `${operation.method.toUpperCase()} ${operation.path.replace(/^(?!\/)/, '/')}`,
      bundleTarget({ document: { ...plain, __target__: operation }, path: '#/__target__', cloneDocument: false }),
    ]),
  )
  const recent = createRecentResults<Deviation[]>()
  return ({ method, path }, { status, headers, text, body }) => {
    const operation = `${method} ${path}`
    const resource = resources.get(operation)
    if (!resource) return []
    const { date: _, ...others } = headers
    return recent(JSON.stringify([operation, status, others, text]), () => judge(resource, { status, headers, body }))
  }

  function judge(resource: Resource, { status, headers, body }: Omit<JudgedResponse, 'text'>): Deviation[] {
    const type = headers['content-type']
    // Prism throws on an invalid media type.
    if (type !== undefined && !mediaType.test(type))
      return [{ at: '', message: `Content-Type "${type}" is not a media type` }]
    const result = validateOutput({ resource, element: { statusCode: status, headers, body } })
    return result._tag === 'Right'
      ? []
      : result.left.map(({ code, message, path: at = [] }) => ({
          at: toPlace(at, names),
          ...(code === undefined ? {} : { kind: String(code) }),
          message,
        }))
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

/** Maximum number of nodes with all references replaced. A larger document keeps its references to schemas. */
const maxNodes = 200_000

function dereferencedSize(root: OpenApiDocument): number {
  const sizes = new Map<object, number>()
  return sizeOf(root)

  function sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 1
    const known = sizes.get(value)
    if (known !== undefined) return known
    // A circular reference counts once.
    sizes.set(value, 0)
    const target = isReference(value) ? sizeOf(resolve<object>(root, value, []).value) : 0
    const size = Object.values(value).reduce((sum: number, inner) => sum + sizeOf(inner), 1 + target)
    sizes.set(value, size)
    return size
  }
}

/** Responses have no `writeOnly` properties. Prism handles that only in schemas that are not references. */
function withoutWriteOnly(root: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(root), (_, value) => {
    const { required, properties } = (value ?? {}) as { required?: unknown; properties?: unknown }
    if (!Array.isArray(required) || typeof properties !== 'object' || properties === null) return value
    const isInResponse = (name: string) => {
      const schema = (properties as Record<string, Schema>)[name]
      return schema === undefined || !hasFlag(root, { value: schema, path: [] }, 'writeOnly')
    }
    return { ...value, required: required.filter(isInResponse) }
  })
}

/**
 * A copy in which each `$ref` is replaced by its target. A circular reference becomes a circular object.
 * @param keepsSchemas keeps references to schemas, except those in an `allOf`
 */
function dereference(root: OpenApiDocument, keepsSchemas: boolean): unknown {
  const copies = new Map<object, unknown>()
  return copy(root)

  function copy(value: unknown, isPart = false): unknown {
    if (typeof value !== 'object' || value === null) return value
    const known = copies.get(value)
    if (known !== undefined) return known
    if (keepsSchemas && !isPart && isReference(value) && value.$ref.startsWith('#/components/schemas/')) return value
    const target = isReference(value) ? resolve<object>(root, value, []).value : undefined
    if (target && Object.keys(value).length === 1) return copy(target, isPart)
    const made: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {}
    copies.set(value, made)
    const own = Object.entries(value).filter(([name]) => target === undefined || name !== '$ref')
    const copyMember = (name: string, inner: unknown) =>
      name === 'allOf' && Array.isArray(inner) ? inner.map((part) => copy(part, true)) : copy(inner)
    Object.assign(
      made,
      copy(target, isPart),
      Object.fromEntries(own.map(([name, inner]) => [name, copyMember(name, inner)])),
    )
    return made
  }
}

/** Every property name in the document, as it is and in lower case. */
function namesIn(document: OpenApiDocument): Set<string> {
  const names = new Set<string>(['body', 'header'])
  JSON.parse(JSON.stringify(document), (name, value) => {
    names.add(name).add(name.toLowerCase())
    return value
  })
  return names
}

/** Writes indexes as `[]` and names that are not in the document as `{}`, so that a finding is the same for all items. */
function toPlace(path: readonly (string | number)[], names: ReadonlySet<string>): string {
  return path.reduce<string>((at, part) => {
    if (/^\d+$/.test(String(part))) return `${at}[]`
    if (!names.has(String(part))) return `${at}{}`
    return at === '' ? String(part) : `${at}.${part}`
  }, '')
}
