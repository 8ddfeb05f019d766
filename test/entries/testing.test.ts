/** The short forms of `petstore-sandbox/testing`. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { sandbox as bundled } from 'petstore-sandbox/msw'
import { calls, once, seed, waitForCall } from 'petstore-sandbox/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

const address = 'https://api.petstore.example/v1/pets'
const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
const create = (body: object) => bundled.fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })

describe('with the bundled document', () => {
  beforeEach(() => bundled.reset())

  it('seed adds a record, and makes what its values leave out', async () => {
    const rex = await seed(bundled, 'pets', { name: 'Rex' })
    expect(rex).toEqual({ id: 121, name: 'Rex', categoryId: expect.any(Number) })
    expect(await bundled.world().collection('pets').get(121)).toEqual(rex)
    expect(await seed(bundled, 'pets', { name: 'Rex', categoryId: 7, id: 500 })).toEqual({
      id: 500,
      name: 'Rex',
      categoryId: 7,
    })
    const own = await seed(bundled, 'pets', {}, { key: 'sandbox-ana', environment: 'staging' })
    expect(own.name).toEqual(expect.any(String))
    expect(await bundled.world('sandbox-ana').collection('pets', 'staging').size()).toBe(121)
    await expect(seed(bundled, 'pets', { id: 500 })).rejects.toMatchObject({ code: 'DUPLICATE_KEY' })
    // @ts-expect-error there is no such collection
    await expect(seed(bundled, 'cats', {})).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  it('seed makes the same record each time', async () => {
    const one = await seed(bundled, 'pets')
    await bundled.reset()
    expect(await seed(bundled, 'pets')).toEqual(one)
  })

  it('seed refuses a record that its schema does not allow, and names each violation', async () => {
    const before = await bundled.world().snapshot()
    // @ts-expect-error the name is a text
    const refused = seed(bundled, 'pets', { name: 5, categoryId: 1.5 })
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_RECORD' })
    await expect(refused).rejects.toThrow(
      'Failed to add a record to "pets": name must be a string (got 5); categoryId must be an integer (got 1.5). ' +
        'With the option { validate: false } it is added as it is',
    )
    expect(await bundled.world().snapshot()).toEqual(before)
  })

  it('seed adds a record as it is without validation', async () => {
    // @ts-expect-error the name is a text
    const added = await seed(bundled, 'pets', { name: 5, categoryId: 1.5 }, { validate: false })
    expect(added).toEqual({ id: 121, name: 5, categoryId: 1.5 })
  })

  it('once lets one request fail', async () => {
    once(bundled, 'createPet', { status: 500 })
    expect((await create({ name: 'Rex', categoryId: 1 })).status).toBe(500)
    expect((await create({ name: 'Rex', categoryId: 1 })).status).toBe(201)
    // @ts-expect-error there is no such operation
    await expect(once(bundled, 'eatPet', { status: 500 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  it('calls has what was sent', async () => {
    await create({ name: 'Rex', categoryId: 1 })
    await create({ name: 5 })
    const [first, second] = calls(bundled, 'createPet')
    const name: string | undefined = first?.body?.name
    expect(name).toBe('Rex')
    expect(second).toMatchObject({ body: { name: 5 }, status: 400, exchange: { operation: 'createPet' } })
    expect(calls(bundled, 'listPets')).toEqual([])
    expect(calls(bundled, 'createPet', { key: 'sandbox-ana' })).toEqual([])
  })

  it('waitForCall waits', async () => {
    const waited = waitForCall(bundled, 'createPet', { status: 201 })
    await create({ name: 5 })
    await create({ name: 'Ida', categoryId: 1 })
    expect((await waited).body.name).toBe('Ida')
    await expect(waitForCall(bundled, 'listPets', { timeoutMs: 1 })).rejects.toMatchObject({ code: 'TIMED_OUT' })
  })
})

describe('with another document', () => {
  const shop = toDocument(
    {
      'GET /shops': { 200: list(named('Shop')) },
      'POST /shops': { body: named('Shop'), 201: named('Shop') },
      'GET /shops/{shopId}': { 200: named('Shop') },
      'GET /shops/{shopId}/orders': { 200: list(named('Order')) },
      'GET /shops/{shopId}/orders/{orderId}': { 200: named('Order') },
    },
    {
      Shop: object({ 'id!': integer, 'name!': text, 'kind!': oneOfTexts('small', 'large'), note: text }),
      Order: object({ 'id!': integer, 'item!': text }),
    },
  )

  it('seed makes what the schema requires, and no more, below the newest owner', async () => {
    const { contract } = await compileDocument(shop)
    const sandbox = createSandbox({ contract })
    expect(await seed(sandbox, 'shops', { name: 'Corner' })).toEqual({
      id: 1,
      name: 'Corner',
      kind: expect.stringMatching(/^(small|large)$/),
    })
    await seed(sandbox, 'shops', { name: 'Mall' })
    await seed(sandbox, 'orders', { item: 'Tea' })
    const response = await sandbox.fetch('https://api.example/shops/2/orders')
    expect(await response.json()).toEqual([{ id: 1, item: 'Tea' }])
  })

  it('seed validates with its own validators, also where every operation takes care of HTTP', async () => {
    const { contract } = await compileDocument(shop)
    for (const httpCare of [false, true]) {
      const sandbox = createSandbox({ contract, httpCare })
      await expect(seed(sandbox, 'shops', { kind: 'huge', note: 1 })).rejects.toThrow(
        'kind must be one of small, large (got "huge"); note must be a string (got 1)',
      )
      const standard = createSandbox({ httpCare })
      await expect(seed(standard, 'pets', { categoryId: 1.5 })).rejects.toThrow(
        'categoryId must be an integer (got 1.5)',
      )
    }
  })

  it('seed makes what the schema requires at every depth, and keeps what is given', async () => {
    const address = object({ 'city!': text, 'kind!': oneOfTexts('home', 'work') })
    const customer = object({ 'id!': integer, 'address!': address, 'others!': { type: 'array', items: address } })
    const { contract } = await compileDocument(
      toDocument({ 'GET /customers': { 200: list(named('Customer')) } }, { Customer: customer }),
    )
    const added = await seed(createSandbox({ contract }), 'customers', {
      address: { kind: 'work' },
      others: [{ city: 'Bern' }, {}],
    })
    const kind = expect.stringMatching(/^(home|work)$/)
    expect(added).toEqual({
      id: 1,
      address: { city: expect.any(String), kind: 'work' },
      others: [
        { city: 'Bern', kind },
        { city: expect.any(String), kind },
      ],
    })
  })

  it('seed validates a key as it is kept, and not one that only the path has', async () => {
    const { contract } = await compileDocument(shop)
    const sandbox = createSandbox({ contract })
    expect(await seed(sandbox, 'shops', { id: '7' })).toMatchObject({ id: 7 })
    expect(await seed(sandbox, 'orders', { item: 'Tea' })).toMatchObject({ id: 1, item: 'Tea' })
  })
})
