/** Validates a document against the official JSON Schemas of Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2. */
import schema20 from '@seriousme/openapi-schema-validator/schemas/v2.0/schema.json' with { type: 'json' }
import schema30 from '@seriousme/openapi-schema-validator/schemas/v3.0/schema.json' with { type: 'json' }
import schema31 from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json' with { type: 'json' }
import schema32 from '@seriousme/openapi-schema-validator/schemas/v3.2/schema.json' with { type: 'json' }
import type { SchemaError } from '../../contract/validator.js'
import { describeSchemaError, pathOf } from '../../contract/violations.js'
import type { DocumentPath, OpenApiVersion } from '../document.js'
import { once } from '../once.js'
import { compileDocumentCheck } from '../schemas/create-ajv.js'

/** Compiled for the first document, because that takes longer than compiling most documents. */
const validators = {
  '2.0': once(() => compileDocumentCheck('2.0', schema20)),
  '3.0': once(() => compileDocumentCheck('3.0', schema30)),
  '3.1': once(() => compileDocumentCheck('3.1', schema31)),
  '3.2': once(() => compileDocumentCheck('3.2', schema32)),
}

/** Returns the violations of the official schema, the most specific ones first, without those that only follow from them. */
export function checkDocument(document: unknown, version: OpenApiVersion): SchemaProblem[] {
  const validate = validators[version]()
  if (validate(document)) return []
  const errors = validate.errors ?? []
  const specific = errors.filter(({ keyword }) => !['if', 'anyOf', 'oneOf', 'not', '$ref'].includes(keyword))
  const candidates = specific.length > 0 ? specific : errors
  const depthOf = ({ instancePath }: SchemaError) => instancePath.split('/').length
  const found = new Map<string, SchemaProblem>()
  /** Places with a problem, and the places around them, whose errors follow from it. */
  const covered = new Set<string>()
  for (const error of candidates.toSorted((a, b) => depthOf(b) - depthOf(a))) {
    const { instancePath } = error
    if (covered.has(instancePath)) continue
    found.set(instancePath, toProblem(error))
    for (let end = instancePath.length; end !== -1; end = instancePath.lastIndexOf('/', end - 1)) {
      covered.add(instancePath.slice(0, end))
      if (end === 0) break
    }
  }
  return [...found.values()]
}

/** A violation of the official schema, with its place in the document as it is written. */
export interface SchemaProblem {
  message: string
  path: DocumentPath
}

function toProblem(error: SchemaError): SchemaProblem {
  const path = pathOf(error)
  const extra = error.params['unevaluatedProperty'] ?? error.params['additionalProperty']
  const place = path.join('.') || 'the document'
  if (extra === undefined) return { message: describeSchemaError(error, place, undefined), path }
  const message = `${place} has the property "${extra}", which OpenAPI does not allow here`
  return { message, path: [...path, String(extra)] }
}
