/** Finds the documented HTTP headers that operations read and write. */

import type { CollectionModel, Operation, RequestContract } from '../../contract/contract.js'
import { chooseHttp, type HttpEvidence, isReading } from '../../contract/http/choose-http.js'
import type { ShownTag, TagForm } from '../../contract/http/http-semantics.js'
import {
  type Located,
  type OpenApiDocument,
  type ParameterObject,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { isEntityTag, isIdempotencyKey, mayBeIdempotencyKey, saysIdempotent } from '../../lexicon/headers.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { chooseSuccess } from '../../schemas/operations/choose-success.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { recordContent } from '../../schemas/operations/request-content.js'
import { headersOf } from './compile-headers.js'

/** The headers of conditional requests (RFC 9110, section 13.1). */
const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']
export const isCondition = (name: string): boolean => conditions.includes(name.toLowerCase())
/** Those of them that have entity tags. */
const ofTags = ['if-match', 'if-none-match']
const isVersion = /^(etag|last-modified)$/i
export interface HttpInput {
  document: OpenApiDocument
  operations: readonly Operation[]
  /** The described operations, in the same order. */
  described: readonly DescribedOperation[]
  collections: readonly CollectionModel[]
  shapes: RequestContract['shapes']
  /** The schemas of records by collection. */
  records: ReadonlyMap<string, Located<Schema>>
}

/** An entity tag as this program writes it. */
const ownTag = '"0123456789abcdef"'

/** Sets the HTTP semantics of operations, and the properties that show entity tags. */
export function compileHttpSemantics({ document, operations, described, ...known }: HttpInput): void {
  const { collections, records, shapes } = known
  for (const model of collections) {
    const record = records.get(model.name)
    const tag = record && findTag(document, record)
    if (tag) model.tag = tag
  }
  const evidence = operations.map((operation, index) => findEvidence(document, operation, described[index]))
  const versioned = new Set(
    operations.flatMap((each, index) => (evidence[index]?.hasVersions ? collectionOf(each) : [])),
  )
  const all = { operations: [...operations], collections: [...collections], shapes }
  for (const [index, operation] of operations.entries()) {
    const own = evidence[index]
    if (!own) continue
    // A client needs the version of a record to change it, and each change creates a new version.
    const isVersioned = collectionOf(operation).some((name) => versioned.has(name))
    const isRecord = operation.effect.kind !== 'list' && isVersioned && !hasOtherTags(document, described[index])
    const care = chooseHttp(operation, all, { ...own, hasVersions: own.hasVersions || isRecord })
    if (care) operation.extras = care
  }
}

function collectionOf({ effect }: Operation): string[] {
  return 'collection' in effect && effect.collection !== undefined ? [effect.collection] : []
}

function findEvidence(
  document: OpenApiDocument,
  operation: Operation,
  described: DescribedOperation | undefined,
): HttpEvidence | undefined {
  if (!described) return undefined
  const sent = described.parameters.filter(({ value }) => value.in === 'header').map(({ value }) => value.name)
  const statuses = [...described.responses.keys()]
  const answered = [...described.responses].flatMap(([status, { value }]) =>
    /^(2|default)/.test(status) ? Object.keys(value.headers ?? {}) : [],
  )
  const isRequired = statuses.includes('428')
  const isNamed =
    isRequired ||
    sent.some(isCondition) ||
    answered.some((name) => isVersion.test(name)) ||
    statuses.some((status) => status === '304' || status === '412')
  const hasVersions = isNamed && !hasOtherTags(document, described)
  const key = isReading(operation) ? undefined : sent.find(isIdempotencyKey)
  return {
    ...{ hasVersions, isRequired, idempotencyKey: key?.toLowerCase(), location: findLocation(document, described) },
    idempotencyProperty: isReading(operation) ? undefined : findKeyInBody(document, described),
  }
}

/** The text of a body that its name or description calls the key of the request. */
function findKeyInBody(document: OpenApiDocument, described: DescribedOperation): string | undefined {
  const content = recordContent(document, described)
  if (content?.value.schema === undefined) return undefined
  const texts = [...flattenSchema(document, schemaOf(content)).properties].filter(([name, schema]) => {
    if (!mayBeIdempotencyKey(name)) return false
    const { types, keywords } = flattenSchema(document, schema)
    return types.has('string') && (isIdempotencyKey(name) || saysIdempotent(String(keywords.description)))
  })
  return (texts.find(([name]) => isIdempotencyKey(name)) ?? texts[0])?.[0]
}

const quotedKey = '"8e03978e-40d5-43e8-bc93-6894a57f9324"'

/** Whether a parameter is an idempotency key whose schema describes the text without its quotes. */
export function isBareKey(document: OpenApiDocument, parameter: ParameterObject, schema: Located<Schema>): boolean {
  if (parameter.in !== 'header' || !isIdempotencyKey(parameter.name)) return false
  const { pattern = '' } = flattenSchema(document, schema).keywords
  return !pattern.includes('"') && !accepts(document, schema, quotedKey)
}

/** Whether a document describes entity tags in another form than this program writes, such as numbers. */
function hasOtherTags(document: OpenApiDocument, described: DescribedOperation | undefined): boolean {
  const sent = (described?.parameters ?? []).filter(
    ({ value }) => value.in === 'header' && ofTags.includes(value.name.toLowerCase()),
  )
  const answered = [...(described?.responses ?? [])]
    .filter(([status]) => /^(2|default)/.test(status))
    .flatMap(([, response]) => headersOf(document, response))
    .flatMap(([name, header]) => (name.toLowerCase() === 'etag' ? [header] : []))
  return [...sent, ...answered].some((header) => !accepts(document, schemaOf(header), ownTag))
}

/** Whether the keywords of a schema accept a text. */
function accepts(document: OpenApiDocument, schema: Located<Schema>, text: string): boolean {
  const { types, keywords } = flattenSchema(document, schema)
  const { pattern, enum: values, const: value, format, minLength = 0, maxLength = text.length } = keywords
  if (types.size > 0 && !types.has('string')) return false
  if (values !== undefined || value !== undefined || !fitsFormat(format, text)) return false
  return text.length >= minLength && text.length <= maxLength && fitsPattern(pattern, text)
}

const formats: Record<string, RegExp> = {
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  byte: /^([\w+/]{4})+$/,
}

function fitsFormat(format: unknown, text: string): boolean {
  if (typeof format !== 'string' || !/^(uuid|byte|date|date-time|time|uri|email|int32|int64)$/.test(format)) return true
  return formats[format]?.test(text) === true
}

function fitsPattern(pattern: string | undefined, text: string): boolean {
  try {
    return pattern === undefined || new RegExp(pattern, 'u').test(text) // unmeasured: a pattern of the document, on its own values
  } catch {
    return false
  }
}

function findLocation(document: OpenApiDocument, described: DescribedOperation): HttpEvidence['location'] {
  const response = described.responses.get('201') ?? chooseSuccess(described)?.response
  const found = response && headersOf(document, response).find(([name]) => name.toLowerCase() === 'location')
  if (!found) return undefined
  const isAbsolute = flattenSchema(document, schemaOf(found[1])).keywords.format === 'uri'
  return { header: found[0], ...(isAbsolute && { isAbsolute }) }
}

/** A tag in each form. */
const forms: [TagForm, string][] = [
  ['quoted', ownTag],
  ['plain', '0123456789abcdef'],
  ['long', '0123456789abcdef0123456789abcdef'],
  ['uuid', '01234567-89ab-4def-8123-456789abcdef'],
]

/** The property of a record that is its entity tag, if its schema accepts one. */
function findTag(document: OpenApiDocument, record: Located<Schema>): ShownTag | undefined {
  const { properties } = flattenSchema(document, record)
  for (const [property, schema] of properties) {
    const form = isEntityTag(property) ? forms.find(([, text]) => accepts(document, schema, text))?.[0] : undefined
    if (form) return { property, form }
  }
  return undefined
}
