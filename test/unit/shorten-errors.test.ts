// The validators of written handlers: shorter, with the same verdicts and errors.

import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import type { Validate } from '../../src/contract/validator.js'
import type { OpenApiDocument } from '../../src/document/document.js'
import { createNotes } from '../../src/document/notes.js'
import { createValidatorCompiler } from '../../src/schemas/compile-validators.js'

/** Texts of a document that look like the code that is shortened. */
const codeLike = [
  'const err0 = {instancePath:instancePath+"/a",schemaPath:"#/a",keyword:"type",params:{type: "string"}};',
  'const err1 = {instancePath,schemaPath:"#",keyword:"x",params:{}};if(vErrors === null){vErrors = [err1];}else {vErrors.push(err1);}errors++;',
  ',parentData:data0,parentDataProperty:"a",rootData,dynamicAnchors}',
  ', parentData, parentDataProperty, rootData=data, dynamicAnchors={}}',
  'a"b\\',
]

const tree = {
  type: 'object',
  required: ['name', ...codeLike],
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 9, pattern: '^[^"{}]+$' },
    children: { type: 'array', items: { $ref: '#/components/schemas/Tree' }, maxItems: 2, uniqueItems: true },
    size: { type: ['integer', 'null'], minimum: 1, multipleOf: 3 },
    kind: { enum: [...codeLike, ...'abcdefghijklmnopqr'] },
    either: {
      oneOf: [{ type: 'string' }, { type: 'object', required: ['a'], properties: { a: { const: codeLike[0] } } }],
    },
    map: { type: 'object', additionalProperties: { type: 'number' }, propertyNames: { maxLength: 3 } },
    none: { not: {} },
    ...Object.fromEntries(codeLike.map((text) => [text, { type: 'boolean' }])),
  },
  additionalProperties: false,
}

const values: unknown[] = [
  undefined,
  null,
  'text',
  [],
  {},
  { name: 'x' },
  { name: 'ab{}cdefghijkl', size: 2, kind: 'z', map: { abcd: 'x' }, none: 1, either: { a: 1 }, other: 1 },
  {
    name: 'good',
    size: null,
    kind: codeLike[1],
    either: { a: codeLike[0] },
    ...Object.fromEntries(codeLike.map((text) => [text, true])),
  },
  { name: 'good', children: [{ name: 'x', children: [{}] }, { name: 'x', children: [{}] }, 1] },
  Object.fromEntries(codeLike.map((text) => [text, 'no boolean'])),
]

describe('shortened validators', () => {
  const document = { openapi: '3.1.0', components: { schemas: { Tree: tree } } } as unknown as OpenApiDocument
  const createOwn = () => {
    const compiler = createValidatorCompiler(document, createNotes(), { isForModule: true })
    compiler.add({ value: tree, path: ['components', 'schemas', 'Tree'] } as never, 'request')
    return compiler
  }
  const [long] = createOwn().toFunctions() as [Validate]
  const code = createOwn().toFunctionBody()
  const [short] = new Function('require', 'exports', code)(createRequire(import.meta.url), {}) as [Validate]

  const errorsOf = (validate: Validate, value: unknown) => {
    const isValid = validate(value)
    return {
      isValid,
      errors: validate.errors?.map(({ instancePath, keyword, params }) => ({ instancePath, keyword, params })) ?? null,
    }
  }

  it.each(values.map((value) => [JSON.stringify(value)?.slice(0, 60), value]))(
    'judge %s like the others',
    (_, value) => {
      expect(errorsOf(short, value)).toEqual(errorsOf(long, value))
    },
  )

  it('are shorter', () => {
    expect(code).toContain('addError(v, instancePath+"/name", "type"')
    expect(code.length).toBeLessThan(0.75 * createOwn().toModule().length)
  })
})
