// A second reading of the document, by people who are not us: Prism's validator judges what is answered to thousands of
// generated requests, and says which requests are valid.
//
// Prism narrows int64 to what a double holds, so it gets the document without that format, and no number beyond 2^53 is
// sent here; what becomes of those is told in cases.ts.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { generateSync, type JsonSchema } from 'json-schema-faker'
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const require = createRequire(import.meta.url)
const { getHttpOperationsFromSpec }: typeof import('@stoplight/prism-http') = require('@stoplight/prism-http')
const {
  validateInput,
  validateOutput,
}: typeof import('@stoplight/prism-http/dist/validator/index.js') = require('@stoplight/prism-http/dist/validator')

type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]

interface Judge {
  /** What Prism has against an answer of an operation; nothing where it keeps the document. */
  findings(operation: string, answer: Answer): string[]
  /** Whether Prism takes the body for one that the operation documents. */
  isBody(operation: string, body: unknown): boolean
  /** Whether the status is among those that the operation documents. */
  isDocumented(operation: string, status: number): boolean
}

interface Answer {
  status: number
  type: string | null
  text: string
}

const seed = 20261121
const petstore = readFileSync(new URL('../spec/petstore.openapi.yaml', import.meta.url), 'utf8')
const books = readFileSync(new URL('support/books.openapi.yaml', import.meta.url), 'utf8')

function withoutInt64(text: string) {
  return JSON.parse(JSON.stringify(parse(text)), (key, value) =>
    key === 'format' && value === 'int64' ? undefined : value,
  )
}

async function createJudge(text: string): Promise<Judge> {
  const found: PrismOperation[] = await getHttpOperationsFromSpec(withoutInt64(text))
  const operationOf = (id: string) => {
    const operation = found.find(({ iid }) => iid === id)
    if (!operation) throw new Error(`Prism finds no operation "${id}"`)
    return operation
  }
  const toMessages = (result: ReturnType<typeof validateOutput>) =>
    result._tag === 'Left' ? result.left.map(({ message }) => message) : []
  return {
    findings(id, { status, type, text }) {
      const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
      const body = text === '' ? undefined : JSON.parse(text)
      const element = { statusCode: status, headers, body }
      return toMessages(validateOutput({ resource: operationOf(id), element }))
    },
    isBody(id, body) {
      const headers = { 'content-type': 'application/json', 'content-length': '1', authorization: 'Bearer sandbox' }
      const resource = operationOf(id)
      const element = { method: 'post' as const, url: { path: resource.path }, headers, body }
      // Prism takes a body that is false to a condition for no body; such a body is no object either.
      return Boolean(body) && validateInput({ resource, element })._tag === 'Right'
    },
    isDocumented(id, status) {
      const codes = operationOf(id).responses.map(({ code }) => code)
      return [String(status), `${Math.floor(status / 100)}XX`, 'default'].some((code) => codes.includes(code))
    },
  }
}

/** Statuses that an operation does not document, and that it answers all the same: each a choice of the sandbox. */
const undocumented: Record<string, number[]> = {
  listPets: [400],
  createPet: [413],
  getPet: [],
  listStoreOrders: [501],
  sendMessage: [413],
}

/** An answer that breaks nothing: documented and as documented, or one of the list, with the body of an error. */
function expectKept(judge: Judge, operation: string | undefined, answer: Answer, asked?: number): void {
  const what = `${operation} answered ${answer.status} ${answer.text.slice(0, 300)}`
  if (operation !== undefined && judge.isDocumented(operation, answer.status)) {
    expect(judge.findings(operation, answer), what).toEqual([])
    return
  }
  const allowed = operation === undefined ? [404, 405] : (undocumented[operation] ?? [])
  expect(asked === undefined ? allowed : [asked], what).toContain(answer.status)
  // Every operation documents 401 with the body of an error, so that is what the body is held against.
  expect(judge.findings(operation ?? 'listPets', { ...answer, status: 401 }), what).toEqual([])
  expect(JSON.parse(answer.text).status, what).toBe(answer.status)
}

// --- requests ------------------------------------------------------------------------------------------------------

interface Sent {
  /** Id of the operation, or none for a path or method that the document does not have. */
  operation: string | undefined
  method: string
  path: string
  base: string
  key: string | undefined
  /** JSON text. */
  body?: string
  prefer?: number
  limit?: string
  status?: string
  id?: string
}

const newPet: JsonSchema = (() => {
  const { schemas } = withoutInt64(petstore).components
  return { ...schemas.NewPet, properties: { ...schemas.NewPet.properties, status: schemas.PetStatus } }
})()
const newMessage: JsonSchema = withoutInt64(petstore).components.schemas.NewMessage

function generated(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.nat().map((number) => generateSync(schema, { seed: number, optionalsProbability: 0.5 }))
}

const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, '', 0, 1.5, -7, true, 'sold', 'SOLD', [], {}, ['sold'], '7', 2 ** 53 - 1),
)

/** A generated body with one property replaced, removed or added. */
const brokenPet = fc
  .tuple(
    generated(newPet),
    fc.constantFrom('name', 'categoryId', 'status', 'id', 'colour'),
    fc.option(anyValue, { nil: undefined }),
  )
  .map(([pet, name, value]) => ({ ...(pet as object), [name]: value }))

/** Holds no number that a double does not hold exactly. */
function isSmall(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) ? Number.isSafeInteger(value) : Math.abs(value) < 2 ** 32
  return typeof value !== 'object' || value === null || Object.values(value).every(isSmall)
}

const petBodies = fc.oneof(generated(newPet), generated(newPet), brokenPet, brokenPet, anyValue).filter(isSmall)
const messageBodies = fc.oneof(generated(newMessage), anyValue).filter(isSmall)

const bases = fc.constantFrom('/v1', '/staging/v1')
const keys = fc.constantFrom<string | undefined>(
  'sandbox',
  'sandbox',
  'sandbox',
  'sandbox-b',
  'sandbox-b',
  'x',
  '',
  undefined,
)
const prefers = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(400, 401, 404, 429, 500, 503) },
)
const common = { base: bases, key: keys, prefer: prefers }

const limits = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map(String),
  fc.integer({ min: -5, max: 120 }).map(String),
  fc.constantFrom('', '1.0', '1e1', '0x10', '+5', '05', 'abc', '1 '),
)
const statuses = fc.constantFrom('available', 'pending', 'sold', '', 'SOLD', 'gone')
const ids = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map(String),
  fc.constantFrom('abc', '1.0', '01', '-1', '%', '%zz', '%31', '9007199254740991'),
)

const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>

const requests: fc.Arbitrary<Sent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        ...common,
        limit: fc.option(limits, { nil: undefined }),
        status: fc.option(statuses, { nil: undefined }),
      })
      .map(({ limit, status, ...rest }) => {
        const query = new URLSearchParams(given({ limit, status }) as Record<string, string>)
        const path = query.size === 0 ? '/pets' : `/pets?${query}`
        return { operation: 'listPets', method: 'GET', path, ...rest, ...given({ limit, status }) } as Sent
      }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ ...common, body: petBodies }).map(({ body, ...rest }) => ({
      operation: 'createPet',
      method: 'POST',
      path: '/pets',
      body: JSON.stringify(body) ?? '',
      ...rest,
    })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ ...common, id: ids })
      .map(({ id, ...rest }) => ({ operation: 'getPet', method: 'GET', path: `/pets/${id}`, id, ...rest })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record(common)
      .map((rest) => ({ operation: 'listStoreOrders', method: 'GET', path: '/store/orders', ...rest })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ ...common, body: messageBodies }).map(({ body, ...rest }) => ({
      operation: 'sendMessage',
      method: 'POST',
      path: '/messages',
      body: JSON.stringify(body) ?? '',
      ...rest,
      base: '',
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ ...common, method: fc.constantFrom('PUT', 'PATCH', 'DELETE') })
      .map(({ method, ...rest }) => ({ operation: undefined, method, path: '/pets', ...rest, prefer: undefined })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ ...common, path: fc.constantFrom('/pet', '/pets/1/2', '/pets/', '/', '/%zz', '/messages') })
      .map((rest) => ({ operation: undefined, method: 'GET', ...rest, prefer: undefined })),
  },
)

// --- what is to be expected, in few words --------------------------------------------------------------------------

interface Pet {
  id: number
  name: string
  categoryId: number
  status?: string
}

/** The service as its description has it, for one key and one server. */
class Model {
  readonly pets: Pet[] = [
    { id: 1, name: 'Ada', categoryId: 1, status: 'available' },
    { id: 2, name: 'Bo', categoryId: 2 },
  ]

  list({ limit = '20', status }: Sent): Pet[] | undefined {
    const count = /^[1-9]\d*$/.test(limit) ? Number(limit) : 0
    const isStatus = status === undefined || ['available', 'pending', 'sold'].includes(status)
    if (count < 1 || count > 100 || !isStatus) return undefined
    const found = this.pets.filter((pet) => status === undefined || pet.status === status)
    return found.toReversed().slice(0, count)
  }

  create(body: Omit<Pet, 'id'>): Pet {
    const { name, categoryId, status } = body
    const pet = { id: this.pets.length + 1, name, categoryId, ...(status === undefined ? {} : { status }) }
    this.pets.push(pet)
    return pet
  }

  read({ id = '' }: Sent): Pet | undefined {
    return this.pets.find((pet) => String(pet.id) === (id === '%31' ? '1' : id))
  }
}

/** What the model says: the status, and the body of a success. */
function predict(judge: Judge, model: Model, sent: Sent): { status: number; body?: unknown } {
  const { operation, method, key, prefer, body = '' } = sent
  if (operation === undefined) return { status: method === 'GET' ? 404 : 405 }
  if (key === undefined || !key.startsWith('sandbox')) return { status: 401 }
  if (prefer !== undefined) return { status: prefer }
  const or = (body: unknown, status: number, otherwise: number) =>
    body === undefined ? { status: otherwise } : { status, body }
  const isValid = body !== '' && judge.isBody(operation, JSON.parse(body))
  switch (operation) {
    case 'listPets':
      return or(model.list(sent), 200, 400)
    case 'createPet':
      return or(isValid ? model.create(JSON.parse(body)) : undefined, 201, 400)
    case 'getPet':
      return or(model.read(sent), 200, 404)
    case 'sendMessage':
      return { status: isValid ? 202 : 400 }
    default:
      return { status: 501 }
  }
}

async function sendTo(fetch: (url: string, init: RequestInit) => Promise<Response>, sent: Sent): Promise<Answer> {
  const { method, base, path, key, body, prefer } = sent
  const headers = given({
    Authorization: key === undefined ? undefined : `Bearer ${key}`,
    'Content-Type': body === undefined ? undefined : 'application/json',
    Prefer: prefer === undefined ? undefined : `code=${prefer}`,
  }) as Record<string, string>
  const init = { method, headers, ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }) }
  const response = await fetch(`http://127.0.0.1${base}${path}`, init)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

// --- the tests -----------------------------------------------------------------------------------------------------

it('answers thousands of generated requests as the document has it, and as a model of a few lines says', async () => {
  const judge = await createJudge(petstore)
  const counts = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 1, maxLength: 40, size: 'max' }), async (sequence) => {
      const { fetch } = createSandbox({ scenario: { pets: new Model().pets.map((pet) => ({ ...pet })) } })
      const models = new Map<string, Model>()
      for (const sent of sequence) {
        const world = `${sent.key} ${sent.base}`
        const model = models.get(world) ?? new Model()
        models.set(world, model)
        const answer = await sendTo(fetch, sent)
        expectKept(judge, sent.operation, answer, sent.prefer)
        const { status, body } = predict(judge, model, sent)
        expect(answer.status, `${JSON.stringify(sent)} was answered ${answer.text.slice(0, 300)}`).toBe(status)
        if (body !== undefined) expect(JSON.parse(answer.text)).toEqual(body)
        const kind = `${sent.operation} ${status}`
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
      }
    }),
    { seed, numRuns: 300 },
  )
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  expect(total).toBeGreaterThan(3000)
  const rare = [
    'listPets 200',
    'listPets 400',
    'createPet 201',
    'createPet 400',
    'getPet 200',
    'getPet 404',
    'sendMessage 202',
    'sendMessage 400',
    'listStoreOrders 501',
    'undefined 404',
    'undefined 405',
  ].filter((kind) => (counts.get(kind) ?? 0) < 20)
  expect(rare, JSON.stringify([...counts])).toEqual([])
}, 120_000)

it('begins with records that the document allows', async () => {
  const judge = await createJudge(petstore)
  const { fetch } = createSandbox()
  for (const status of ['', '&status=available', '&status=pending', '&status=sold']) {
    const sent = { operation: 'listPets', method: 'GET', path: `/pets?limit=100${status}`, base: '/v1', key: 'sandbox' }
    const answer = await sendTo(fetch, sent)
    expect(answer.status).toBe(200)
    expectKept(judge, 'listPets', answer)
  }
})

it('answers another document as that has it', async () => {
  const judge = await createJudge(books)
  const { contract } = await compileDocument(books)
  const { schemas } = withoutInt64(books).components
  const resolved = (name: string): JsonSchema =>
    JSON.parse(JSON.stringify(schemas[name]), (_, value) => (value?.$ref === undefined ? value : schemas.Genre))
  const bookBodies = fc.oneof(generated(resolved('NewBook')), anyValue, brokenPet)
  const patchBodies = fc.oneof(generated(resolved('BookPatch')), anyValue)
  const id = fc.oneof(
    fc.integer({ min: 1, max: 6 }).map((number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`),
    fc.constantFrom('1', 'x'),
  )
  const query = fc.constantFrom('', '?limit=1', '?limit=0', '?genre=novel', '?genre=x', '?pages=1', '?pages=x')
  const called = fc.oneof(
    { weight: 4, arbitrary: bookBodies.map((body) => ({ id: 'createBook', request: 'POST /books', body })) },
    { weight: 2, arbitrary: query.map((text) => ({ id: 'listBooks', request: `GET /books${text}`, body: undefined })) },
    { weight: 2, arbitrary: id.map((each) => ({ id: 'readBook', request: `GET /books/${each}`, body: undefined })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(id, bookBodies)
        .map(([each, body]) => ({ id: 'replaceBook', request: `PUT /books/${each}`, body })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(id, patchBodies)
        .map(([each, body]) => ({ id: 'updateBook', request: `PATCH /books/${each}`, body })),
    },
    {
      weight: 1,
      arbitrary: id.map((each) => ({ id: 'removeBook', request: `DELETE /books/${each}`, body: undefined })),
    },
    { weight: 1, arbitrary: fc.constant({ id: 'readOpeningHours', request: 'GET /opening-hours', body: undefined }) },
  )
  const successes = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(called, { minLength: 1, maxLength: 30, size: 'max' }), async (sequence) => {
      const { fetch } = createSandbox({ contract })
      for (const { id: operation, request, body } of sequence) {
        const [method = '', path = ''] = request.split(' ')
        const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
        const response = await fetch(`http://127.0.0.1/api${path}`, {
          method,
          headers: { 'X-API-Key': 'sandbox', ...(body === undefined ? {} : { 'Content-Type': type }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const { status } = response
        const answer = { status, type: response.headers.get('content-type'), text: await response.text() }
        const what = `${request} ${JSON.stringify(body)} was answered ${status} ${answer.text.slice(0, 300)}`
        expect(judge.findings(operation, answer), what).toEqual([])
        expect(status, what).toBeLessThan(500)
        if (status < 300) successes.set(operation, (successes.get(operation) ?? 0) + 1)
      }
    }),
    { seed, numRuns: 400 },
  )
  expect([...successes.keys()].sort()).toEqual(contract.operations.map((operation) => operation.id).sort())
  expect(Math.min(...successes.values())).toBeGreaterThan(10)
}, 120_000)

// --- the check itself ----------------------------------------------------------------------------------------------

const pet = '{"id":1,"name":"Ada","categoryId":1}'
const type = 'application/json'

describe('the check', () => {
  it.each([
    ['a Pet without an id', 'createPet', { status: 201, type, text: pet.replace('"id":1,', '') }],
    ['a Pet with an id in quotes', 'getPet', { status: 200, type, text: pet.replace('1', '"1"') }],
    ['a Pet with a category that is a fraction', 'getPet', { status: 200, type, text: pet.replace(/1}$/, '1.5}') }],
    ['a Pet with an unknown status', 'getPet', { status: 200, type, text: pet.replace('}', ',"status":"gone"}') }],
    ['a Pet in place of a list', 'listPets', { status: 200, type, text: pet }],
    ['a list in place of a Pet', 'getPet', { status: 200, type, text: `[${pet}]` }],
    ['an error without a message', 'getPet', { status: 404, type, text: '{"code":"not_found","status":404}' }],
    ['another content type', 'getPet', { status: 200, type: 'text/plain', text: pet }],
    ['no content type', 'getPet', { status: 200, type: null, text: pet }],
    ['a success that is not documented', 'getPet', { status: 206, type, text: pet }],
    ['a failure inside', 'listPets', { status: 500, type, text: '{"code":"x","message":"x","status":500}' }],
    ['another status in the body', 'listPets', { status: 400, type, text: '{"code":"x","message":"x","status":401}' }],
    [
      'a message without a date',
      'sendMessage',
      { status: 202, type, text: '{"id":"1","message":"","status":"queued"}' },
    ],
  ])('finds %s', async (_, operation, answer) => {
    const judge = await createJudge(petstore)
    expect(() => expectKept(judge, operation, answer)).toThrow()
  })

  it.each([
    ['createPet', { status: 201, type, text: pet }],
    ['getPet', { status: 200, type, text: pet }],
    ['listPets', { status: 200, type, text: `[${pet}]` }],
    ['listPets', { status: 400, type, text: '{"code":"x","message":"x","status":400}' }],
  ])('lets pass what %s may answer', async (operation, answer) => {
    const judge = await createJudge(petstore)
    expect(() => expectKept(judge, operation, answer)).not.toThrow()
  })
})
