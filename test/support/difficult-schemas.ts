/** Schemas that are difficult to generate data for. */
import { record, text, whole } from './generated.js'

/** Schemas by kind of difficulty. Each is the record of a collection with that name. */
export const schemas: Record<string, object> = {
  formats: record({
    at: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    time: { type: 'string', format: 'time' },
    lasting: { type: 'string', format: 'duration' },
    mail: { type: 'string', format: 'email' },
    page: { type: 'string', format: 'uri' },
    path: { type: 'string', format: 'uri-reference' },
    template: { type: 'string', format: 'uri-template' },
    uuid: { type: 'string', format: 'uuid' },
    host: { type: 'string', format: 'hostname' },
    four: { type: 'string', format: 'ipv4' },
    six: { type: 'string', format: 'ipv6' },
    bytes: { type: 'string', format: 'byte' },
    pointer: { type: 'string', format: 'json-pointer' },
    own: { type: 'string', format: 'of-the-house' },
  }),
  lengths: record({
    code: { type: 'string', minLength: 3, maxLength: 3 },
    name: { type: 'string', minLength: 1, maxLength: 8 },
    long: { type: 'string', minLength: 200 },
    none: { type: 'string', maxLength: 0 },
  }),
  patterns: record({
    number: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
    colour: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
    bounded: { type: 'string', pattern: '[a-z]', minLength: 5, maxLength: 6 },
    // The generator does not support the pattern, so the examples are used.
    word: { type: 'string', pattern: '^\\p{Lu}\\p{Ll}+$', example: 'Élan' },
    password: { type: 'string', pattern: '^(?=.*\\d)[a-z\\d]{4}$', examples: ['abc1'] },
  }),
  numbers: record({
    one: { type: 'integer', minimum: 5, maximum: 5 },
    part: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    sevens: { type: 'integer', multipleOf: 7 },
    cents: { type: 'number', multipleOf: 0.01, minimum: 1, maximum: 2 },
    small: { type: 'integer', format: 'int32' },
    big: { type: 'integer', format: 'int64' },
    bounds: { type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 },
    negative: { type: 'integer', maximum: -5 },
    far: { type: 'integer', minimum: 1_000_000_000_000, maximum: 1_000_000_000_003 },
    narrow: { type: 'number', minimum: 0.001, maximum: 0.002 },
  }),
  lists: record({
    tags: { type: 'array', items: text, minItems: 2, maxItems: 4, uniqueItems: true },
    all: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 3 },
    pair: { type: 'array', prefixItems: [{ type: 'number' }, text], minItems: 2, maxItems: 2 },
    many: { type: 'array', items: whole, minItems: 10, maxItems: 1000 },
    lines: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/line' } },
  }),
  composed: {
    allOf: [
      { type: 'object', required: ['id'], properties: { id: whole } },
      { $ref: '#/components/schemas/line' },
      { required: ['extra'], properties: { sku: { maxLength: 8 }, extra: { oneOf: [text, whole, { type: 'null' }] } } },
    ],
  },
  alternatives: {
    oneOf: [{ $ref: '#/components/schemas/cat' }, { $ref: '#/components/schemas/dog' }],
    discriminator: { propertyName: 'kind' },
  },
  overlapping: {
    type: 'object',
    properties: { id: whole, left: text, right: text },
    oneOf: [{ required: ['left'] }, { required: ['right'] }],
  },
  conditional: {
    ...record({ kind: { enum: ['a', 'b'] } }),
    if: { properties: { kind: { const: 'a' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['more'], properties: { more: whole } },
  },
  nullable: record({
    when: { type: ['string', 'null'], format: 'date-time' },
    line: { anyOf: [{ $ref: '#/components/schemas/line' }, { type: 'null' }] },
    choice: { enum: ['x', 'y', null] },
  }),
  recursive: {
    type: 'object',
    required: ['id', 'next', 'children'],
    properties: {
      id: whole,
      next: { anyOf: [{ $ref: '#/components/schemas/recursive' }, { type: 'null' }] },
      parent: { $ref: '#/components/schemas/recursive' },
      children: { type: 'array', items: { $ref: '#/components/schemas/recursive' } },
    },
  },
  closed: { ...record({ shown: text, hidden: { type: 'string', writeOnly: true } }), additionalProperties: false },
  maps: record({
    labels: { type: 'object', minProperties: 2, additionalProperties: text },
    prefixed: { type: 'object', patternProperties: { '^x-': whole }, additionalProperties: false },
    anything: {},
  }),
  dependent: {
    type: 'object',
    properties: { id: whole, card: text, billing: text },
    dependentRequired: { card: ['billing'] },
  },
  uuids: record({ count: whole }, { type: 'string', format: 'uuid' }),
  strings: record({ count: whole }, text),
  coded: record({ count: whole }, { type: 'string', pattern: '^ord_[0-9a-f]{6}$' }),
  bounded: record({}, { type: 'integer', minimum: 1000 }),
}
