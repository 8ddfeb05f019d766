// Making values valid by fill plans, judged by Ajv with its own formats.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OpenApiDocument, Schema, SchemaObject } from '../../src/document/document.js'
import { createNotes } from '../../src/document/notes.js'
import { ensureValid } from '../../src/json/sampler/ensure-valid.js'
import { createPlanCompiler } from '../../src/schemas/compile-plans.js'
import { createValidatorCompiler } from '../../src/schemas/compile-validators.js'
import { createValueLooks } from '../../src/values/value-looks.js'

/** Schemas that refer to each other. */
const schemas: Record<string, Schema> = {
  Node: {
    type: 'object',
    required: ['name', 'children'],
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
  },
  Chain: {
    type: 'object',
    required: ['value'],
    properties: {
      value: { type: 'integer' },
      next: { anyOf: [{ $ref: '#/components/schemas/Chain' }, { type: 'null' }] },
    },
  },
  Loop: { type: 'object', required: ['loop'], properties: { loop: { $ref: '#/components/schemas/Loop' } } },
  Cat: {
    type: 'object',
    required: ['kind', 'lives'],
    properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
  },
  Dog: { type: 'object', required: ['kind', 'bark'], properties: { kind: { const: 'dog' }, bark: { type: 'string' } } },
}
const references = { Cat: { $ref: '#/components/schemas/Cat' }, Dog: { $ref: '#/components/schemas/Dog' } }

/** One for all documents, as it compiles the schema of schemas first. */
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 9 }))
let documents = 0

function compile(schema: Schema) {
  const document: OpenApiDocument = { openapi: '3.1.0', components: { schemas: { ...schemas, Root: schema } } }
  const located = { value: schema, path: ['components', 'schemas', 'Root'] }
  const validators = createValidatorCompiler(document, createNotes(), { isForModule: false })
  const number = validators.add(located, 'response')
  const [judge] = [validators.toFunctions()[number]]
  const plans = createPlanCompiler(document, createValueLooks())
  const plan = plans.add(schema)
  if (!judge) throw new Error('The validator has just been added')
  const ensure = (value: unknown, seed = 1) => ensureValid({ value, judge, plans: plans.plans, plan, seed })
  const id = `document-${documents++}`
  ajv.addSchema(document, id)
  const isValid = ajv.compile({ $ref: `${id}#/components/schemas/Root` })
  return { ensure, isValid, isOwn: (value: unknown) => judge(value) }
}

const text = (keywords: SchemaObject): SchemaObject => ({ type: 'string', ...keywords })
const whole = (keywords: SchemaObject): SchemaObject => ({ type: 'integer', ...keywords })
const record = (properties: Record<string, Schema>, keywords: SchemaObject = {}): SchemaObject => {
  return { type: 'object', properties, required: Object.keys(properties), ...keywords }
}

const possible: Record<string, Schema> = {
  anything: true,
  'a text': text({}),
  'a long text': text({ minLength: 300 }),
  'a short text': text({ maxLength: 2 }),
  'an exact length': text({ minLength: 7, maxLength: 7 }),
  'an enum': { enum: ['a', 2, null] },
  'an enum with a type': { type: 'integer', enum: ['a', 2, null] },
  'a constant': { const: { deep: [1] } },
  'a pattern': text({ pattern: '^cus_[A-Za-z0-9]{14}$' }),
  'a pattern of alternatives': text({ pattern: '^(?:ab|cd+)-[^a-y\\d]{2,3}$' }),
  'a pattern with a look-ahead': text({ pattern: '^(?=.*\\d)(?=.*[a-z])[a-z0-9]{8}$' }),
  'a pattern with bounds': text({ pattern: '^[a-z]+$', minLength: 20, maxLength: 25 }),
  'a pattern of letters': text({ pattern: '^\\p{Lu}\\p{Ll}+$' }),
  'a pattern without anchors': text({ pattern: '\\d{4}-\\d{2}' }),
  'a whole number': whole({ minimum: 5, maximum: 5 }),
  'a negative number': whole({ maximum: -3 }),
  'a number between exclusive bounds': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
  'a multiple': whole({ multipleOf: 7, minimum: 20, maximum: 22 }),
  'a decimal multiple': { type: 'number', multipleOf: 0.05, minimum: 0.3 },
  'several types': { type: ['null', 'integer'] },
  'unique items': { type: 'array', items: whole({ minimum: 1, maximum: 5 }), minItems: 5, uniqueItems: true },
  'at most one item': { type: 'array', items: text({}), maxItems: 1 },
  'first items': { type: 'array', prefixItems: [{ const: 1 }, text({})], items: false, minItems: 2 },
  'a contained item': { type: 'array', contains: { const: 'x' }, minContains: 2 },
  'nested objects': record({ a: record({ b: record({ c: text({ format: 'uuid' }) }) }) }),
  'no other properties': record({ a: whole({}) }, { additionalProperties: false }),
  'enough properties': record({}, { minProperties: 3, additionalProperties: whole({}) }),
  'enough named properties': record({}, { minProperties: 2, propertyNames: { pattern: '^x-[a-z]{3}$' } }),
  'properties by pattern': {
    ...record({}),
    minProperties: 1,
    patternProperties: { '^n\\d$': whole({}) },
    additionalProperties: false,
  },
  'dependent properties': {
    ...record({ a: whole({}) }),
    dependentRequired: { a: ['b'] },
    additionalProperties: text({}),
  },
  'a required name that is not described': { type: 'object', required: ['x', '__proto__', 'constructor'] },
  'parts of an allOf': { allOf: [record({ a: text({}) }), record({ b: whole({}) }), { minProperties: 2 }] },
  'one of several': { oneOf: [references.Cat, references.Dog] },
  'any of several': { anyOf: [references.Cat, references.Dog, { type: 'null' }] },
  'a discriminator': {
    oneOf: [references.Cat, references.Dog],
    ...{ discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } } },
  },
  'a tree': { $ref: '#/components/schemas/Node' },
  'a chain': { $ref: '#/components/schemas/Chain' },
  'what is not': { allOf: [whole({ minimum: 1, maximum: 3 }), { not: { const: 2 } }] },
  'a condition': {
    ...record({ kind: { enum: ['a', 'b'] } }),
    if: { properties: { kind: { const: 'a' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['x'], properties: { x: whole({}) } },
    else: { required: ['y'] },
  },
  'a hidden property': {
    type: 'object',
    required: ['id'],
    properties: { id: whole({}), secret: text({ writeOnly: true }) },
  },
}
const formats = [
  'date-time',
  'date',
  'time',
  'duration',
  'uuid',
  'email',
  'uri',
  'uri-reference',
  'hostname',
  'ipv4',
  'ipv6',
]
for (const format of [...formats, 'byte', 'json-pointer', 'regex', 'uri-template', 'unknown']) {
  possible[`the format ${format}`] = text({ format })
}

const wrong = [undefined, null, true, 0, -1e6, 1.5, 'x', '', [], [1, 'a', null, {}], {}, { a: 1, kind: 'dog', b: [] }]

describe.each(Object.entries(possible))('%s', (_, schema) => {
  const { ensure, isValid, isOwn } = compile(schema)

  it.each(wrong.map((value) => [JSON.stringify(value), value]))('is made from %s', (_shown, value) => {
    const made = ensure(value)
    expect(made === undefined ? 'nothing' : isValid(made), JSON.stringify(made)).toBe(true)
  })

  it('keeps what is valid, and is the same for the same seed', () => {
    const made = ensure(undefined)
    expect(ensure(made)).toBe(made)
    expect(ensure(undefined)).toEqual(made)
    expect(isOwn(made)).toBe(true)
  })
})

describe('what cannot be made', () => {
  const impossible: Record<string, Schema> = {
    nothing: false,
    'an endless object': { $ref: '#/components/schemas/Loop' },
    'opposite bounds': whole({ minimum: 3, maximum: 2 }),
    'a text of a billion characters': text({ minLength: 1_000_000_000 }),
    'a list of a billion items': { type: 'array', minItems: 1_000_000_000, items: text({}) },
    'two constants': { allOf: [{ const: 1 }, { const: 2 }] },
    'too few values to be unique': { type: 'array', items: { enum: [1, 2] }, minItems: 3, uniqueItems: true },
  }

  it.each(Object.entries(impossible))('is %s', (_, schema) => {
    expect(compile(schema).ensure({ a: 1 })).toBeUndefined()
  })
})

describe('what a value keeps', () => {
  it.each<[name: string, schema: Schema, value: unknown, kept: unknown]>([
    ['its known properties', record({ a: text({}), b: { const: 2 } }), { a: 'own', x: 1 }, { a: 'own', x: 1, b: 2 }],
    ['the start of a text', record({ message: text({ maxLength: 5 }) }), { message: 'too long' }, { message: 'too l' }],
    ['the nearest number', whole({ maximum: 9 }), 12, 9],
    ['the items of a list', { type: 'array', items: whole({}), maxItems: 2 }, [1, 2, 3], [1, 2]],
    [
      'what tells alternatives apart',
      { oneOf: [references.Cat, references.Dog] },
      { kind: 'dog', bark: 'x', lives: 'y' },
      { kind: 'dog', bark: 'x', lives: 'y' },
    ],
    [
      'no property that is not allowed',
      record({ a: text({}) }, { additionalProperties: false }),
      { a: 'x', b: 1 },
      { a: 'x' },
    ],
    [
      'every digit',
      record({ a: whole({}), b: { const: 1 } }),
      { a: 9007199254740993n },
      { a: 9007199254740993n, b: 1 },
    ],
    [
      'null where it is allowed',
      record({ a: { type: ['string', 'null'] }, b: { const: 1 } }),
      { a: null },
      { a: null, b: 1 },
    ],
  ])('is %s', (_, schema, value, kept) => {
    expect(compile(schema).ensure(value)).toEqual(kept)
  })
})

describe('any schema', () => {
  const scalar = fc.oneof(
    fc
      .record({ minLength: fc.nat(20), extra: fc.nat(20) })
      .map(({ minLength, extra }) => text({ minLength, maxLength: minLength + extra })),
    fc
      .tuple(fc.integer({ min: -1000, max: 1000 }), fc.nat(50))
      .map(([minimum, width]) => whole({ minimum, maximum: minimum + width })),
    fc.constantFrom<Schema>(
      { type: 'boolean' },
      { type: 'null' },
      { enum: ['a', 1, null, { x: [] }] },
      { const: 'c' },
      true,
    ),
    fc.constantFrom(...formats).map((format) => text({ format })),
  )
  const { schema: anySchema } = fc.letrec<{ schema: Schema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar,
      fc.record({ items: tie('schema'), minItems: fc.nat(3) }).map((keywords) => ({ type: 'array', ...keywords })),
      fc
        .record({
          properties: fc.dictionary(fc.string({ maxLength: 4 }), tie('schema'), { maxKeys: 4 }),
          isClosed: fc.boolean(),
          isRequired: fc.boolean(),
        })
        .map(({ properties, isClosed, isRequired }) => ({
          type: 'object',
          properties,
          ...(isClosed ? { additionalProperties: false } : {}),
          ...(isRequired ? { required: Object.keys(properties) } : {}),
        })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    ),
  }))

  it('is satisfied, whatever the value was', () => {
    fc.assert(
      fc.property(anySchema, fc.jsonValue(), fc.nat(), (schema, value, seed) => {
        const { ensure, isValid } = compile(schema)
        const made = ensure(value, seed)
        expect(made).toBeDefined()
        expect(isValid(made), JSON.stringify({ schema, value, made })).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})
