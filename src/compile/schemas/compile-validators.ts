/** Compiles JSON Schemas to validators: to functions, or to the code of a module. Only this module uses Ajv. */
import { _, Ajv2020, type KeywordCxt, type Options } from 'ajv/dist/2020.js'
import { _Code } from 'ajv/dist/compile/codegen/code.js'
import standalone from 'ajv/dist/standalone/index.js'
import { default as Ajv04 } from 'ajv-draft-04'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Validate } from '../../contract/validator.js'
import { int64End } from '../../contract/violations.js'
import { ownValue } from '../../json/own-value.js'
import {
  type DocumentPath,
  isReference,
  type Located,
  type OpenApiDocument,
  type OpenApiVersion,
  type Schema,
  type SchemaObject,
} from '../document.js'
import type { Notes } from '../notes.js'
import { fromPointer, resolve } from '../references.js'
import { toComparableText } from './comparable-text.js'
import type { View } from './compile-shapes.js'
import { hasFlag } from './flatten-schema.js'
import { mapSchema } from './map-schema.js'
import { formats } from './string-formats.js'

export interface ValidatorCompiler {
  /** Adds a validator for a schema in the document. @returns its number */
  add(schema: Located<Schema>, view: View): number
  /** Adds a validator for an object whose members have schemas in the document. @returns its number */
  addObject(members: ObjectMembers): number
  toFunctions(): Validate[]
  /** Paths of the schemas in the document, in the order of their validators. */
  paths: DocumentPath[]
  /** Returns the code of an ES module that exports the array `validators`. */
  toModule(): string
}

export interface ObjectMembers {
  [name: string]: { schema: Located<Schema> | ObjectMembers; required: boolean }
}

// `violations.ts` makes the messages. Strict mode would refuse the additional keywords of OpenAPI. `strictNumbers`
// refuses numbers that are too large for a double.
const options = { strict: false, strictNumbers: true, allErrors: true, messages: false, logger: false } as const

/** @param notes gets schemas that cannot be compiled, for which every value is valid */
export function createValidatorCompiler(document: OpenApiDocument, notes: Notes): ValidatorCompiler {
  const ownProperties = mentionsInherited(document)
  // The schemas of a document that was read are valid.
  const ajv = createAjv({ ownProperties, validateSchema: false, code: { source: true, esm: true, process: addErrors } })
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: '', params: _`{}` },
    code(context: KeywordCxt) {
      const { gen, data, schema } = context
      if (schema !== true) return
      const toText = gen.scopeValue('func', { ref: toComparableText, code: new _Code(`(${toComparableText})`) })
      context.fail(_`${data}.length > 1 && new Set(${data}.map((item) => ${toText}(item))).size < ${data}.length`)
    },
  })
  const references = new Map<string, string>()
  const byContent = new Map<string, string>()
  /** Names of the schemas, in the order of their validators. */
  const names: string[] = []
  const paths: DocumentPath[] = []

  function register(schema: Schema, path: readonly (string | number)[]): number {
    const object = asObject(schema)
    const isReferenceOnly = object.$ref !== undefined && Object.keys(object).length === 1
    const name = isReferenceOnly ? (object.$ref as string) : `own${names.length}`
    paths.push(path)
    return names.push(compile() ? name : anyValue()) - 1

    function compile(): boolean {
      try {
        if (!isReferenceOnly) ajv.addSchema(object, name)
        ajv.getSchema(name)
        return true
      } catch (error) {
        notes.add(path, `This schema cannot be compiled: ${(error as Error).message}`, 'any value is accepted')
        return false
      }
    }
  }

  /** Returns the schema of a view: without hidden properties, annotations and `nullable`, and with `$ref`s by name. */
  function toView(schema: Located<Schema>, view: View): Schema {
    return mapSchema(schema, (located) => {
      const { description, title, example, examples, default: _, nullable, ...keywords } = located.value
      withIntegerBounds(keywords)
      const hidden = Object.entries(keywords.properties ?? {})
        .filter(([name, value]) =>
          hasFlag(
            document,
            { value, path: [...located.path, 'properties', name] },
            view === 'request' ? 'readOnly' : 'writeOnly',
          ),
        )
        .map(([name]) => name)
      if (hidden.length > 0) {
        keywords.properties = Object.fromEntries(
          Object.entries(keywords.properties ?? {}).filter(([name]) => !hidden.includes(name)),
        )
        if (keywords.required) keywords.required = keywords.required.filter((name) => !hidden.includes(name))
      }
      withPrototypeName(keywords)
      if (isReference(keywords)) keywords.$ref = reference(keywords.$ref, located.path, view)
      return keywords
    })
  }

  /** Returns the name of a referenced schema in a view. Views with equal schemas share one. */
  function reference($ref: string, from: readonly (string | number)[], view: View): string {
    const id = `${view} ${$ref}`
    const known = references.get(id)
    if (known !== undefined) return known
    const name = `schema${references.size}`
    references.set(id, name)
    const target = resolve<Schema>(document, { $ref }, from)
    // Takes only one step, so that the siblings of each `$ref` in a chain are kept.
    const schema = asObject(toView({ value: target.value, path: fromPointer($ref, from) }, view))
    const content = JSON.stringify(schema)
    const equal = byContent.get(content)
    if (equal !== undefined) {
      references.set(id, equal)
      return equal
    }
    byContent.set(content, name)
    ajv.addSchema(schema, name)
    return name
  }

  /** The name of a schema that accepts every value. */
  function anyValue(): string {
    if (!ajv.getSchema('any')) ajv.addSchema({}, 'any')
    return 'any'
  }

  function objectOf(members: ObjectMembers): SchemaObject {
    const entries = Object.entries(members)
    const required = entries.filter(([, member]) => member.required).map(([name]) => name)
    // Without `type`: the decoder always makes an object.
    const object: SchemaObject = {
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(
        entries.map(([name, { schema }]) => [name, isLocated(schema) ? toView(schema, 'request') : objectOf(schema)]),
      ),
    }
    withPrototypeName(object)
    return object
  }

  return {
    paths,
    add: (schema, view) => register(toView(schema, view), schema.path),
    addObject: (members) => register(objectOf(members), []),
    toFunctions: () => names.map((name) => ajv.getSchema(name) as Validate),
    toModule() {
      if (names.length === 0) return 'export const validators = []\n'
      const code = standalone.default(
        ajv,
        Object.fromEntries(names.map((name, number) => [`validator${number}`, name])),
      )
      // Export the validators by number only.
      const functions: string[] = []
      const body = code.replace(/export const validator\d+ = (\w+);/g, (_, name: string) => {
        functions.push(name)
        return ''
      })
      return `${body}\nexport const validators = [${functions.join(', ')}]\n`
    },
  }
}

/** Ajv copies all errors before it adds those of a `$ref`: with 50,000 wrong items that takes minutes. */
function addErrors(code: string): string {
  return code.replaceAll(
    /vErrors\.concat\((\w+)\.errors\)/g,
    '($1.errors.forEach((error) => void vErrors.push(error)), vErrors)',
  )
}

/** An instance of Ajv that knows the formats that are patterns. */
function createAjv(own: Options): Ajv2020 {
  const ajv = new Ajv2020({ ...options, ...own })
  for (const [name, format] of Object.entries({ ...fullFormats, ...formats })) {
    if (format instanceof RegExp) ajv.addFormat(name, format)
  }
  return ajv
}

/** Compiles a validator of whole documents from the official JSON Schema: draft 4 for 3.0, draft 2020-12 for others. */
export function compileDocumentCheck(version: OpenApiVersion, schema: object): Validate {
  const checkOptions = { ...options, validateFormats: false }
  const ajv = version === '3.0' ? new Ajv04.default(checkOptions) : new Ajv2020(checkOptions)
  return ajv.compile(schema) as Validate
}

/** Whether the document has a name that all objects inherit, such as `constructor`. Other documents skip a check. */
function mentionsInherited(document: OpenApiDocument): boolean {
  const text = JSON.stringify(document)
  return Object.getOwnPropertyNames(Object.prototype).some((name) => text.includes(`"${name}"`))
}

function isLocated(schema: Located<Schema> | ObjectMembers): schema is Located<Schema> {
  return Array.isArray(schema['path'])
}

function asObject(schema: Schema): SchemaObject {
  return typeof schema === 'boolean' ? { allOf: [schema] } : schema
}

/** Replaces integer formats by bounds, so that validators need no format. 2^63 is a double, 2^63−1 is not. */
function withIntegerBounds(schema: SchemaObject): void {
  if (schema.format !== 'int64' && schema.format !== 'int32') return
  const end = schema.format === 'int64' ? int64End : 2 ** 31
  schema.minimum = Math.max(schema.minimum ?? -end, -end)
  schema.exclusiveMaximum = Math.min(schema.exclusiveMaximum ?? end, end)
  delete schema.format
}

/** Ajv passes over a property of the name `__proto__`, but not over a pattern that only this name matches. */
function withPrototypeName(schema: SchemaObject): void {
  const own = ownValue(schema.properties ?? {}, '__proto__')
  if (own === undefined) return
  const others = Object.entries(schema.properties ?? {}).filter(([name]) => name !== '__proto__')
  schema.properties = Object.fromEntries(others)
  schema.patternProperties = { ...schema.patternProperties, '^__proto__$': own }
}
