// `sandbox.fetch` while it reads the body of a request: aborted, or with a body that fails. Nothing is stored.
import { createSandbox } from 'petstore-sandbox'
import { expect, it } from 'vitest'

const address = 'https://api.petstore.example/v1/pets'
const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
const whole = new TextEncoder().encode('{"name":"Kim","categoryId":1}')

/** A body that never ends. `read` resolves when something of it was read. */
function endless(first: Uint8Array = whole) {
  const { promise: read, resolve: isRead } = promiseOf<void>()
  const { promise: cancelled, resolve: isCancelled } = promiseOf<unknown>()
  let isFirst = true
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (!isFirst) return new Promise(isRead as () => void)
      isFirst = false
      controller.enqueue(first)
      return undefined
    },
    cancel: isCancelled,
  })
  return { body, read, cancelled }
}

function promiseOf<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const post = (body: ReadableStream, signal?: AbortSignal) => ({ method: 'POST', headers, body, signal, duplex: 'half' })

it('rejects with the reason of the signal, ends the body, and stores nothing', async () => {
  const { fetch, world } = createSandbox({ scenario: 'empty' })
  const controller = new AbortController()
  const { body, cancelled } = endless()
  const sent = fetch(address, post(body, controller.signal) as RequestInit)
  setTimeout(() => controller.abort(new RangeError('enough')), 20)
  await expect(sent).rejects.toThrow(new RangeError('enough'))
  expect(await cancelled).toEqual(new RangeError('enough'))
  expect(await world().collection('pets').list()).toEqual([])
})

it('rejects if it is aborted as soon as it is called', async () => {
  const { fetch } = createSandbox()
  const controller = new AbortController()
  const sent = fetch(address, post(endless().body, controller.signal) as RequestInit)
  controller.abort()
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
})

it('rejects after a time limit', async () => {
  const { fetch } = createSandbox()
  const sent = fetch(address, post(endless().body, AbortSignal.timeout(20)) as RequestInit)
  await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' })
})

it('rejects with the signal of a Request', async () => {
  const { fetch } = createSandbox()
  const controller = new AbortController()
  const sent = fetch(new Request(address, post(endless().body, controller.signal) as RequestInit))
  setTimeout(() => controller.abort(), 20)
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
})

it('rejects with the error of a body that fails, and stores nothing', async () => {
  const { fetch, world } = createSandbox({ scenario: 'empty' })
  let isFirst = true
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isFirst) controller.enqueue(whole)
      else controller.error(new RangeError('broken'))
      isFirst = false
    },
  })
  await expect(fetch(address, post(body) as RequestInit)).rejects.toThrow(new RangeError('broken'))
  expect(await world().collection('pets').list()).toEqual([])
})

it('rejects if it is aborted while a store waits', async () => {
  const controller = new AbortController()
  const never = () => new Promise<never>(() => {})
  const store = {
    open: never,
    commit: never,
    committed: never,
    list: never,
    remove: never,
    blob: never,
    clear: async () => {},
  }
  const sent = createSandbox({ store }).fetch(address, { headers, signal: controller.signal })
  setTimeout(() => controller.abort(), 20)
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
})

it('ends an endless body at the limit, with 413', async () => {
  const { fetch } = createSandbox({ maxBodyBytes: 10 })
  const { body, cancelled } = endless()
  expect((await fetch(address, post(body) as RequestInit)).status).toBe(413)
  await cancelled
})
