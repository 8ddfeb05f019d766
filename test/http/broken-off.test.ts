/** Faults that close the connection: over HTTP, with `fetch` of a sandbox, and behind MSW. */
import { setupServer } from 'msw/node'
import { createSandbox, type Sandbox } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'
import { startServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'

const headers = { Authorization: 'Bearer sandbox' }
const documented = 'https://api.petstore.example/v1/pets'

const doors: [name: string, open: () => Promise<{ sandbox: Sandbox; get: () => Promise<Response> }>][] = [
  [
    'HTTP',
    async () => {
      const server = await startServer({ port: 0 })
      onTestFinished(() => server.close())
      return { sandbox: server.sandbox, get: () => fetch(`${server.url}/v1/pets`, { headers }) }
    },
  ],
  [
    'fetch',
    async () => {
      const sandbox = createSandbox()
      return { sandbox, get: () => sandbox.fetch(documented, { headers }) }
    },
  ],
  [
    'MSW',
    async () => {
      const { handlers, sandbox } = createHandlers()
      const server = setupServer(...handlers)
      server.listen({ onUnhandledRequest: 'error' })
      onTestFinished(() => server.close())
      return { sandbox, get: () => fetch(documented, { headers }) }
    },
  ],
]

describe.each(doors)('through %s', (_, open) => {
  it('a dropped connection gives no answer, and the next request one', async () => {
    const { sandbox, get } = await open()
    await sandbox.faults.add({ times: 1, drop: true })
    await expect(get()).rejects.toThrow(TypeError)
    expect((await get()).status).toBe(200)
    expect((await sandbox.exchanges.list({ operation: 'listPets' })).map(({ notes }) => notes)).toEqual([
      ['fault 1: the connection was closed'],
      [],
    ])
  })

  it('a body that is cut off has its first bytes, and then an error', async () => {
    const { sandbox, get } = await open()
    const whole = await (await get()).text()
    await sandbox.faults.add({ truncate: 10 })
    const response = await get()
    expect(response.status).toBe(200)
    const read: Uint8Array[] = []
    const reading = (async () => {
      const reader = response.body?.getReader()
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) read.push(part.value)
    })()
    await expect(reading).rejects.toThrow()
    expect(Buffer.concat(read).toString()).toBe(whole.slice(0, 10))
  })

  it('a body that is shorter than the cut arrives whole', async () => {
    const { sandbox, get } = await open()
    const whole = await (await get()).text()
    await sandbox.faults.add({ truncate: 1_000_000 })
    expect(await (await get()).text()).toBe(whole)
  })
})
