/** Validates a document against the official JSON Schemas of OpenAPI 3.0 and 3.1. */
import schema30 from '@seriousme/openapi-schema-validator/schemas/v3.0/schema.json' with { type: 'json' }
import schema31 from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json' with { type: 'json' }
import type { SchemaError } from '../../contract/validator.js'
import { describeSchemaError, pathOf } from '../../contract/violations.js'
import { DocumentProblem } from '../document.js'
import { once } from '../once.js'
import { compileDocumentCheck } from '../schemas/compile-validators.js'

/** Compiled for the first document, because that takes longer than compiling most documents. */
const validators = {
  '3.0': once(() => compileDocumentCheck('3.0', schema30)),
  '3.1': once(() => compileDocumentCheck('3.1', schema31)),
}

/**
 * @returns the OpenAPI version of the document
 * @throws DocumentProblem for the most specific violation
 */
export function checkDocument(document: unknown): '3.0' | '3.1' {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new DocumentProblem('This is not an OpenAPI document: it has no "openapi" field at its root', [])
  }
  const { openapi, swagger } = document as { openapi?: unknown; swagger?: unknown }
  if (swagger !== undefined) {
    throw new DocumentProblem(
      `Swagger ${swagger} is not supported; convert the document to OpenAPI 3.0 or 3.1 first (e.g. "npx swagger2openapi")`,
      ['swagger'],
    )
  }
  const version = /^3\.([01])\.\d+/.exec(String(openapi))?.[1]
  if (version === undefined) {
    const found = openapi === undefined ? 'it has no "openapi" field at its root' : `its version is "${openapi}"`
    throw new DocumentProblem(`This is not an OpenAPI 3.0 or 3.1 document: ${found}`, ['openapi'])
  }
  const line = version === '0' ? '3.0' : '3.1'
  const validate = validators[line]()
  if (!validate(document)) throw toProblem(validate.errors ?? [])
  return line
}

/** Reports the deepest error in the document, and not errors that only follow from it. */
function toProblem(errors: SchemaError[]): DocumentProblem {
  const specific = errors.filter((error) => !['if', 'anyOf', 'oneOf', 'not', '$ref'].includes(error.keyword))
  const candidates = specific.length > 0 ? specific : errors
  const depthOf = (error: SchemaError) => error.instancePath.split('/').length
  const [worst] = candidates.toSorted((a, b) => depthOf(b) - depthOf(a))
  if (!worst) return new DocumentProblem('This is not a valid OpenAPI document', [])
  const path = pathOf(worst)
  const extra = worst.params['unevaluatedProperty'] ?? worst.params['additionalProperty']
  const place = path.length > 0 ? path.join('.') : 'the document'
  if (extra !== undefined) {
    return new DocumentProblem(`${place} has the property "${extra}", which OpenAPI does not allow here`, [
      ...path,
      String(extra),
    ])
  }
  return new DocumentProblem(`${describeSchemaError(worst, place, undefined)}`, path)
}
