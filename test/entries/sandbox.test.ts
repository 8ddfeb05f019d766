/** Behavior of single transports: documented addresses, delays, aborted requests, failures, wrong options. */
import { createSandbox, generateScenario, SandboxError } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { toSandboxRequest } from '../support/in-process.js'
import type { RawRequest } from '../support/raw-request.js'
import { createTrap, removeRecord, sizeOf } from '../support/records.js'
import { standardOptions } from '../support/run-case.js'

const auth = { Authorization: 'Bearer sandbox' }
const list: RawRequest = { method: 'GET', target: '/v1/pets', headers: [['Authorization', 'Bearer sandbox']] }

it('links to the successor at the documented address of staging if that was called', async () => {
  const { fetch } = createSandbox(standardOptions)
  const response = await fetch('https://staging.petstore.example/v1/pets/1', { headers: auth })
  expect(response.status).toBe(200)
  expect(response.headers.get('link')).toBe('</v1/pets>; rel="successor-version"')
})

it('names documented paths if the documented address of staging was called', async () => {
  const { fetch } = createSandbox({ ...standardOptions, at: '2031-01-01' })
  const removed = await fetch('https://staging.petstore.example/v1/pets/1', { headers: auth })
  expect((await removed.json()).message).toContain('GET /v1/pets with its "status" filter')
  const unknown = await fetch('https://staging.petstore.example/v1/pet', { headers: auth })
  expect((await unknown.json()).message).toContain('the closest known path is /v1/pets')
})

it('keeps a record that was created at a documented address on the server of that address', async () => {
  const { fetch } = createSandbox(standardOptions)
  const init = {
    method: 'POST',
    headers: { ...auth, 'Content-Type': 'application/json' },
    body: '{"name":"Stage","categoryId":1}',
  }
  await fetch('https://staging.petstore.example/v1/pets', init)
  const first = async (address: string) => (await (await fetch(address, { headers: auth })).json())[0].name
  expect(await first('http://127.0.0.1:4010/staging/v1/pets?limit=1')).toBe('Stage')
  expect(await first('https://api.petstore.example/v1/pets?limit=1')).toBe('Cy')
  expect(await first('http://localhost/v1/pets?limit=1')).toBe('Cy')
})

it.each([
  'https://api.petstore.example/messages',
  'https://quickstart.petstore.example/v1/pets',
  'https://api.petstore.example/staging/v1/pets',
])('answers 404 at %s, as no documented server has that path', async (address) => {
  const response = await createSandbox(standardOptions).fetch(address, { headers: auth })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'not_found', status: 404 })
})

it('returns the delay to an adapter, and waits that long in fetch', async () => {
  const sandbox = createSandbox(standardOptions)
  const delayed = { ...list, headers: [...(list.headers ?? []), ['Prefer', 'delay=300'] as const] }
  expect((await sandbox.handle(toSandboxRequest(sandbox, delayed))).delivery).toEqual({ delayMs: 300 })
  const start = performance.now()
  await sandbox.fetch('http://127.0.0.1/v1/pets', { headers: { ...auth, Prefer: 'delay=300' } })
  expect(performance.now() - start).toBeGreaterThan(290)
})

it('ends the delay of an aborted fetch', async () => {
  const controller = new AbortController()
  const waiting = createSandbox(standardOptions).fetch('http://127.0.0.1/v1/pets', {
    headers: { ...auth, Prefer: 'delay=60000' },
    signal: controller.signal,
  })
  setTimeout(() => controller.abort(), 20)
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
})

it('rejects a fetch whose signal is already aborted', async () => {
  const signal = AbortSignal.abort()
  const sandbox = createSandbox(standardOptions)
  const waiting = sandbox.fetch('http://127.0.0.1/v1/pets', { headers: { ...auth, Prefer: 'delay=2000' }, signal })
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
})

it('reports an unexpected failure to onUnexpectedError', async () => {
  const failures: unknown[] = []
  const boom = new Error('boom')
  const { scenario, setBroken } = createTrap(boom)
  const onUnexpectedError = (failure: unknown) => failures.push(failure)
  const sandbox = createSandbox({ ...standardOptions, scenario, onUnexpectedError })
  setBroken(true)
  const { status } = await sandbox.handle(toSandboxRequest(sandbox, list))
  expect(status).toBe(500)
  expect(failures).toEqual([boom])
})

it('answers even if a listener of the journal fails', async () => {
  const sandbox = createSandbox(standardOptions)
  sandbox.journal.subscribe(() => {
    throw new Error('boom')
  })
  const response = await sandbox.handle(toSandboxRequest(sandbox, list))
  expect([200, 500]).toContain(response.status)
})

it('answers 500 if the source of the time fails', async () => {
  let isBroken = false
  const now = () => {
    if (isBroken) throw new Error('boom')
    return 0
  }
  const sandbox = createSandbox({ ...standardOptions, now })
  isBroken = true
  const { status } = await sandbox.handle(toSandboxRequest(sandbox, list))
  expect(status).toBe(500)
})

it('refuses a stream that is too large', async () => {
  let left = 30
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(65_536).fill(0x20))
      else controller.close()
    },
  })
  const init = {
    method: 'POST',
    headers: { ...auth, 'Content-Type': 'application/json' },
    body: stream,
    duplex: 'half',
  }
  const response = await createSandbox(standardOptions).fetch('http://127.0.0.1/v1/pets', init)
  expect(response.status).toBe(413)
})

it('reads the body of a request without a stream, as in Firefox', async () => {
  const sandbox = createSandbox(standardOptions)
  const stream = Object.getOwnPropertyDescriptor(Request.prototype, 'body')
  Object.defineProperty(Request.prototype, 'body', { get: () => undefined, configurable: true })
  try {
    const init = {
      method: 'POST',
      headers: { ...auth, 'Content-Type': 'application/json' },
      body: '{"name":"Kim","categoryId":1}',
    }
    expect((await sandbox.fetch('http://127.0.0.1/v1/pets', init)).status).toBe(201)
  } finally {
    Object.defineProperty(Request.prototype, 'body', stream as PropertyDescriptor)
  }
})

// --- wrong options -------------------------------------------------------------------------------------------------

it.each([
  ['a scenario that is not there', { scenario: 'sold-uot' }, 'INVALID_OPTION', /"sold-uot".*default/],
  ['no key at all', { apiKeys: [] }, 'INVALID_OPTION', /API key/],
  ['a key with a space', { apiKeys: ['a b'] }, 'INVALID_OPTION', /"a b"/],
  ['a key beyond ASCII', { apiKeys: ['é'] }, 'INVALID_OPTION', /"é"/],
  ['a limit of half a byte', { maxBodyBytes: 0.5 }, 'INVALID_OPTION', /maxBodyBytes.*0\.5/],
  ['a negative limit', { maxBodyBytes: -1 }, 'INVALID_OPTION', /maxBodyBytes.*-1/],
  ['a time that is none', { at: 'tomorrow' }, 'INVALID_OPTION', /tomorrow/],
  ['a collection that is not there', { scenario: { cats: [] } }, 'INVALID_SCENARIO', /"cats".*pets/],
  ['records that are not a list', { scenario: { pets: {} } }, 'INVALID_SCENARIO', /"pets".*array/],
  [
    'a record without a name',
    { scenario: { pets: [{ id: 1, categoryId: 1 }] } },
    'INVALID_SCENARIO',
    /pets\[0\].*name/,
  ],
  [
    'a duplicate id',
    { scenario: { pets: [1, 1].map((id) => ({ id, name: 'A', categoryId: 1 })) } },
    'INVALID_SCENARIO',
    /pets\[1\].*id 1/,
  ],
])('refuses %s with a SandboxError that quotes it', (_, options, code, message) => {
  const create = () => createSandbox(options as Parameters<typeof createSandbox>[0])
  expect(create).toThrow(SandboxError)
  expect(create).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }))
})

it('refuses to open the world of an invalid key', () => {
  const { world } = createSandbox(standardOptions)
  expect(() => world('wrong')).toThrow(expect.objectContaining({ name: 'SandboxError', code: 'INVALID_OPTION' }))
})

const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
const messages = 'https://quickstart.petstore.example/messages'
const message = { method: 'POST', headers, body: '{"message":"hi"}' }

it('never reuses a text key, even after its record was removed', async () => {
  const { fetch, world } = createSandbox()
  const send = async (): Promise<string> => (await (await fetch(messages, message)).json()).id
  const first = await send()
  await removeRecord(world(), first, { collection: 'messages' })
  expect(await send()).not.toBe(first)
})

it.each([204, 205])('answers a forced %i without a body', async (status) => {
  const response = await createSandbox().fetch(messages, {
    ...message,
    headers: { ...headers, Prefer: `code=${status}` },
  })
  expect(response.status).toBe(status)
  expect(await response.text()).toBe('')
})

it.each([1n, 2 ** 53])('refuses a scenario with the id %s, which no request could name', (id) => {
  const scenario = { pets: [{ id, name: 'a', categoryId: 1 }] }
  expect(() => createSandbox({ scenario })).toThrow(SandboxError)
})

it('refuses a negative bound of the journal', () => {
  expect(() => createSandbox({ journal: { maxExchanges: -1 } })).toThrow(/maxExchanges.*-1/)
})

it('counts notes as bytes of the journal', async () => {
  const { fetch, journal } = createSandbox({ journal: { maxBytes: 100_000 } })
  const unknown = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`unknown${index}`, 1]))
  const body = JSON.stringify({ name: 'a', categoryId: 1, ...unknown })
  await fetch('https://api.petstore.example/v1/pets', { method: 'POST', headers, body })
  expect(journal.size).toBe(0)
})

it('ends a delayed fetch that is aborted before the delay begins', async () => {
  const controller = new AbortController()
  const { fetch } = createSandbox()
  const delayed = fetch('https://api.petstore.example/v1/pets', {
    headers: { ...headers, Prefer: 'delay=20000' },
    signal: controller.signal,
  })
  controller.abort()
  await expect(delayed).rejects.toThrow(/abort/i)
})

it('generates data for the bundled document that it can serve', async () => {
  const scenario = await generateScenario({ records: 3 })
  expect(await sizeOf(createSandbox({ scenario }).world())).toBe(3)
})
