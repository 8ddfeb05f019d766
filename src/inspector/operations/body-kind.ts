/** Chooses the input for a body by its media type, and finds its file properties. */
import type { Form } from '../api-types.js'
import { variantsOf } from '../forms/variants.js'
import { isObject } from '../json-text.js'
import { resolve, type Schema, schemaAt, typeOf } from '../schema.js'

export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'bytes'
export type BodyContent = NonNullable<Form['body']>['contents'][number]

const text = /^text\/|[/+](xml|yaml|x-yaml|javascript|graphql|x-ndjson|ndjson|jsonl|sql)$/

/** @example kindOf('application/merge-patch+json', {}) // 'json' */
export function kindOf(mediaType: string, schema: Schema): BodyKind {
  const type = bareType(mediaType)
  if (/[/+]json$/.test(type)) return 'json'
  if (/^(\*|application)\/\*$/.test(type)) return isBinary(schema) ? 'bytes' : 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type === 'multipart/form-data' || type === 'multipart/*') return 'multipart'
  return text.test(type) ? 'text' : 'bytes'
}

/** @example bareType('Text/Plain; charset=utf-8') // 'text/plain' */
export function bareType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

/** JSON if the operation accepts it, because its form shows the most. */
export function usualContent(contents: BodyContent[]): BodyContent | undefined {
  return contents.find(({ mediaType, schema }) => kindOf(mediaType, schemaAt(schema)) === 'json') ?? contents[0]
}

/** An example of a valid body. With several media types, each has its own. */
export function exampleOf(content: BodyContent, form: Form): unknown {
  return 'example' in content ? content.example : form.example.body
}

function isBinary({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === 'binary' || contentMediaType !== undefined || contentEncoding !== undefined
}

/** @returns undefined for a property that is not a file */
export function filesOf(schema: Schema): 'one' | 'many' | undefined {
  if (isBinary(schema)) return 'one'
  return typeOf(schema) === 'array' && isBinary(resolve(schema['items'])) ? 'many' : undefined
}

/** Whether a body can be shown as fields, by its schema and its example. */
export function hasFields(kind: BodyKind, schema: Schema, example: unknown): boolean {
  if (kind === 'text' || kind === 'bytes') return false
  return typeOf(schema) !== 'any' || variantsOf(schema).length > 0 || (kind !== 'json' && isObject(example))
}

/** The documented media types of a file: `image/png, image/jpeg` */
export function acceptOf(contentSchema: string | undefined, name: string, schema: Schema): string | undefined {
  const { [name]: encoding } = schemaAt(contentSchema?.replace(/schema$/, 'encoding'))
  const named = isObject(encoding) ? encoding['contentType'] : schema['contentMediaType']
  return typeof named === 'string' ? toAccept(named) : undefined
}

/** The filter of the file dialog. Leaves out the type for any bytes, which no file has. */
export function toAccept(mediaTypes: string): string | undefined {
  const types = mediaTypes.split(',').map(bareType)
  return types.some((type) => type === '*/*' || type === 'application/octet-stream') ? undefined : types.join(', ')
}
