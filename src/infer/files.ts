/** Finds the properties of a record that describe the file that is uploaded with it: its name, size, type and hashes. */
import { type Evidence, guess, isWritten } from '../behaviour/line.js'
import type { FileValue } from '../contract/effects/effect.js'
import { bareMediaType, codecOf } from '../contract/http/media-types.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../document/document.js'
import { fileFactOf, isFileContent, isFileFact, isFileName, usualKeys } from '../lexicon/files.js'
import { bareName } from '../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import { type DescribedOperation, jsonBody } from '../schemas/operations/describe-operations.js'
import { recordContent } from '../schemas/operations/request-content.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'

/** Says what the record of an upload says of its file, and which names in paths and answers are about files. */
export function findFiles(
  document: OpenApiDocument,
  candidate: Candidate,
  collection: KnownCollection | undefined,
): void {
  const { operation, kind, lines } = candidate
  const last = operation.template.segments.at(-1)
  const why = guess('name', 'it is called so')
  if (operation.method === 'GET' && isFileContent(last?.texts[0] ?? '')) lines.add('showsContent', '', true, why)
  const types = Object.keys(operation.body?.value.content ?? {}).map((name) => codecOf(bareMediaType(name)))
  const hasFile = types.some((codec) => codec === 'binary' || codec === 'multipart' || codec === 'text')
  const isUpload = hasFile && (operation.method === 'POST' || operation.method === 'PUT')
  if (hasFile && operation.method === 'POST') lines.add('fileKeys', '', [...usualKeys], why)
  if (!collection || (kind !== 'create' && kind !== 'replace' && kind !== 'update')) return
  const encoded = findEncoded(document, operation)
  const isFile = isUpload || (kind === 'update' && hasFile)
  if (encoded === undefined && !isFile) return
  const content = recordContent(document, operation)
  const sent = content?.value.schema === undefined ? undefined : flattenSchema(document, schemaOf(content)).properties
  const found = findFileValues(document, collection.record, sent ?? new Map())
  const values = found.filter(({ property }) => {
    const said = lines.get('changes', property)
    return !said || !isWritten(said.evidence)
  })
  // Any text may be Base64, but only of a file is the size known.
  if (!values.some(({ is }) => (encoded !== undefined && !isFile ? is === 'size' || /^(md5|sha)/.test(is) : true)))
    return
  const named = last?.names.find(isFileName)
  if (encoded !== undefined) {
    lines.add('encoded', '', encoded, guess('schema', 'it has a file in Base64'))
    const { properties } = flattenSchema(document, collection.record)
    if (properties.has('encoding')) values.push({ property: 'encoding', is: 'encoding' })
  }
  if (named !== undefined) lines.add('fileName', '', named, why)
  for (const value of values) {
    lines.add('describes', value.property, value, whyFile(value))
    collection.lines.add('files', value.property, value.is, whyFile(value))
  }
}

/** @param sent the properties that a request has */
function findFileValues(
  document: OpenApiDocument,
  record: Located<Schema>,
  sent: ReadonlyMap<string, unknown>,
): FileValue[] {
  const { properties } = flattenSchema(document, record)
  const found = [...properties].flatMap(([property, schema]): FileValue[] => {
    const flat = flattenSchema(document, schema)
    const is = meaningOf(bareName(property), flat)
    const isNumber = flat.types.has('integer') || flat.types.has('number')
    if (is === undefined || (is !== 'size' && isNumber)) return []
    const isBase64 = /^(md5|sha)/.test(is) && /base-?64/i.test(String(flat.keywords.description))
    return [{ property, is, ...(is === 'size' && !isNumber && { as: 'text' }), ...(isBase64 && { as: 'base64' }) }]
  })
  // What a caller does not name has the name of its file.
  const own = found.some(({ is }) => is === 'name') || !properties.has('name') || sent.has('name')
  return own || found.length === 0 ? found : [...found, { property: 'name', is: 'name' }]
}

/** Why a property is believed to describe a file. */
function whyFile({ property, is }: FileValue): Evidence {
  const isNamed = isFileFact(bareName(property)) || is === 'name' || is === 'encoding'
  return guess(isNamed ? 'name' : 'description', `it has the ${is} of the file that is uploaded`)
}

function meaningOf(name: string, { types, keywords, properties }: FlatSchema): FileValue['is'] | undefined {
  const isScalar = [...types].every(
    (type) => type === 'string' || type === 'integer' || type === 'number' || type === 'null',
  )
  if (!isScalar || types.size === 0 || properties.size > 0 || keywords.enum || 'const' in keywords) return undefined
  const said = String(keywords.description ?? '')
  const is = fileFactOf(name, said)
  // Other things have a size, too.
  const isCount = is !== 'size' || !types.has('string') || keywords.format === 'int64' || /\bbytes?\b/i.test(said)
  return isCount ? is : undefined
}

/** The property of a JSON body that has a file as Base64. */
function findEncoded(document: OpenApiDocument, operation: DescribedOperation): string | undefined {
  const content = jsonBody(operation)
  if (content?.value.schema === undefined) return undefined
  const { properties } = flattenSchema(document, schemaOf(content))
  return [...properties].find(([, schema]) => {
    const { types, keywords } = flattenSchema(document, schema)
    const { format, contentEncoding, description = '' } = keywords
    const isSaid = format === 'byte' || contentEncoding === 'base64' || /\bbase-?64\b/i.test(String(description))
    return types.has('string') && isSaid
  })?.[0]
}
