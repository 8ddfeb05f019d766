// The data that a sandbox begins with: the scenarios that come with it, and what the generator makes.

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  compileDocument,
  createSandbox,
  type GenerateScenarioOptions,
  generateScenario,
  type Sandbox,
  type Scenario,
  type Values,
} from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { countOf, recordOf, recordsOf, removeRecord, sizeOf } from './support/records.js'

const base = 'https://api.petstore.example/v1'

// --- the scenarios that come with it -------------------------------------------------------------------------------

it('begins with 120 animals in eight categories, of every status and of none', async () => {
  const animals = (await recordsOf(createSandbox().world())).reverse()
  expect(animals.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
  for (const { name } of animals) expect(name).toMatch(/^[A-Z][a-z]+$/)
  expect(new Set(animals.map(({ name }) => name)).size).toBeGreaterThan(60)
  expect([...new Set(animals.map(({ categoryId }) => categoryId))].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(new Set(animals.map(({ status }) => status))).toEqual(new Set(['available', 'pending', 'sold', undefined]))
})

it('shows the default limit, the greatest limit and every filter', async () => {
  const sandbox = createSandbox()
  expect(JSON.parse(await get(sandbox, '/pets'))).toHaveLength(20)
  expect(JSON.parse(await get(sandbox, '/pets?limit=100'))).toHaveLength(100)
  for (const status of ['available', 'pending', 'sold']) {
    const found: Values[] = JSON.parse(await get(sandbox, `/pets?limit=100&status=${status}`))
    expect(found.length, status).toBeGreaterThan(5)
    expect(found.length, status).toBeLessThan(100)
  }
})

it('has in fixtures/default.json what the generator makes today; if not, "npm run fixtures" writes it anew', async () => {
  const { pets = [], ...others } = await generateScenario({ records: 120, seed: 1 })
  const lines = pets.map((pet) => `    ${JSON.stringify(pet)}`)
  expect(readFixture('default')).toBe(`{\n  "pets": [\n${lines.join(',\n')}\n  ]\n}\n`)
  expect(others).toEqual({})
})

for (const name of ['default', 'empty', 'sold-out', 'edge-cases']) {
  it(`serves every character and digit of the scenario ${name}`, async () => {
    const written: { pets: { id: string | number }[] } = JSON.parse(quoteNumbers(readFixture(name)))
    const sandbox = createSandbox({ scenario: name })
    expect(await recordsOf(sandbox.world())).toHaveLength(written.pets.length)
    const served = JSON.parse(quoteNumbers(await get(sandbox, '/pets?limit=100')))
    expect(served).toEqual(written.pets.toReversed().slice(0, 100))
    for (const pet of written.pets) {
      expect(JSON.parse(quoteNumbers(await get(sandbox, `/pets/${pet.id}`)))).toEqual(pet)
    }
  })
}

it('has nothing in empty, and nothing available in sold-out', async () => {
  expect(await recordsOf(createSandbox({ scenario: 'empty' }).world())).toEqual([])
  const statuses = (await recordsOf(createSandbox({ scenario: 'sold-out' }).world())).map(({ status }) => status)
  expect(statuses.length).toBeGreaterThan(20)
  expect(new Set(statuses)).toEqual(new Set(['pending', 'sold', undefined]))
})

it('has in edge-cases what breaks a careless client', async () => {
  const pets = await recordsOf(createSandbox({ scenario: 'edge-cases' }).world())
  const names = pets.map(({ name }) => String(name))
  const expected: Record<string, (name: string) => boolean> = {
    'is empty': (name) => name === '',
    'has hundreds of characters': (name) => name.length > 300,
    'has an emoji of several joined ones': (name) => name.includes('\u{1F468}\u200D\u{1F469}'),
    'is right-to-left': (name) => /\p{Script=Hebrew}/u.test(name),
    'has combining marks': (name) => /\p{M}{3}/u.test(name),
    'has quotes': (name) => name.includes('"'),
    'has backslashes': (name) => name.includes('\\'),
    'has line breaks': (name) => name.includes('\r\n'),
    'has control characters': (name) => name.includes('\0'),
    'is __proto__': (name) => name === '__proto__',
    'is a lone surrogate': (name) => name === '\ud800',
  }
  for (const [what, test] of Object.entries(expected)) expect(names.some(test), what).toBe(true)
  const ids = [9223372036854775807n, 9007199254740993n, 2147483647]
  expect(pets.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  const categories = [0, -1, 9007199254740993n, 9223372036854775807n, -9223372036854775808n]
  expect(pets.map(({ categoryId }) => categoryId)).toEqual(expect.arrayContaining(categories))
})

it('leaves room for new animals in every scenario', async () => {
  for (const scenario of ['default', 'empty', 'sold-out', 'edge-cases']) {
    const sandbox = createSandbox({ scenario })
    for (const name of ['Ada', 'Bo', 'Cy']) {
      expect((await post(sandbox, '/pets', { name, categoryId: 1 })).status, scenario).toBe(201)
    }
    expect(JSON.parse(await get(sandbox, '/pets?limit=3')).map(({ name }: Values) => name)).toEqual(['Cy', 'Bo', 'Ada'])
  }
})

// --- the same every time -------------------------------------------------------------------------------------------

it('makes the same bytes of the same seed, and others of another one', async () => {
  const compiled = await compileDocument(JSON.stringify(toDocument({ formats: schemas['formats'] })))
  for (const options of [{}, { compiled }]) {
    const make = async (seed: number) => JSON.stringify(await generateScenario({ ...options, records: 1200, seed }))
    const first = await make(7)
    expect(await make(7)).toBe(first)
    expect(await make(8)).not.toBe(first)
    expect(await make(-7)).not.toBe(first)
  }
})

it('makes 20 records of seed 1 unless told otherwise', async () => {
  const standard = await generateScenario()
  expect(standard).toEqual(await generateScenario({ records: 20, seed: 1 }))
  expect(standard['pets']).toHaveLength(20)
})

it('makes the same records of two generators that run at once', async () => {
  const options = { records: 1500, seed: 3 }
  const alone = await generateScenario(options)
  expect(await Promise.all([generateScenario(options), generateScenario(options)])).toEqual([alone, alone])
})

// --- any number of them --------------------------------------------------------------------------------------------

it('makes 2,500 animals: each valid, each with a key of its own, each findable', async () => {
  const scenario = await generateScenario({ records: 2500 })
  const pets = scenario['pets'] ?? []
  const document = parse(readFileSync(new URL('../spec/petstore.openapi.yaml', import.meta.url), 'utf8'))
  expectValid(document, '#/components/schemas/Pet', pets)
  expect(pets.map(({ id }) => id)).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1))

  const sandbox = createSandbox({ scenario })
  const world = sandbox.world()
  for (const id of [1, 1000, 1001, 2500]) expect(await recordOf(world, id)).toEqual(pets[id - 1])
  for (const id of [0, -1, 1.5, 2501, 9007199254740993n, '1']) expect(await recordOf(world, id)).toBeUndefined()
  expect(await removeRecord(world, 1.5)).toBeUndefined()
  expect(await sizeOf(world)).toBe(2500)
  expect(await countOf(world, 'status', 'sold')).toBe(pets.filter(({ status }) => status === 'sold').length)
})

it('combines what it has generated: the records beyond a thousand are no copies of the first', async () => {
  const { pets = [] } = await generateScenario({ records: 3000 })
  const first = new Set(pets.slice(0, 1000).map(withoutId))
  const others = pets.slice(1000).filter((pet) => !first.has(withoutId(pet)))
  expect(others.length).toBeGreaterThan(500)
  const statuses = new Set(pets.slice(1000).map(({ status }) => status))
  expect(statuses).toEqual(new Set(['available', 'pending', 'sold', undefined]))
})

it('finds records by keys with gaps between them', async () => {
  const pets = [5, 1, 2].map((id) => ({ id, name: `Pet ${id}`, categoryId: 1 }))
  const world = createSandbox({ scenario: { pets } }).world()
  const found = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => recordOf(world, id)))
  expect(found.map((values) => values?.['name'])).toEqual(['Pet 1', 'Pet 2', undefined, undefined, 'Pet 5', undefined])
})

it('takes records with integers beyond 2^53 as bigints, and refuses those beyond int64', async () => {
  const sandboxOf = (id: bigint) => createSandbox({ scenario: { pets: [{ id, name: 'Ada', categoryId: 1 }] } })
  expect(await recordOf(sandboxOf(2n ** 63n - 1n).world(), 9223372036854775807n)).toMatchObject({ name: 'Ada' })
  expect(() => sandboxOf(2n ** 63n)).toThrow('id must be an int64')
})

it('tells how far it has come, and lets others work in between', async () => {
  const steps: [number, number][] = []
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  await generateScenario({ records: 60_010, onProgress: (done, total) => steps.push([done, total]) })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(2)
  expect(steps.length).toBeGreaterThan(4)
  expect(steps.every(([, total]) => total === 60_010)).toBe(true)
  expect(steps.map(([done]) => done)).toEqual(steps.map(([done]) => done).toSorted((one, other) => one - other))
  expect(steps.at(-1)).toEqual([60_010, 60_010])
})

it('makes none where none are wanted', async () => {
  expect(await generateScenario({ records: 0 })).toEqual({ pets: [] })
})

// --- any document --------------------------------------------------------------------------------------------------

const text = { type: 'string' }
const whole = { type: 'integer' }

/** One schema for each kind of difficulty; each is the record of a collection with its name. */
const schemas: Record<string, object> = {
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
    // What the generator cannot read is taken from the examples.
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

const parts = {
  line: record({ sku: { type: 'string', minLength: 2 } }),
  cat: record({ kind: { const: 'cat' }, lives: { type: 'integer', minimum: 1, maximum: 9 } }),
  dog: record({ kind: { const: 'dog' }, barks: { type: 'boolean' } }),
}

for (const [name, schema] of Object.entries(schemas)) {
  it(`makes valid records of a schema with ${name}`, async () => {
    const document = toDocument({ [name]: schema })
    const compiled = await compileDocument(JSON.stringify(document))
    const scenario = await generateScenario({ compiled, records: 1100, seed: 5, onSkip: expect.unreachable })
    const records = scenario[name] ?? []
    // What is only written is not returned.
    const returned = JSON.parse(JSON.stringify(document), (_, value) => (value?.writeOnly ? undefined : value))
    if (name === 'closed') returned.components.schemas.closed.required = ['id', 'shown']
    expectValid(returned, `#/components/schemas/${name}`, records)
    expect(records).toHaveLength(1100)
    expect(new Set(records.map(({ id }) => id)).size).toBe(1100)
    // Not one that was found again and again.
    if (name !== 'bounded') expect(new Set(records.map(withoutId)).size).toBeGreaterThan(10)
    expect(() => createSandbox({ contract: compiled.contract, scenario })).not.toThrow()
  })
}

it('makes keys as the service does: counted, in the form that the document asks for', async () => {
  const { uuids, strings, coded, bounded, composed } = schemas
  const { scenario, sandbox } = await generateFor({ uuids, strings, coded, bounded, composed }, { records: 3 })
  const keys = (name: string) => scenario[name]?.map(({ id }) => id)
  expect(keys('uuids')).toEqual([1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`))
  expect(keys('strings')).toEqual(['1', '2', '3'])
  expect(keys('coded')?.every((id) => /^ord_[0-9a-f]{6}$/.test(String(id)))).toBe(true)
  expect(keys('bounded')).toEqual([1000, 1001, 1002])
  expect(keys('composed')).toEqual([1, 2, 3])
  const added = await post(sandbox, '/uuids', { count: 1 })
  expect(await added.json()).toEqual({ id: '00000000-0000-4000-8000-000000000004', count: 1 })
})

it('gives dates of the two years before 2026, in UTC', async () => {
  const { scenario } = await generateFor({ formats: schemas['formats'] }, { records: 200 })
  const times = scenario['formats']?.map(({ at }) => String(at)).toSorted() ?? []
  for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
  expect(times[0]?.slice(0, 7)).toBe('2024-01')
  expect(times.at(-1)?.slice(0, 7)).toBe('2025-12')
})

it('reads the names of properties, where nothing else tells what they are', async () => {
  const person = record({ name: text, email: text, city: text, age: whole, price: { type: 'number' }, groupId: whole })
  const { scenario } = await generateFor({ customers: person, products: record({ name: text }) }, { records: 50 })
  const materials =
    /\b(Cotton|Wooden|Steel|Plastic|Granite|Rubber|Metal|Concrete|Bronze|Silk|Gold|Silver|Marble|Bamboo)\b/
  expect(scenario['customers']?.some(({ name }) => materials.test(String(name)))).toBe(false)
  expect(scenario['products']?.some(({ name }) => materials.test(String(name)))).toBe(true)
  for (const each of scenario['customers'] ?? []) {
    expect(each['name']).toMatch(/^\p{Lu}\S* .+/u)
    expect(each['email']).toMatch(/^[^@]+@example\.com$/)
    expect(each['city']).toMatch(/^\p{Lu}/u)
    expect(each['age']).toSatisfy((age: number) => age >= 1 && age <= 90)
    expect(String(each['price'])).toMatch(/^\d+(\.\d\d?)?$/)
    // So that it may name a record of another collection.
    expect(each['groupId']).toSatisfy((id: number) => id >= 1 && id <= 50)
  }
})

it('leaves out what is only written, and never returned', async () => {
  const secret = record({ shown: text, hidden: { type: 'string', writeOnly: true } })
  const { scenario } = await generateFor({ secret })
  expect(scenario['secret']?.map((each) => Object.keys(each))).toEqual(Array(20).fill(['id', 'shown']))
})

it('leaves a collection empty that nobody could read, or that no record fits, and says so', async () => {
  const impossible = record({ never: false })
  const document = toDocument({ impossible, closed: schemas['closed'] })
  Object.assign(document.paths, { '/notes': { post: createOf(record({})) } })
  const skipped: string[][] = []
  const compiled = await compileDocument(JSON.stringify(document))
  const scenario = await generateScenario({ compiled, onSkip: (...told) => skipped.push(told) })
  expect(Object.keys(scenario)).toEqual(['impossible', 'closed'])
  expect(scenario['impossible']).toEqual([])
  expect(scenario['closed']).toHaveLength(20)
  expect(skipped).toEqual([['impossible', expect.stringContaining('never')]])
})

it('makes fewer where there are no more keys', async () => {
  const { scenario } = await generateFor({ few: record({}, { type: 'string', enum: ['a', 'b', 'c'] }) })
  expect(scenario['few']?.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c'])
})

// --- hints ---------------------------------------------------------------------------------------------------------

it('lays hints over what the document says', async () => {
  const schema = { ...record({ size: whole, name: text, day: { type: 'string', format: 'date' } }) }
  const things = { ...schema, properties: { ...schema.properties, note: text } }
  const hints = {
    things: {
      size: { minimum: 3, maximum: 4 },
      name: { faker: { 'helpers.arrayElement': [['Ada', 'Bo']] } },
      day: { faker: 'date.past' },
      note: { enum: ['often', 'often', 'often', 'seldom'], absent: 0.5 },
    },
  }
  const { scenario } = await generateFor({ things }, { records: 400, hints })
  const records = scenario['things'] ?? []
  const count = (test: (each: Values) => boolean) => records.filter(test).length
  expect(new Set(records.map(({ size }) => size))).toEqual(new Set([3, 4]))
  expect(new Set(records.map(({ name }) => name))).toEqual(new Set(['Ada', 'Bo']))
  // The past, too, is seen from a fixed day.
  for (const { day } of records) expect(day).toMatch(/^2025-\d\d-\d\d$/)
  expect(count(({ note }) => note === undefined)).toSatisfy((none: number) => none > 150 && none < 250)
  expect(count(({ note }) => note === 'often')).toBeGreaterThan(2 * count(({ note }) => note === 'seldom'))
  expect(count(({ note }) => note === 'seldom')).toBeGreaterThan(10)
})

it('takes other hints than the bundled ones for the bundled document', async () => {
  const { pets = [] } = await generateScenario({ records: 30, hints: { pets: { name: { enum: ['Rex'] } } } })
  expect(new Set(pets.map(({ name }) => name))).toEqual(new Set(['Rex']))
})

const wrongHints: [what: string, hints: GenerateScenarioOptions['hints'], said: string][] = [
  ['an unknown collection', { cats: {} }, 'there is no collection "cats"; there is pets'],
  ['an unknown property', { pets: { colour: {} } }, 'there is no property "pets.colour"; there is id, name'],
  ['an unknown method', { pets: { name: { faker: 'animal.nope' } } }, 'no method "animal.nope" for "pets.name"'],
  ['arguments that a method refuses', { pets: { name: { faker: { 'number.int': [{ min: 2, max: 1 }] } } } }, 'Max 1'],
  ['a share that is none', { pets: { status: { absent: 2 } } }, 'absent of "pets.status" must be from 0 to 1 (got 2)'],
  ['a share of what is required', { pets: { name: { absent: 0.5 } } }, '"pets.name" is required'],
]

for (const [what, hints, said] of wrongHints) {
  it(`refuses hints with ${what}`, async () => {
    const refused = { code: 'INVALID_OPTION', message: expect.stringContaining(said) }
    await expect(generateScenario({ hints })).rejects.toMatchObject(refused)
  })
}

// --- wrong options -------------------------------------------------------------------------------------------------

for (const records of [-1, 1.5, 10_000_001, Number.NaN, Number.POSITIVE_INFINITY]) {
  it(`refuses ${records} records, and says how many there may be`, async () => {
    await expect(generateScenario({ records })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: `records must be a whole number from 0 to 10000000 (got ${records})`,
    })
  })
}

for (const seed of [1.5, 2 ** 53, -(2 ** 53), Number.NaN]) {
  it(`refuses the seed ${seed}, and says what it may be`, async () => {
    await expect(generateScenario({ seed })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: `seed must be a whole number from -9007199254740991 to 9007199254740991 (got ${seed})`,
    })
  })
}

it('takes the least and the greatest seed', async () => {
  const [least, greatest] = await Promise.all([-1, 1].map((sign) => generateScenario({ seed: sign * (2 ** 53 - 1) })))
  expect(least).not.toEqual(greatest)
})

// --- helpers -------------------------------------------------------------------------------------------------------

function readFixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8')
}

function withoutId({ id: _, ...rest }: Values): string {
  return JSON.stringify(rest)
}

async function get(sandbox: Sandbox, path: string): Promise<string> {
  const response = await sandbox.fetch(base + path, { headers: { authorization: 'Bearer sandbox' } })
  expect(response.status).toBe(200)
  return response.text()
}

function post(sandbox: Sandbox, path: string, body: object): Promise<Response> {
  const headers = { authorization: 'Bearer sandbox', 'content-type': 'application/json' }
  return sandbox.fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Every number of a JSON text as a string of its digits, as they stand there. */
function quoteNumbers(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d+/g, (token) => (token.startsWith('"') ? token : `"${token}"`))
}

/** Judged by Ajv and the document itself, not by what the sandbox compiled of it. */
function expectValid(document: object, pointer: string, records: readonly Values[]): void {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const validate = ajv.compile({ $ref: `document${pointer}` })
  const wrong = records.filter((each) => !validate(each)).map((each) => [each, ajv.errorsText(validate.errors)])
  expect(wrong).toEqual([])
}

/** An object with an id and other properties, all of them required. */
function record<T extends object>(properties: T, id: object = whole) {
  return { type: 'object', required: ['id', ...Object.keys(properties)], properties: { id, ...properties } }
}

function createOf(schema: object) {
  const content = { 'application/json': { schema } }
  const given = { 'application/json': { schema: { type: 'object', additionalProperties: true } } }
  return { requestBody: { content: given }, responses: { 201: { description: 'Created.', content } } }
}

/** A document whose collections have these records, to be listed and created. */
function toDocument(records: Record<string, object | undefined>) {
  const paths = Object.keys(records).map((name) => {
    const schema = { $ref: `#/components/schemas/${name}` }
    const content = { 'application/json': { schema: { type: 'array', items: schema } } }
    return [
      `/${name}`,
      { get: { responses: { 200: { description: 'All.', content } } }, post: createOf(schema) },
    ] as const
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Varied', version: '1' },
    servers: [{ url: base }],
    paths: Object.fromEntries(paths),
    components: { schemas: { ...parts, ...records } },
  }
}

async function generateFor(
  records: Record<string, object | undefined>,
  options: GenerateScenarioOptions = {},
): Promise<{ scenario: Scenario; sandbox: Sandbox }> {
  const compiled = await compileDocument(JSON.stringify(toDocument(records)))
  const scenario = await generateScenario({ compiled, ...options })
  return { scenario, sandbox: createSandbox({ contract: compiled.contract, scenario }) }
}
