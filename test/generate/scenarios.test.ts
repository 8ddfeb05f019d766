/** The bundled scenarios. */
import { readFileSync } from 'node:fs'
import { createSandbox, generateScenario, type Sandbox, type Values } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { post } from '../support/generated.js'
import { recordsOf } from '../support/records.js'

const base = 'https://api.petstore.example/v1'

it('starts with 120 animals in eight categories, with every status and without one', async () => {
  const animals = (await recordsOf(createSandbox().world())).reverse()
  expect(animals.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
  for (const { name } of animals) expect(name).toMatch(/^[A-Z][a-z]+$/)
  expect(new Set(animals.map(({ name }) => name)).size).toBeGreaterThan(60)
  expect([...new Set(animals.map(({ categoryId }) => categoryId))].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(new Set(animals.map(({ status }) => status))).toEqual(new Set(['available', 'pending', 'sold', undefined]))
})

it('has enough animals for the default limit, the greatest limit and every filter', async () => {
  const sandbox = createSandbox()
  expect(JSON.parse(await get(sandbox, '/pets'))).toHaveLength(20)
  expect(JSON.parse(await get(sandbox, '/pets?limit=100'))).toHaveLength(100)
  for (const status of ['available', 'pending', 'sold']) {
    const found: Values[] = JSON.parse(await get(sandbox, `/pets?limit=100&status=${status}`))
    expect(found.length, status).toBeGreaterThan(5)
    expect(found.length, status).toBeLessThan(100)
  }
})

it('generates other records of the same kind for the bundled document', async () => {
  const { pets = [], ...others } = await generateScenario({ records: 120, seed: 1 })
  expect(others).toEqual({})
  expect(pets.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
  const {
    pets: { name },
  } = JSON.parse(readFixture('hints'))
  for (const pet of pets) {
    expect(name.enum).toContain(pet['name'])
    expect(['available', 'pending', 'sold', undefined]).toContain(pet['status'])
  }
  expect(new Set(pets.map((pet) => pet['status'])).size).toBe(4)
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

it('has no animals in empty, and none available in sold-out', async () => {
  expect(await recordsOf(createSandbox({ scenario: 'empty' }).world())).toEqual([])
  const statuses = (await recordsOf(createSandbox({ scenario: 'sold-out' }).world())).map(({ status }) => status)
  expect(statuses.length).toBeGreaterThan(20)
  expect(new Set(statuses)).toEqual(new Set(['pending', 'sold', undefined]))
})

it('has values that break careless clients in edge-cases', async () => {
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

function readFixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8')
}

async function get(sandbox: Sandbox, path: string): Promise<string> {
  const response = await sandbox.fetch(base + path, { headers: { authorization: 'Bearer sandbox' } })
  expect(response.status).toBe(200)
  return response.text()
}

/** Replaces every number of a JSON text by a string of its digits. */
function quoteNumbers(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d+/g, (token) => (token.startsWith('"') ? token : `"${token}"`))
}
