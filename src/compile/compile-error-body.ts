/** Compiles the documented schema of an error response to a body that a refusal can fill in. */
import type { ErrorBody, ErrorField } from '../contract/documented-response.js'
import { type EnsureCompiler, placeOf } from './compile-ensure.js'
import { jsonContent } from './describe-operations.js'
import type { Located, OpenApiDocument, ResponseObject, Schema } from './document.js'
import { bareMediaType, isRange, isXml } from './media-types.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from './schemas/flatten-schema.js'
import { sample } from './schemas/sample.js'

/** The fields of an error body where none is documented. */
export const usualFields: ErrorField[] = (['code', 'message', 'status'] as const).map((name) => ({ name, from: name }))

const codeNames = ['code', 'type']
const messageNames = ['message', 'detail', 'title']

/** Compiles the error bodies of a document, each schema once. @returns undefined if the response documents no body */
export type CompileErrorBody = (response: Located<ResponseObject>) => ErrorBody | undefined

export function createErrorBodyCompiler(document: OpenApiDocument, ensures: EnsureCompiler): CompileErrorBody {
  const known = new Map<string, ErrorBody | undefined>()

  return function compileErrorBody(response) {
    const content = jsonContent(response.value.content, response.path)
    if (!content) return compileText(response)
    if (content.value.schema === undefined) return undefined
    const schema = { value: content.value.schema, path: [...content.path, 'schema'] }
    const id = `${content.mediaType} ${placeOf(document, schema)}`
    if (!known.has(id)) known.set(id, compile(schema, content.mediaType))
    return known.get(id)
  }

  function compile(schema: Located<Schema>, mediaType: string): ErrorBody | undefined {
    const flat = flattenSchema(document, schema)
    const form = formOf(flat)
    const described = form === 'list' && flat.items ? flat.items : schema
    const known = form === 'message' ? [] : compileFields(document, described, 0)
    // A schema that names no usual property may allow them all the same.
    const fields = known.length > 0 || form !== undefined ? known : usualFields
    const isPlain = form === undefined && fields.every((field) => isUnbounded(document, schema, field))
    const ensure = ensures.addFor(schema, () => (isPlain ? toSample(fields) : undefined))
    return { mediaType, fields, ...(form && { form }), ...(ensure && { ensure }) }
  }
}

function formOf({ types, properties, items }: FlatSchema): ErrorBody['form'] | undefined {
  if (types.has('object') || properties.size > 0) return undefined
  if (types.has('array') || items) return 'list'
  return types.has('string') ? 'message' : undefined
}

/** An error of another media type than JSON. */
function compileText({ value }: Located<ResponseObject>): ErrorBody | undefined {
  const names = Object.keys(value.content ?? {}).map(bareMediaType)
  const text = names.find((name) => name.startsWith('text/') && !isXml(name) && !isRange(name))
  const xml = names.find((name) => isXml(name) && !isRange(name))
  if (text !== undefined) return { mediaType: text, fields: [], form: 'text' }
  return xml === undefined ? undefined : { mediaType: xml, fields: [], form: 'xml' }
}

const maxDepth = 3

function compileFields(document: OpenApiDocument, schema: Located<Schema>, depth: number): ErrorField[] {
  const flat = flattenSchema(document, schema)
  return [...flat.properties].flatMap(([name, property]): ErrorField[] => {
    const inner = flattenSchema(document, property)
    const isString = inner.types.has('string')
    // The URI of a problem type (RFC 9457, section 3.1.1).
    if (name === 'type' && isString && /^(uri|iri|url)/.test(inner.keywords.format ?? '')) {
      return [{ name, from: 'constant', value: 'about:blank' }]
    }
    if (codeNames.includes(name) && isString) return [{ name, from: 'code' }]
    if (messageNames.includes(name) && isString) return [{ name, from: 'message' }]
    if (name === 'status' || codeNames.includes(name)) {
      if (inner.types.has('integer') || inner.types.has('number')) return [{ name, from: 'status' }]
    }
    if (isObjectSchema(inner) && depth < maxDepth) {
      const fields = compileFields(document, property, depth + 1)
      if (fields.some((field) => field.from !== 'constant')) return [{ name, from: 'fields', fields }]
    }
    if (inner.types.has('array') && inner.items && isErrors(name) && depth < maxDepth) {
      if (flattenSchema(document, inner.items).types.has('string')) return [{ name, from: 'messages' }]
      const fields = compileFields(document, inner.items, depth + 1)
      if (fields.some((field) => field.from !== 'constant')) return [{ name, from: 'list', fields }]
    }
    return flat.required.has(name) ? [{ name, from: 'constant', value: sample(document, property) }] : []
  })
}

/** Whether a list has errors, and not what they are about. */
function isErrors(name: string): boolean {
  return /^(errors?|messages?|details|issues|problems|faults|violations)$/i.test(name)
}

/** Keywords that allow only some texts or numbers. */
const bounds = ['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf']

/** Whether a field may have any text or number. */
function isUnbounded(document: OpenApiDocument, schema: Located<Schema>, field: ErrorField): boolean {
  const property = flattenSchema(document, schema).properties.get(field.name)
  if (!property || field.from === 'constant') return true
  if (field.from === 'list' || field.from === 'messages') return false
  if (field.from === 'fields') return field.fields.every((inner) => isUnbounded(document, property, inner))
  const { keywords } = flattenSchema(document, property)
  return bounds.every((keyword) => !(keyword in keywords))
}

function toSample(fields: readonly ErrorField[]): Record<string, unknown> {
  const samples = { code: 'code', message: 'message', status: 500 }
  return Object.fromEntries(
    fields.map((field) => {
      if (field.from === 'fields') return [field.name, toSample(field.fields)]
      // These are never plain.
      if (field.from === 'list' || field.from === 'messages') return [field.name, []]
      return [field.name, field.from === 'constant' ? field.value : samples[field.from]]
    }),
  )
}
