/** Compiles JSON Schemas to validators: to functions, or to the code of a module. */

import standalone from 'ajv/dist/standalone/index.js'
import type { Validate } from '../contract/validator.js'
import type { DocumentPath, Located, OpenApiDocument, Schema, SchemaObject } from '../document/document.js'
import type { Notes } from '../document/notes.js'
import { once } from '../document/once.js'
import { getOrInsert } from '../json/own-value.js'
import { createValidating } from './create-ajv.js'
import type { View } from './flatten-schema.js'
import { withPrototypeName } from './rewrite-schema.js'
import { asObject, createViews } from './schema-views.js'
import { shortenErrors } from './shorten-errors.js'

export interface ValidatorCompiler {
  /** Adds a validator for a schema in the document. @returns its number */
  add(schema: Located<Schema>, view: View): number
  /** Adds a validator for an object whose members have schemas in the document. @returns its number */
  addObject(members: ObjectMembers): number
  /** Returns the validators. Each is compiled on first use. */
  toFunctions(): Validate[]
  /** Compiles all remaining validators, so that all notes are collected. */
  compileAll(): void
  /** Paths of the schemas in the document, in the order of their validators. */
  paths: DocumentPath[]
  /** Returns the code of an ES module that exports the array `validators`. */
  toModule(): string
  /** Returns the code of a function with the parameters `require` and `exports` that returns the validators. */
  toFunctionBody(): string
}

export interface ObjectMembers {
  [name: string]: { schema: Located<Schema> | ObjectMembers; required: boolean }
}

/**
 * @param notes collects schemas that cannot be compiled, for which every value is valid
 * @param options whether the code is for a module: shorter, but making it takes quadratic time for large schemas
 */
export function createValidatorCompiler(
  document: OpenApiDocument,
  notes: Notes,
  { isForModule }: { isForModule: boolean },
): ValidatorCompiler {
  // Created on first use, because most documents need no validator to start.
  const toAjv = once(() => createValidating(document, isForModule, (name) => compile(() => name, targets.get(name))))
  /** The targets of `$ref`s, each after the targets in it. */
  const targets = new Map<string, DocumentPath>()
  const toView = createViews(document, notes, {
    isForModule,
    add: (schema, name, path) => {
      toAjv().addSchema(schema, name)
      targets.set(name, path)
    },
  })
  /** The schemas in the order of their validators, each converted on first use. */
  const schemas: (() => Schema)[] = []
  const paths: DocumentPath[] = []
  /** Names of schemas by content, because thousands of operations may have the same parameters. */
  const byContent = new Map<string, string>()

  function register(toSchema: () => Schema, path: DocumentPath): number {
    paths.push(path)
    return schemas.push(toSchema) - 1
  }

  /** Adds a schema to the compiler. @returns its name there */
  function addSchema(number: number): string {
    const object = asObject(schemas[number]?.() ?? true)
    const isReferenceOnly = object.$ref !== undefined && Object.keys(object).length === 1
    if (isReferenceOnly) return object.$ref as string
    const name = `own${number}`
    return getOrInsert(byContent, isForModule ? name : JSON.stringify(object), () => {
      toAjv().addSchema(object, name)
      return name
    })
  }

  const names = new Map<number, string>()
  const schemaName = (number: number) => getOrInsert(names, number, () => addSchema(number))
  const validators = new Map<number, Validate>()
  const validatorOf = (number: number) =>
    getOrInsert(validators, number, () => compile(() => schemaName(number), paths[number]))

  function compile(toName: () => string, path: DocumentPath = []): Validate {
    try {
      const validate = toAjv().getSchema(toName()) as Validate
      // V8 compiles it at the first call, which overflows the stack if the code is nested too deeply.
      validate(undefined)
      return validate
    } catch (error) {
      const message = `This schema cannot be compiled: ${(error as Error).message}`
      notes.add(path, message, 'any value is accepted')
      return toAjv().compile({}) as Validate
    }
  }

  function write(esm: boolean): { code: string; list: string } {
    const ajv = toAjv()
    ajv.opts.code.esm = esm
    const own = [...schemas.keys()].map(schemaName)
    // One at a time, because Ajv would overflow the stack in a long chain.
    for (const name of targets.keys()) ajv.getSchema(name)
    const code = standalone.default(ajv, Object.fromEntries(own.map((name, number) => [`validator${number}`, name])))
    return { code, list: `[${own.map((name) => ajv.getSchema(name)?.source?.validateName).join(', ')}]` }
  }

  return {
    paths,
    add: (schema, view) => register(() => toView(schema, view), schema.path),
    addObject: (members) => register(() => objectOf(members, (schema) => toView(schema, 'request')), []),
    toFunctions: () => schemas.map((_, number) => toLazy(() => validatorOf(number))),
    compileAll() {
      for (const number of schemas.keys()) validatorOf(number)
      for (const [name, path] of targets) compile(() => name, path)
    },
    toModule() {
      const { code, list } = write(true)
      return `${code}\nexport const validators = ${list}\n`
    },
    toFunctionBody() {
      const { code, list } = write(false)
      return `${shortenErrors(code)}\nreturn ${list}`
    },
  }
}

function objectOf(members: ObjectMembers, toSchema: (schema: Located<Schema>) => Schema): SchemaObject {
  const entries = Object.entries(members)
  const required = entries.filter(([, member]) => member.required).map(([name]) => name)
  // Without `type`: the decoder always makes an object.
  const object: SchemaObject = {
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      entries.map(([name, { schema }]) => [name, isLocated(schema) ? toSchema(schema) : objectOf(schema, toSchema)]),
    ),
  }
  withPrototypeName(object)
  return object
}

function isLocated(schema: Located<Schema> | ObjectMembers): schema is Located<Schema> {
  return Array.isArray(schema['path'])
}

/** A validator that is compiled at its first call. */
function toLazy(compile: () => Validate): Validate {
  const lazy: Validate = (value, context) => {
    const validate = compile()
    const isValid = validate(value, context)
    lazy.errors = validate.errors ?? null
    return isValid
  }
  return lazy
}
