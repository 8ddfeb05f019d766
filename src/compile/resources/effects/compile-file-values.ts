/** Finds the properties of a record that describe the file that is uploaded with it: its name, size, type and hashes. */
import { type Evidence, guess } from '../../../behaviour/line.js'
import type { FileValue } from '../../../contract/effects/effect.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../../document/document.js'
import { ownValue } from '../../../json/own-value.js'
import { bareName } from '../../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import { type DescribedOperation, jsonBody } from '../../../schemas/operations/describe-operations.js'

/** Names that mean the same of any file. */
const usual: Readonly<Record<string, FileValue['is']>> = {
  ...ofEach('name', 'filename originalfilename originalname uploadname'),
  ...ofEach('size', 'size filesize contentlength contentsize sizebytes sizeinbytes bytesize bytes filebytes'),
  ...ofEach('type', 'mimetype contenttype mediatype filemimetype filecontenttype'),
  ...ofEach('extension', 'extension fileextension ext'),
  ...ofEach('md5', 'md5 md5checksum md5hash md5sum contentmd5'),
  ...ofEach('sha1', 'sha1 sha1checksum sha1hash sha1sum sha'),
  ...ofEach('sha256', 'sha256 sha256checksum sha256hash sha256sum'),
}

function ofEach(is: FileValue['is'], names: string): Record<string, FileValue['is']> {
  return Object.fromEntries(names.split(' ').map((name) => [name, is]))
}

const hashNames = /^(checksum|hash|digest|fingerprint|contenthash|filehash)$/

/** Names whose description says what they are. */
const described: readonly (readonly [RegExp, RegExp, FileValue['is']])[] = [
  [hashNames, /\bmd-?5\b/i, 'md5'],
  [hashNames, /\bsha-?1\b/i, 'sha1'],
  [hashNames, /\bsha-?256\b/i, 'sha256'],
  [/^(type|format)$/, /\b(mime|media|content)[- ]?type\b/i, 'type'],
  [/^length$/, /\bbytes\b/i, 'size'],
]

/** @param sent the properties that a request has */
export function findFileValues(
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
export function whyFile({ property, is }: FileValue): Evidence {
  const isNamed = Object.hasOwn(usual, bareName(property)) || is === 'name' || is === 'encoding'
  return guess(isNamed ? 'name' : 'description', `it has the ${is} of the file that is uploaded`)
}

function meaningOf(name: string, { types, keywords, properties }: FlatSchema): FileValue['is'] | undefined {
  const isScalar = [...types].every(
    (type) => type === 'string' || type === 'integer' || type === 'number' || type === 'null',
  )
  if (!isScalar || types.size === 0 || properties.size > 0 || keywords.enum || 'const' in keywords) return undefined
  const said = String(keywords.description ?? '')
  const is = ownValue(usual, name) ?? described.find(([names, words]) => names.test(name) && words.test(said))?.[2]
  // Other things have a size, too.
  const isCount = is !== 'size' || !types.has('string') || keywords.format === 'int64' || /\bbytes?\b/i.test(said)
  return isCount ? is : undefined
}

/** The property of a JSON body that has a file as Base64. */
export function findEncoded(document: OpenApiDocument, operation: DescribedOperation): string | undefined {
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
