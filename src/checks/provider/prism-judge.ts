/**
 * Judges answers by Prism's validator: a second reading of the document by people who are not us. Prism narrows int64
 * to what a double holds, so it gets the document without that format; `integer-range` judges it.
 */
import { transformOas3Operations } from '@stoplight/http-spec/oas3/operation'
import { bundleTarget, decycle } from '@stoplight/json'
import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js'
import { isReference, type OpenApiDocument, resolve, type Schema } from '../../compile/document.js'
import { hasFlag } from '../../compile/schemas/flatten-schema.js'
import type { Operation } from '../../contract/contract.js'

export interface Deviation {
  /** Where: `body[].id`, `header x-total`; empty for the whole answer. */
  at: string
  message: string
}

type Values = Record<string, unknown>

export type PrismJudge = (
  operation: Operation,
  answer: { status: number; headers: Record<string, string>; body: unknown },
) => Deviation[]

export function createPrismJudge(document: OpenApiDocument): PrismJudge {
  const root = withoutInt64(document)
  // Prism judges an `allOf` whose parts are references by its other parts only, so it gets none but circular ones. Where
  // that would take for ever, as schemas share schemas that share others, it gets the other references.
  const keepsSchemas = writtenOut(root) > maxWrittenOut
  const plain = decycle(dereference(keepsSchemas ? withoutWriteOnly(root) : root, keepsSchemas)) as Values
  const names = namesIn(document)
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
      : result.left.map(({ message, path: at = [] }) => ({ at: toPlace(at, names), message }))
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

/** Nodes of a document with what its references point to written out, beyond which schemas stay references. */
const maxWrittenOut = 200_000

function writtenOut(root: OpenApiDocument): number {
  const sizes = new Map<object, number>()
  return sizeOf(root)

  function sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 1
    const known = sizes.get(value)
    if (known !== undefined) return known
    // A circle is cut here.
    sizes.set(value, 0)
    const target = isReference(value) ? sizeOf(resolve<object>(root, value, []).value) : 0
    const size = Object.values(value).reduce((sum: number, inner) => sum + sizeOf(inner), 1 + target)
    sizes.set(value, size)
    return size
  }
}

/** Nobody answers what only callers write; Prism itself looks for it in schemas that are no references only. */
function withoutWriteOnly(root: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(root), (_, value) => {
    const { required, properties } = (value ?? {}) as { required?: unknown; properties?: unknown }
    if (!Array.isArray(required) || typeof properties !== 'object' || properties === null) return value
    const isAnswered = (name: string) => {
      const schema = (properties as Record<string, Schema>)[name]
      return schema === undefined || !hasFlag(root, { value: schema, path: [] }, 'writeOnly')
    }
    return { ...value, required: required.filter(isAnswered) }
  })
}

/**
 * With what each `$ref` points to in its place; one that leads back into itself makes a circle.
 * @param keepsSchemas references to schemas stay, but those in an `allOf`
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

/** Every name that the document has for something. */
function namesIn(document: OpenApiDocument): Set<string> {
  const names = new Set<string>(['body', 'header'])
  JSON.parse(JSON.stringify(document), (name, value) => {
    names.add(name).add(name.toLowerCase())
    return value
  })
  return names
}

/** Which item of a list or of a map it is says nothing of the contract. */
function toPlace(path: readonly (string | number)[], names: ReadonlySet<string>): string {
  return path.reduce<string>((at, part) => {
    if (/^\d+$/.test(String(part))) return `${at}[]`
    if (!names.has(String(part))) return `${at}{}`
    return at === '' ? String(part) : `${at}.${part}`
  }, '')
}
