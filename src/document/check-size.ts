/** Limits the expanded size of a document: YAML aliases can expand a few lines to an endless or exponentially large value. */
import schema20 from '@seriousme/openapi-schema-validator/schemas/v2.0/schema.json' with { type: 'json' }
import schema30 from '@seriousme/openapi-schema-validator/schemas/v3.0/schema.json' with { type: 'json' }
import schema31 from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json' with { type: 'json' }
import schema32 from '@seriousme/openapi-schema-validator/schemas/v3.2/schema.json' with { type: 'json' }
import type { SchemaError } from '../contract/validator.js'
import { describeSchemaError, pathOf } from '../contract/violations.js'
import { compileDocumentCheck } from '../schemas/create-ajv.js'
import type { DocumentPath, OpenApiVersion } from './document.js'
import { once } from './once.js'

/** Maximum values in a document with expanded aliases. The largest public documents have about two million. */
const maxValues = 10_000_000
/** Public documents rarely have more than 50 levels. */
const maxLevels = 500

/**
 * @param onInexact called for each number that may be another one than its text
 * @returns why a value is too large, or undefined
 */
export function checkSize(root: unknown, onInexact?: () => void): string | undefined {
  /** The number of values in each finished object, itself included. */
  const sizes = new Map<object, number>()
  const open = new Set<object>()
  /** The objects that contain the current one, each with its uncounted values. */
  const stack: { value: object; rest: unknown[] }[] = []

  function enter(value: object): void {
    stack.push({ value, rest: Object.values(value) })
    open.add(value)
    sizes.set(value, 1)
  }

  if (typeof root !== 'object' || root === null) return undefined
  enter(root)
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const { value, rest } = top
    const inner = rest.pop()
    if (inner === undefined && rest.length === 0) {
      stack.pop()
      open.delete(value)
      const above = stack.at(-1)
      if (above) addTo(above.value, sizes.get(value) ?? 1)
    } else if (typeof inner !== 'object' || inner === null) {
      addTo(value, 1)
      if (onInexact && typeof inner === 'number' && Math.abs(inner) > Number.MAX_SAFE_INTEGER) onInexact()
    } else if (open.has(inner)) return 'an alias leads back to the part that it is in'
    else if (sizes.has(inner)) addTo(value, sizes.get(inner) ?? 1)
    else if (stack.length === maxLevels) return `it has more than ${maxLevels} levels`
    else enter(inner)
    if ((sizes.get(value) ?? 0) > maxValues) return `its aliases expand to more than ${maxValues} values`
  }
  return undefined

  function addTo(value: object, count: number): void {
    sizes.set(value, (sizes.get(value) ?? 0) + count)
  }
}

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

/** A violation of the official schema, with its place in the original document. */
interface SchemaProblem {
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
