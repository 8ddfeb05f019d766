/** Compiles JSON Schemas to validators: to functions, or to the code of a module. Only this module uses Ajv. */
import { _, Ajv2020, type KeywordCxt, type Name, type Options } from 'ajv/dist/2020.js'
import { _Code } from 'ajv/dist/compile/codegen/code.js'
import standalone from 'ajv/dist/standalone/index.js'
import { default as Ajv04 } from 'ajv-draft-04'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Validate } from '../../contract/validator.js'
import type { DocumentPath, Located, OpenApiDocument, OpenApiVersion, Schema, SchemaObject } from '../document.js'
import type { Notes } from '../notes.js'
import { once } from '../once.js'
import { boundPattern } from './bounded-pattern.js'
import { toComparableText } from './comparable-text.js'
import type { View } from './compile-shapes.js'
import { remember, toLazy } from './lazy-validator.js'
import { withPrototypeName } from './rewrite-schema.js'
import { asObject, createViews } from './schema-views.js'
import { formats } from './string-formats.js'

export interface ValidatorCompiler {
  /** Adds a validator for a schema in the document. @returns its number */
  add(schema: Located<Schema>, view: View): number
  /** Adds a validator for an object whose members have schemas in the document. @returns its number */
  addObject(members: ObjectMembers): number
  /** Returns the validators, each of which is compiled when it is used for the first time. */
  toFunctions(): Validate[]
  /** Compiles what is not compiled yet, so that all notes are there. */
  compileAll(): void
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

/**
 * @param notes gets schemas that cannot be compiled, for which every value is valid
 * @param options whether the code is for a module: shorter, but making it takes quadratic time for large schemas
 */
export function createValidatorCompiler(
  document: OpenApiDocument,
  notes: Notes,
  { isForModule }: { isForModule: boolean },
): ValidatorCompiler {
  // Most documents need no validator to start.
  const toAjv = once(() => createValidating(document, isForModule))
  const toView = createViews(document, notes, {
    isForModule,
    add: (schema, name) => void toAjv().addSchema(schema, name),
  })
  /** The schemas in the order of their validators, each converted when it is needed. */
  const schemas: (() => Schema)[] = []
  const paths: DocumentPath[] = []
  /** Names of schemas: thousands of operations may have the same parameters. */
  const byContent = new Map<string, string>()

  function register(toSchema: () => Schema, path: DocumentPath): number {
    paths.push(path)
    return schemas.push(toSchema) - 1
  }

  /** Adds a schema to the compiler. @returns its name there */
  const nameOf = remember((number: number): string => {
    const object = asObject(schemas[number]?.() ?? true)
    const isReferenceOnly = object.$ref !== undefined && Object.keys(object).length === 1
    if (isReferenceOnly) return object.$ref as string
    const name = `own${number}`
    const content = isForModule ? name : JSON.stringify(object)
    const equal = byContent.get(content)
    if (equal !== undefined) return equal
    byContent.set(content, name)
    toAjv().addSchema(object, name)
    return name
  })

  const validatorOf = remember((number: number): Validate => {
    try {
      const validate = toAjv().getSchema(nameOf(number)) as Validate
      // V8 compiles it at the first call, and has no room on its stack for too deeply nested code.
      validate(undefined)
      return validate
    } catch (error) {
      const message = `This schema cannot be compiled: ${(error as Error).message}`
      notes.add(paths[number] ?? [], message, 'any value is accepted')
      return toAjv().compile({}) as Validate
    }
  })

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
    add: (schema, view) => register(() => toView(schema, view), schema.path),
    addObject: (members) => register(() => objectOf(members), []),
    toFunctions: () => schemas.map((_, number) => toLazy(() => validatorOf(number))),
    compileAll() {
      for (const number of schemas.keys()) validatorOf(number)
    },
    toModule() {
      if (schemas.length === 0) return 'export const validators = []\n'
      const code = standalone.default(
        toAjv(),
        Object.fromEntries(schemas.map((_, number) => [`validator${number}`, nameOf(number)])),
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

/** An instance for the schemas of a document. */
function createValidating(document: OpenApiDocument, isForModule: boolean): Ajv2020 {
  const texts = textsIn(document)
  // Names that all objects inherit, such as `constructor`. Other documents skip a check.
  const ownProperties = Object.getOwnPropertyNames(Object.prototype).some((name) => texts.has(name))
  const code = isForModule
    ? { source: true, esm: true, process: addErrors }
    : { optimize: false, regExp, process: (text: string) => keepResults(addErrors(text)) }
  // A document that was read has only valid schemas.
  const ajv = createAjv({ ownProperties, validateSchema: false, code, inlineRefs: maxInlined })
  // Otherwise Ajv collects the properties of each part of a schema, which takes quadratic time for thousands of parts.
  ajv.opts.unevaluated = texts.has('unevaluatedProperties') || texts.has('unevaluatedItems')
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: '', params: _`{}` },
    code(context: KeywordCxt) {
      const { data, schema } = context
      if (schema !== true) return
      const toText = scopeToText(context)
      context.fail(_`${data}.length > 1 && new Set(${data}.map((item) => ${toText}(item))).size < ${data}.length`)
    },
  })
  compareByText(ajv, 'enum', (schema) => (Array.isArray(schema) ? schema : []))
  compareByText(ajv, 'const', (schema) => [schema])
  return ajv
}

/** Ajv calls `toString` and `valueOf` of objects that it compares, which callers may send as properties. */
function compareByText(ajv: Ajv2020, keyword: string, toAllowed: (schema: unknown) => unknown[]): void {
  const definition = ajv.getKeyword(keyword)
  if (typeof definition === 'boolean' || !('code' in definition)) return
  ajv.removeKeyword(keyword).addKeyword({
    ...definition,
    code(context, rule) {
      const allowed = toAllowed(context.schema)
      if (!allowed.some((value) => typeof value === 'object' && value !== null)) {
        definition.code(context, rule)
        return
      }
      const texts = allowed.map(toComparableText)
      const known = context.gen.scopeValue('schema', { ref: texts, code: new _Code(JSON.stringify(texts)) })
      context.pass(_`${known}.includes(${scopeToText(context)}(${context.data}))`)
    },
  })
}

function scopeToText({ gen }: KeywordCxt): Name {
  return gen.scopeValue('func', { ref: toComparableText, code: new _Code(`(${toComparableText})`) })
}

/** Ajv takes the property `code` as the code of this function in a module. */
const regExp = Object.assign((pattern: string) => boundPattern(pattern) ?? /(?:)/, { code: 'new RegExp' })

/** Keywords of a schema without a `$ref` that is repeated wherever a `$ref` leads to it. Without a limit, Ajv takes time that doubles with each level. */
const maxInlined = 1_000

/** Calls of one validation after which a result is kept: most validations need no more than a few. */
const callsUntilKept = 1_000

/**
 * Lets the function of a schema keep its results for each object: alternatives that refer to schemas with alternatives
 * would judge the same objects again and again, which takes exponential time. All functions of one validation have the
 * same object `dynamicAnchors`. An invalid result is repeated with one of its errors, whose number would grow in the
 * same way.
 */
function keepResults(code: string): string {
  const name = /return function (validate\d+)\(/.exec(code)?.[1]
  if (name === undefined) return code
  const judging = code.replace(`return function ${name}(`, 'const judge = function (')
  return `${judging}
function ${name}(data, context = {}) {
  const run = (context.dynamicAnchors ??= {})
  run.calls = (run.calls ?? 0) + 1
  if (run.calls < ${callsUntilKept} || typeof data !== 'object' || data === null) return judge(data, context)
  run.kept ??= new Map()
  let kept = run.kept.get(judge)
  if (!kept) run.kept.set(judge, (kept = new Map()))
  const known = kept.get(data)
  if (known) {
    ${name}.errors = known.errors
    ${name}.evaluated = known.evaluated
    return known.errors === null
  }
  const isValid = judge(data, context)
  kept.set(data, { errors: isValid ? null : ${name}.errors.slice(0, 1), evaluated: ${name}.evaluated })
  return isValid
}
return ${name}`
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

/** Compiles a validator of whole documents from the official JSON Schema: draft 4 up to 3.0, draft 2020-12 for others. */
export function compileDocumentCheck(version: OpenApiVersion, schema: object): Validate {
  const checkOptions = { ...options, validateFormats: false, code: { process: addErrors } }
  const ajv = version === '2.0' || version === '3.0' ? new Ajv04.default(checkOptions) : new Ajv2020(checkOptions)
  return ajv.compile(schema) as Validate
}

/** All names and texts in a document up to the length of the longest keyword. */
function textsIn(document: OpenApiDocument): Set<string> {
  const texts = new Set<string>()
  const add = (text: string) => text.length <= maxKeyword && texts.add(text)
  const seen = new Set<unknown>()
  const open: unknown[] = [document]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') add(value)
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (!Array.isArray(value)) for (const name of Object.keys(value)) add(name)
    for (const inner of Object.values(value)) open.push(inner)
  }
  return texts
}

const maxKeyword = 'unevaluatedProperties'.length

function isLocated(schema: Located<Schema> | ObjectMembers): schema is Located<Schema> {
  return Array.isArray(schema['path'])
}
