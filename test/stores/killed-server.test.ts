// A server whose store is a file, ended again and again with SIGKILL while clients create records.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../support/launch.js'

/** How often the server is ended. */
const kills = Number(process.env['KILLS'] ?? 20)
const keys = ['sandbox', 'sandbox-a', 'sandbox-b']
const clientsPerKey = 8

interface Created {
  id: number
  name: string
}

async function create(url: string, key: string, name: string): Promise<Created> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/pets`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, categoryId: 1 }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as Created
}

/** All pets of a world, from the export of the control API. */
async function petsOf(url: string, key: string): Promise<Created[]> {
  const response = await fetch(`${url}/_sandbox/worlds/${key}/snapshot`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { pets?: Created[] }).pets ?? []
}

it(`keeps every answered record once over ${kills} kills, and uses no id again`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-kills-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const options = ['--store', `file:${join(folder, 'worlds.db')}`, '--scenario', 'empty', '--log', 'none']
  const answered = new Map(keys.map((key) => [key, new Map<string, number>()]))
  let count = 0
  let program = await serve(options)
  for (let kill = 1; kill <= kills; kill++) {
    const until = count + 10 + ((kill * 37) % 90)
    const { url } = program
    let isKilled = false
    const client = async (key: string, number: number) => {
      for (let sent = 1; !isKilled; sent++) {
        const name = `${key} ${kill} ${number} ${sent}`
        const created = await create(url, key, name).catch((error: unknown) => {
          if (isKilled) return undefined
          throw error
        })
        if (!created) return
        answered.get(key)?.set(name, created.id)
        if (++count >= until && !isKilled) {
          isKilled = true
          program.signal('SIGKILL')
        }
      }
    }
    await Promise.all(keys.flatMap((key) => Array.from({ length: clientsPerKey }, (_, number) => client(key, number))))
    await program.ended
    program = await serve(options)
    for (const key of keys) {
      const pets = await petsOf(program.url, key)
      const ids = new Map(pets.map(({ id, name }) => [name, id]))
      expect(ids.size, 'no record is there twice').toBe(pets.length)
      expect(new Set(ids.values()).size, 'no id is there twice').toBe(pets.length)
      const lost = [...(answered.get(key) ?? [])].filter(([name, id]) => ids.get(name) !== id)
      expect(lost, 'every answered record is there').toEqual([])
    }
  }
  expect(count).toBeGreaterThan(kills * 10)
})
