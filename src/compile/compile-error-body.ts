/** Compiles the documented schema of an error response to a body that a refusal can fill in. */
import type { ErrorBody, ErrorField } from '../contract/documented-response.js'
import { jsonContent } from './describe-operations.js'
import type { Located, OpenApiDocument, ResponseObject, Schema } from './document.js'
import { flattenSchema, isObjectSchema } from './schemas/flatten-schema.js'
import { sample } from './schemas/sample.js'

const codeNames = ['code', 'type']
const messageNames = ['message', 'detail', 'title']

/** @returns undefined if the response is not a JSON object */
export function compileErrorBody(document: OpenApiDocument, response: Located<ResponseObject>): ErrorBody | undefined {
  const content = jsonContent(response.value.content, response.path)
  if (content?.value.schema === undefined) return undefined
  const fields = compileFields(document, { value: content.value.schema, path: [...content.path, 'schema'] }, 0)
  return fields.length === 0 ? undefined : { mediaType: content.mediaType, fields }
}

const maxDepth = 3

function compileFields(document: OpenApiDocument, schema: Located<Schema>, depth: number): ErrorField[] {
  const flat = flattenSchema(document, schema)
  return [...flat.properties].flatMap(([name, property]): ErrorField[] => {
    const inner = flattenSchema(document, property)
    const isString = inner.types.has('string')
    if (codeNames.includes(name) && isString) return [{ name, from: 'code' }]
    if (messageNames.includes(name) && isString) return [{ name, from: 'message' }]
    if (name === 'status' || codeNames.includes(name)) {
      if (inner.types.has('integer') || inner.types.has('number')) return [{ name, from: 'status' }]
    }
    if (isObjectSchema(inner) && depth < maxDepth) {
      const fields = compileFields(document, property, depth + 1)
      if (fields.some((field) => field.from !== 'constant')) return [{ name, from: 'fields', fields }]
    }
    return flat.required.has(name) ? [{ name, from: 'constant', value: sample(document, property) }] : []
  })
}
