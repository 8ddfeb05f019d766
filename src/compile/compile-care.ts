/** Finds what the document says about the headers of HTTP that operations read and write. */
import { type CareEvidence, chooseCare, isReading } from '../contract/choose-care.js'
import type { CollectionModel, Operation } from '../contract/contract.js'
import { chooseSuccess } from './choose-success.js'
import type { DescribedOperation } from './describe-operations.js'
import type { Located, OpenApiDocument, ParameterObject, Schema } from './document.js'
import { resolve } from './references.js'
import { flattenSchema } from './schemas/flatten-schema.js'

/** The headers of conditional requests (RFC 9110, section 13.1). */
export const isCondition: RegExp = /^if-(none-)?match$|^if-(un)?modified-since$/i
const isVersion = /^(etag|last-modified)$/i
const isIdempotencyKey = /idempoten[a-z]*[-_]?(key|token|id)$/i
/** `etag`, `_etag`, `@odata.etag` */
const isTag = /(^|[^a-z])e-?tag$/i

export interface CareInput {
  document: OpenApiDocument
  operations: readonly Operation[]
  /** In the same order. */
  described: readonly DescribedOperation[]
  collections: readonly CollectionModel[]
  /** The schemas of records by collection. */
  records: ReadonlyMap<string, Located<Schema>>
}

/** As this program writes one. */
const ownTag = '"0123456789abcdef"'

/** Sets what operations do for HTTP besides their effects, and which properties show entity tags. */
export function compileCare({ document, operations, described, collections, records }: CareInput): void {
  for (const model of collections) {
    const record = records.get(model.name)
    const tag = record && findTag(document, record)
    if (tag !== undefined) model.tag = tag
  }
  const evidence = operations.map((operation, index) => findEvidence(document, operation, described[index]))
  const versioned = new Set(
    operations.flatMap((each, index) => (evidence[index]?.hasVersions ? collectionOf(each) : [])),
  )
  const all = { operations: [...operations], collections: [...collections] }
  for (const [index, operation] of operations.entries()) {
    const own = evidence[index]
    if (!own) continue
    // Who changes a record with a version needs to read that, and each change gives it another one.
    const isVersioned = collectionOf(operation).some((name) => versioned.has(name))
    const isRecord = operation.effect.kind !== 'list' && isVersioned && !hasOtherTags(document, described[index])
    const care = chooseCare(operation, all, { ...own, hasVersions: own.hasVersions || isRecord })
    if (care) operation.besides = care
  }
}

function collectionOf({ effect }: Operation): string[] {
  return 'collection' in effect && effect.collection !== undefined ? [effect.collection] : []
}

function findEvidence(
  document: OpenApiDocument,
  operation: Operation,
  described: DescribedOperation | undefined,
): CareEvidence | undefined {
  if (!described) return undefined
  const sent = described.parameters.filter(({ value }) => value.in === 'header').map(({ value }) => value.name)
  const statuses = [...described.responses.keys()]
  const answered = [...described.responses].flatMap(([status, { value }]) =>
    /^(2|default)/.test(status) ? Object.keys(value.headers ?? {}) : [],
  )
  const isRequired = statuses.includes('428')
  const isNamed =
    isRequired ||
    sent.some((name) => isCondition.test(name)) ||
    answered.some((name) => isVersion.test(name)) ||
    statuses.some((status) => status === '304' || status === '412')
  const hasVersions = isNamed && !hasOtherTags(document, described)
  const key = isReading(operation) ? undefined : sent.find((name) => isIdempotencyKey.test(name))
  return { hasVersions, isRequired, idempotencyKey: key?.toLowerCase(), location: findLocation(document, described) }
}

/** Whether a document describes entity tags of another form than those of this program, such as numbers. */
function hasOtherTags(document: OpenApiDocument, described: DescribedOperation | undefined): boolean {
  return [...(described?.responses ?? [])].some(([status, { value, path }]) =>
    Object.entries(value.headers ?? {}).some(([name, written]) => {
      if (!/^(2|default)/.test(status) || name.toLowerCase() !== 'etag') return false
      const at = [...path, 'headers', name]
      const { schema = true } = resolve<ParameterObject>(document, written, at).value
      const { types, keywords } = flattenSchema(document, { value: schema, path: [...at, 'schema'] })
      const { pattern, enum: values, const: value, format, maxLength = ownTag.length } = keywords
      const isText = types.size === 0 || types.has('string')
      const isFree =
        values === undefined && value === undefined && (format === undefined || !isStrictFormat.test(format))
      return !isText || !isFree || Number(maxLength) < ownTag.length || !fitsPattern(pattern)
    }),
  )
}

const isStrictFormat = /^(uuid|date|date-time|uri|int32|int64)$/

function fitsPattern(pattern: string | undefined): boolean {
  try {
    return pattern === undefined || new RegExp(pattern, 'u').test(ownTag)
  } catch {
    return false
  }
}

function findLocation(document: OpenApiDocument, described: DescribedOperation): CareEvidence['location'] {
  const response = chooseSuccess(described)?.response
  const found = Object.entries(response?.value.headers ?? {}).find(([name]) => name.toLowerCase() === 'location')
  if (!response || !found) return undefined
  const [header, written] = found
  const { schema = true } = resolve<ParameterObject>(document, written, [...response.path, 'headers', header]).value
  const isAbsolute = typeof schema === 'object' && schema.format === 'uri'
  return { header, ...(isAbsolute && { isAbsolute }) }
}

/** The property of a record that is its entity tag: any text fits. */
function findTag(document: OpenApiDocument, record: Located<Schema>): string | undefined {
  const { properties } = flattenSchema(document, record)
  const found = [...properties].find(([name, schema]) => {
    if (!isTag.test(name)) return false
    const { types, keywords } = flattenSchema(document, schema)
    const { pattern, enum: values, const: value, format, maxLength } = keywords
    return types.has('string') && [pattern, values, value, format, maxLength].every((each) => each === undefined)
  })
  return found?.[0]
}
