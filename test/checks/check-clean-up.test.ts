/** What `check` leaves in a provider: its own records are removed, whatever happens, and the rest is noted. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { json } from '../support/provider-faults.js'
import { type Alter, hold, isCreation, provide, services } from '../support/providers.js'

/** A book shelf that records the methods of all requests. */
async function provideBooks(alter: Alter = (_, next) => next()): Promise<{ url: string; methods: string[] }> {
  const methods: string[] = []
  const url = await provide(services.books, (asked, next) => {
    methods.push(asked.method)
    return alter(asked, next)
  })
  return { url, methods }
}

async function countBooks(url: string): Promise<number> {
  const response = await fetch(`${url}/books?limit=1`, { headers: { 'X-Api-Key': 'sandbox' } })
  expect(response.status).toBe(200)
  return (await response.json()).total
}

/** The last requests of a check, which are those of the clean-up. */
function removals(methods: readonly string[]): number {
  return methods.length - 1 - methods.findLastIndex((method) => method !== 'DELETE')
}

it('removes every record that it has created', async () => {
  const { url, methods } = await provideBooks()
  const before = await countBooks(url)
  const { notes } = await hold(url, services.books)
  expect(notes).toEqual([])
  expect(removals(methods)).toBeGreaterThan(20)
  expect(await countBooks(url)).toBe(before)
})

/** Creates another record from a body that the book shelf refuses. */
const acceptAll: Alter = async (asked, next) => {
  const answer = await next()
  if (!isCreation(asked) || answer.ok) return answer
  const headers = { ...asked.headers, 'content-type': 'application/json', 'x-api-key': 'sandbox' }
  return next({ body: '{"title":"Dune","pages":412}', headers })
}

it('removes the records that were created from invalid requests and without a key', async () => {
  const { url, methods } = await provideBooks(acceptAll)
  const before = await countBooks(url)
  const { findings, notes } = await hold(url, services.books)
  expect(findings.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['invalid-request-accepted', 'credentials-not-checked']),
  )
  expect(notes.filter((note) => note.includes('still'))).toEqual([])
  expect(removals(methods)).toBeGreaterThan(20)
  expect(await countBooks(url)).toBe(before)
})

it('notes how many of them are left', async () => {
  const { url } = await provideBooks((asked, next) =>
    asked.method === 'DELETE' ? new Response('{}', { status: 500, headers: json }) : acceptAll(asked, next),
  )
  const before = await countBooks(url)
  const { notes } = await hold(url, services.books)
  const left = (await countBooks(url)) - before
  expect(notes).toContain(
    `${left} records that this check created are still in books: DELETE /books/{bookId} answered 500`,
  )
})

it('never removes a record that existed before, whatever the answers to creations show', async () => {
  let shown = ''
  const { url } = await provideBooks(async (asked, next) => {
    const answer = await next()
    return isCreation(asked) && !answer.ok ? new Response(shown, { status: 201, headers: json }) : answer
  })
  const list = async (): Promise<{ items: object[] }> =>
    (await fetch(`${url}/books`, { headers: { 'X-Api-Key': 'sandbox' } })).json()
  const before = await list()
  shown = JSON.stringify(before.items[0])
  await hold(url, services.books)
  expect(await list()).toEqual(before)
})

it('never names a record that existed before to an operation that may change it', async () => {
  const { rooms } = services
  const bodies: string[] = []
  const url = await provide(rooms, ({ method, path, body }, next) => {
    if (method === 'POST' && path.startsWith('/bookings')) bodies.push(`${path.replace(/\d+/, '1')} ${body}`)
    return next()
  })
  const headers = { authorization: 'Bearer sandbox', 'content-type': 'application/json' }
  const created = await fetch(`${url}/guests`, { method: 'POST', headers, body: '{"name":"Ada"}' })
  const { id } = await created.json()
  // Bookings need a guest, and the check cannot create one.
  const text = rooms.text.replace(/ {4}post:\n {6}operationId: createGuest[\s\S]*?(?=\n {2}\/)/, '')
  await hold(url, { text })
  expect(bodies).toContainEqual(expect.stringMatching(`^/bookings .*${id}`))
  expect(bodies).toContainEqual(expect.stringMatching(/^\/bookings\/1\/cancel .*guestId/))
  expect(bodies).not.toContainEqual(expect.stringMatching(`^/bookings/1/cancel .*${id}`))
})

it('asks a provider that has died only once more, and notes how many records are left', async () => {
  let created = 0
  let isDead = false
  const { url, methods } = await provideBooks(async (asked, next) => {
    if (isDead) return Promise.reject()
    const answer = await next()
    if (isCreation(asked) && answer.ok) created++
    isDead = created === 20
    return answer
  })
  const { notes } = await hold(url, services.books)
  expect(removals(methods)).toBe(1)
  expect(notes).toContainEqual(
    expect.stringMatching(/^20 records that this check created are still in books: the provider \w+ the connection /),
  )
})

it('takes no longer than one request may, and notes how many records are left', async () => {
  const { url, methods } = await provideBooks(async (asked, next) => {
    const answer = await next()
    // Two of them take longer than the limit.
    if (asked.method === 'DELETE' && answer.ok) await wait(3_000)
    return answer
  })
  const { notes } = await hold(url, services.books, { timeoutMs: 5_000 })
  expect(removals(methods)).toBeLessThanOrEqual(2)
  expect(notes).toContainEqual(expect.stringMatching(/^\d+ records that this check created are still in books: /))
})

it('notes a record that cannot be removed, with the status', async () => {
  const { url, methods } = await provideBooks((asked, next) =>
    asked.method === 'DELETE' ? new Response('{}', { status: 500, headers: json }) : next(),
  )
  const before = await countBooks(url)
  const { notes } = await hold(url, services.books)
  const left = (await countBooks(url)) - before
  expect(left).toBeGreaterThan(20)
  expect(notes).toContain(
    `${left} records that this check created are still in books: DELETE /books/{bookId} answered 500`,
  )
  expect(removals(methods.slice(0, -1))).toBe(left)
})

it('takes a record that is gone already for removed', async () => {
  const { url } = await provideBooks(async (asked, next) => {
    const answer = await next()
    return asked.method === 'DELETE' && answer.ok ? new Response('{}', { status: 404, headers: json }) : answer
  })
  const { notes } = await hold(url, services.books)
  expect(notes).toEqual([])
})

it('removes the records after an unexpected failure as well', async () => {
  const { url, methods } = await provideBooks()
  const before = await countBooks(url)
  const onProgress = ({ sent }: { sent: number }) => {
    if (sent === 600) throw new Error('a bug')
  }
  await expect(hold(url, services.books, { onProgress })).rejects.toThrow('a bug')
  expect(removals(methods)).toBeGreaterThan(10)
  expect(await countBooks(url)).toBe(before)
})

it('waits for the requests that were sent together with the one that failed', async () => {
  const { url } = await provideBooks()
  const before = await countBooks(url)
  let together = 0
  let isDone = false
  const onProgress = () => {
    together++
    setImmediate(() => {
      together = 0
    })
    if (isDone || together < 3) return
    isDone = true
    throw new Error('a bug')
  }
  await expect(hold(url, services.books, { onProgress })).rejects.toThrow('a bug')
  expect(await countBooks(url)).toBe(before)
})

it('fails as it first failed when the clean-up fails too', async () => {
  const { url } = await provideBooks()
  const onProgress = ({ sent }: { sent: number }) => {
    if (sent >= 100) throw new Error(`bug ${sent}`)
  }
  await expect(hold(url, services.books, { onProgress })).rejects.toThrow('bug 100')
})

it('hands on the notes before it fails unexpectedly', async () => {
  const { url } = await provideBooks((asked, next) =>
    asked.method === 'DELETE' ? new Response('{}', { status: 500, headers: json }) : next(),
  )
  const notes: string[] = []
  const onProgress = ({ sent }: { sent: number }) => {
    if (sent === 100) throw new Error('a bug')
  }
  const onFailure = (all: readonly string[]) => void notes.push(...all)
  await expect(hold(url, services.books, { onProgress, onFailure })).rejects.toThrow('a bug')
  expect(notes).toContainEqual(expect.stringMatching(/^\d+ records that this check created are still in books: /))
})
