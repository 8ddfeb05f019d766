/**
 * Effects are compiled from lines alone: if all names of a document and of its lines mean nothing, the service answers the same
 * with these names.
 */
import { createSandbox } from 'petstore-sandbox'
import { beforeAll, expect, it } from 'vitest'
import { Lines } from '../../src/behaviour/line.js'
import { type CompiledContract, compileContract, type DescribedDocument } from '../../src/compile/compile-contract.js'
import type { OpenApiDocument } from '../../src/document/document.js'
import { createNotes } from '../../src/document/notes.js'
import { infer } from '../../src/infer/infer.js'
import { toJson } from '../../src/json/exact-json.js'
import { finish } from '../../src/json/steps.js'
import { describeOperations } from '../../src/schemas/operations/describe-operations.js'
import { ask, standard } from '../support/script.js'
import { integer, list, named, object, oneOfTexts, type Schema, text, time, toDocument } from '../support/sketch.js'

/** Its names are none of those that a model of behaviour has itself, so that each text of the model is a name or is not. */
const document = toDocument(
  {
    'GET /customers': { query: ['per_page', 'page_number', 'city'], 200: pageOf('Customer') },
    'POST /customers': { body: named('NewCustomer'), 201: named('Customer'), 409: named('Problem') },
    'GET /customers/{customer_id}': { 200: named('Customer'), 404: named('Problem') },
    'PATCH /customers/{customer_id}': { body: named('NewCustomer'), 200: named('Customer') },
    'DELETE /customers/{customer_id}': { 204: null },
    'GET /customers/{customer_id}/notes': { query: ['sort_by'], 200: list(named('Note')) },
    'POST /customers/{customer_id}/notes': { body: object({ sentence: text }), 201: named('Note') },
    'GET /customers/{customer_id}/notes/{note_id}': { 200: named('Note') },
    'DELETE /customers/{customer_id}/notes/{note_id}': { 204: null },
    'GET /orders': { query: ['customer_id', 'phase'], 200: list(named('Order')) },
    'POST /orders': { body: named('NewOrder'), 201: named('Order'), 422: named('Problem') },
    'GET /orders/{order_id}': { 200: named('Order') },
    'PUT /orders/{order_id}': { body: named('NewOrder'), 200: named('Order') },
    'POST /orders/{order_id}/cancel': { 200: named('Order') },
    'POST /orders/{order_id}/discount': { body: object({ percent: integer }), 200: named('Order') },
    'GET /customers/{customer_id}/orders': { 200: list(named('Order')) },
  },
  {
    NewCustomer: object({ 'full_name!': text, city: text, email: text }),
    Customer: object({
      'id!': integer,
      'full_name!': text,
      city: text,
      email: text,
      created_at: time,
      updated_at: time,
    }),
    Note: object({ 'id!': integer, customer_id: integer, sentence: text, created_at: time }),
    NewOrder: object({
      customer_id: integer,
      phase: oneOfTexts('new', 'paid', 'cancelled'),
      rows: list(named('Line')),
    }),
    Line: object({ sku: text, amount: integer }),
    Order: object({
      'id!': integer,
      customer_id: integer,
      phase: oneOfTexts('new', 'paid', 'cancelled'),
      rows: list(named('Line')),
      row_count: integer,
      percent: integer,
      cancelled_at: { ...time, type: ['string', 'null'] },
      created_at: time,
    }),
    Problem: object({ reason: text }),
  },
)

const script = `
POST /customers {"full_name":"Ada","city":"Rome","email":"ada@example.com"}
POST /customers {"full_name":"Bo","city":"Oslo"}
POST /customers {"city":"Oslo"}
GET /customers?per_page=1
GET /customers?per_page=1&page_number=2
GET /customers?city=Oslo
PATCH /customers/1 {"full_name":"Ada L.","city":"Milan"}
POST /customers/1/notes {"sentence":"calls on Mondays"}
POST /customers/1/notes {"sentence":"pays late"}
POST /customers/9/notes {"sentence":"?"}
GET /customers/1/notes
GET /customers/2/notes
GET /customers/1/notes/2
DELETE /customers/1/notes/1
POST /orders {"customer_id":1,"rows":[{"sku":"a","amount":2}]}
POST /orders {"customer_id":2,"phase":"paid","rows":[]}
POST /orders {"customer_id":99}
GET /orders?customer_id=1
GET /orders?phase=paid
GET /customers/2/orders
PUT /orders/1 {"customer_id":2,"phase":"paid"}
POST /orders/1/cancel
POST /orders/2/discount {"percent":5}
GET /orders/2
DELETE /customers/2
GET /customers/2
GET /orders
`

function pageOf(name: string): Schema {
  return object({ 'entries!': list(named(name)), total_count: integer, has_more: { type: 'boolean' } })
}

const original = JSON.parse(document) as OpenApiDocument
const names = namesIn(original)
const known = [...names].map((name, index): [string, string] => [
  name,
  `zq${String.fromCharCode(97 + (index % 26))}v${index}`,
])
const there = new Map(known)
const back = new Map(known.map(([name, other]) => [other, name]))

/** The names of the properties and parameters of a document. */
function namesIn(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set()
  const { properties, in: place, name } = value as Record<string, unknown>
  const own = typeof properties === 'object' && properties ? Object.keys(properties) : []
  return new Set([
    ...own,
    ...(place ? [String(name)] : []),
    ...Object.values(value).flatMap((each) => [...namesIn(each)]),
  ])
}

/** Writes each word of a text that is a name as the other one. */
function rename(value: string, to: ReadonlyMap<string, string>): string {
  return value.replaceAll(/\w+/g, (word) => to.get(word) ?? word)
}

/** Renames in all texts and keys of a JSON value. */
function renameAll<Value>(value: Value, to: ReadonlyMap<string, string>): Value {
  return JSON.parse(JSON.stringify(value), (_, each) => {
    if (typeof each === 'string') return rename(each, to)
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [rename(key, to), inner]))
  })
}

/** What was inferred, as JSON: operations and schemas by their places, and lines as lists. */
function toPlain(value: unknown, described: readonly unknown[]): unknown {
  if (described.includes(value)) return { $operation: described.indexOf(value) }
  if (value instanceof Map) return { $map: [...value].map((each) => toPlain(each, described)) }
  if (value instanceof Lines) {
    const said = value
      .members()
      .flatMap((member) =>
        value.all(member).map(({ about, says, evidence }) => [member, about, toPlain(says, described), evidence]),
      )
    return { $lines: said }
  }
  if (Array.isArray(value)) return value.map((each) => toPlain(each, described))
  if (typeof value !== 'object' || value === null) return value
  if ('path' in value && 'value' in value && Array.isArray(value.path))
    return { $schema: value.path, value: value.value }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toPlain(each, described)]))
}

function fromPlain(value: unknown, in_: DescribedDocument['document'], described: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((each) => fromPlain(each, in_, described))
  if (typeof value !== 'object' || value === null) return value
  const { $operation, $map, $lines, $schema } = value as Record<string, unknown>
  if (typeof $operation === 'number') return described[$operation]
  if (Array.isArray($map)) return new Map(fromPlain($map, in_, described) as [unknown, unknown][])
  if (Array.isArray($schema)) {
    const found = $schema.reduce((at: unknown, name) => (at as Record<string, unknown> | undefined)?.[name], in_)
    return { path: $schema, value: found ?? (value as { value: unknown }).value }
  }
  if (Array.isArray($lines)) {
    const lines = new Lines<Record<string, unknown>>()
    for (const [member, about, says, evidence] of $lines)
      lines.add(member, about, fromPlain(says, in_, described), evidence)
    return lines
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fromPlain(each, in_, described)]))
}

function compile(described: DescribedDocument): CompiledContract {
  return finish(compileContract(described, createNotes(), { isForModule: false }))
}

async function run({ contract, validators, recordValidators }: CompiledContract, lines: string): Promise<string[]> {
  const functions = { validators: validators.toFunctions(), recordValidators: recordValidators.toFunctions() }
  const sandbox = createSandbox({ contract: { ...contract, ...functions }, ...standard })
  const answers: string[] = []
  for (const line of lines.trim().split('\n')) answers.push(`${line} -> ${await ask(sandbox, line)}`)
  return answers
}

let compiled: CompiledContract
let renamed: CompiledContract

beforeAll(() => {
  const described = describeOperations(original)
  const behaviour = finish(infer(original, described))
  compiled = compile({ document: original, described, behaviour })
  const other = renameAll(original, there)
  const otherDescribed = describeOperations(other)
  const model = fromPlain(renameAll(toPlain(behaviour, described), there), other, otherDescribed)
  renamed = compile({
    document: other,
    described: otherDescribed,
    behaviour: model as DescribedDocument['behaviour'],
  })
})

it('compiles the same effects of other names', () => {
  // Samples look like what their names mean.
  const toText = ({ contract: { operations, collections } }: CompiledContract) =>
    JSON.parse(
      toJson({ collections, effects: operations.map(({ method, path, effect }) => ({ method, path, effect })) }),
      (name, value) => (name === 'body' ? undefined : value),
    )
  expect(renameAll(toText(renamed), back)).toEqual(toText(compiled))
})

it('gives the same answers with other names', async () => {
  const answers = await run(compiled, script)
  expect(answers.filter((line) => line.includes('-> 201')).length).toBeGreaterThan(4)
  expect((await run(renamed, rename(script, there))).map((line) => rename(line, back))).toEqual(answers)
})
