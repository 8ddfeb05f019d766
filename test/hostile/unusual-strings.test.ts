/** Strings that break naive programs: each comes back unchanged or is refused, and the next request is answered. */
import { createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { doors, exchange, get, json, key, post } from '../support/exchange.js'
import { standardOptions } from '../support/run-case.js'
import { strings } from '../support/strings.js'

describe('keeps a string unchanged in created, read and listed records', () => {
  for (const [what, text] of strings) {
    it(`of ${what}`, async () => {
      const written = JSON.stringify(text)
      const pet = `{"id":4,"name":${written},"categoryId":7}`
      for (const door of doors) {
        const [created, read, listed, queued] = await exchange(
          door,
          post('/v1/pets', `{"name":${written},"categoryId":7}`),
          get('/v1/pets/4'),
          get('/v1/pets?limit=1'),
          post('/messages', `{"message":${written}}`),
        )
        expect(created).toEqual({ status: 201, text: pet })
        expect(read).toEqual({ status: 200, text: pet })
        expect(listed).toEqual({ status: 200, text: `[${pet}]` })
        expect(queued?.status).toBe(202)
        expect(JSON.parse(queued?.text ?? '').message).toBe(text)
      }
    })
  }
})

const wellFormed = strings.filter(([, text]) => !/\p{Surrogate}/u.test(text))

describe('cleanly refuses a string in every place where it is invalid', () => {
  for (const [what, text] of wellFormed) {
    it(`of ${what}`, async () => {
      const written = JSON.stringify(text)
      const encoded = encodeURIComponent(text)
      for (const door of doors) {
        const [read, filtered, limited, category, status, unknown, list] = await exchange(
          door,
          get(`/v1/pets/${encoded}`),
          get(`/v1/pets?status=${encoded}`),
          get(`/v1/pets?limit=${encoded}`),
          post('/v1/pets', `{"name":"Rex","categoryId":${written}}`),
          post('/v1/pets', `{"name":"Rex","categoryId":7,"status":${written}}`),
          get(`/v1/pets?${encoded}=${encoded}`),
          get('/v1/pets'),
        )
        // A long string exceeds the limit for a path.
        expect([404, 431]).toContain(read?.status)
        for (const answer of [filtered, limited]) expect([400, 431]).toContain(answer?.status)
        for (const answer of [category, status]) expect(answer?.status).toBe(400)
        expect([200, 431]).toContain(unknown?.status)
        expect(JSON.parse(list?.text ?? '')).toHaveLength(3)
      }
    })
  }
})

it('drops an unknown property with any name, and notes it', async () => {
  const sandbox = createSandbox(standardOptions)
  for (const [, text] of strings) {
    const init = {
      method: 'POST',
      headers: Object.fromEntries([key, json]),
      body: `{${JSON.stringify(text)}:{"a":1},"name":"Rex","categoryId":7}`,
    }
    const response = await sandbox.fetch('http://127.0.0.1/v1/pets', init)
    expect(response.status).toBe(201)
    expect(Object.keys(await response.json())).toEqual(['id', 'name', 'categoryId'])
    expect(sandbox.journal.list().at(-1)?.notes).toHaveLength(1)
  }
})
