/** Prism's validator judges the answers to thousands of generated requests; a model of a few lines predicts them. */
import fc from 'fast-check'
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { ids } from '../support/books.js'
import { anyValue, brokenPet, generated, given, requests, type Sent } from '../support/generated-requests.js'
import {
  type Answer,
  books,
  createJudge,
  expectKept,
  type Judge,
  petstore,
  schemaOf,
  seed,
} from '../support/prism-judge.js'

interface Pet {
  id: number
  name: string
  categoryId: number
  status?: string
}

/** The documented service, for one key and one server. */
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

/** The prediction of the model: the status, and the body of a success. */
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

it('answers thousands of generated requests as documented, and as a model of a few lines predicts', async () => {
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

it('starts with valid records', async () => {
  const judge = await createJudge(petstore)
  const { fetch } = createSandbox()
  for (const status of ['', '&status=available', '&status=pending', '&status=sold']) {
    const sent = { operation: 'listPets', method: 'GET', path: `/pets?limit=100${status}`, base: '/v1', key: 'sandbox' }
    const answer = await sendTo(fetch, sent)
    expect(answer.status).toBe(200)
    expectKept(judge, 'listPets', answer)
  }
})

it('answers requests to another document as documented there', async () => {
  const judge = await createJudge(books)
  const { contract } = await compileDocument(books)
  const bookBodies = fc.oneof(generated(schemaOf(books, 'NewBook')), anyValue, brokenPet)
  const patchBodies = fc.oneof(generated(schemaOf(books, 'BookPatch')), anyValue)
  const id = fc.oneof(fc.constantFrom(...ids), fc.constantFrom('1', 'x'))
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
