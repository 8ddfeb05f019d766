/** Compares a document with the official JSON Schema of its version. */
import schema20 from '@seriousme/openapi-schema-validator/schemas/v2.0/schema.json' with { type: 'json' }
import schema30 from '@seriousme/openapi-schema-validator/schemas/v3.0/schema.json' with { type: 'json' }
import schema31 from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json' with { type: 'json' }
import schema32 from '@seriousme/openapi-schema-validator/schemas/v3.2/schema.json' with { type: 'json' }
import type { SchemaError } from '../contract/validator.js'
import { describeSchemaError, pathOf } from '../contract/violations.js'
import type { OpenApiVersion } from '../document/document.js'
import { once } from '../document/once.js'
import type { SchemaProblem } from '../document/read-document.js'
import { compileDocumentCheck } from './create-ajv.js'

/** Compiled on first use, because that takes longer than compiling most documents. */
const validators = {
  '2.0': once(() => compileDocumentCheck('2.0', schema20)),
  '3.0': once(() => compileDocumentCheck('3.0', schema30)),
  '3.1': once(() => compileDocumentCheck('3.1', schema31)),
  '3.2': once(() => compileDocumentCheck('3.2', schema32)),
}

/** Returns the violations of the official schema, most specific first, without those that only follow from others. */
export function checkDocument(document: unknown, version: OpenApiVersion): SchemaProblem[] {
  const validate = validators[version]()
  if (validate(document)) return []
  const errors = validate.errors ?? []
  const specific = errors.filter(({ keyword }) => !['if', 'anyOf', 'oneOf', 'not', '$ref'].includes(keyword))
  const candidates = specific.length > 0 ? specific : errors
  const depthOf = ({ instancePath }: SchemaError) => instancePath.split('/').length
  const found = new Map<string, SchemaProblem>()
  /** Places with a problem, and the places that contain them, whose errors are consequences. */
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

function toProblem(error: SchemaError): SchemaProblem {
  const path = pathOf(error)
  const extra = error.params['unevaluatedProperty'] ?? error.params['additionalProperty']
  const place = path.join('.') || 'the document'
  if (extra === undefined) return { message: describeSchemaError(error, place, undefined), path }
  const message = `${place} has the property "${extra}", which OpenAPI does not allow here`
  return { message, path: [...path, String(extra)] }
}
