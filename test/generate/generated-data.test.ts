/** Generated data: repeatable by seed, any number of records, and the options. */
import { readFileSync } from 'node:fs'
import { compileDocument, createSandbox, generateScenario } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { schemas } from '../support/difficult-schemas.js'
import { expectValid, toDocument, withoutId } from '../support/generated.js'
import { countOf, recordOf, removeRecord, sizeOf } from '../support/records.js'

it('generates the same bytes for the same seed, and others for another seed', async () => {
  const compiled = await compileDocument(JSON.stringify(toDocument({ formats: schemas['formats'] })))
  for (const options of [{}, { compiled }]) {
    const make = async (seed: number) => JSON.stringify(await generateScenario({ ...options, records: 1200, seed }))
    const first = await make(7)
    expect(await make(7)).toBe(first)
    expect(await make(8)).not.toBe(first)
    expect(await make(-7)).not.toBe(first)
  }
})

it('generates 20 records with seed 1 by default', async () => {
  const standard = await generateScenario()
  expect(standard).toEqual(await generateScenario({ records: 20, seed: 1 }))
  expect(standard['pets']).toHaveLength(20)
})

it('generates the same records with two concurrent generators', async () => {
  const options = { records: 1500, seed: 3 }
  const alone = await generateScenario(options)
  expect(await Promise.all([generateScenario(options), generateScenario(options)])).toEqual([alone, alone])
})

it('generates records in states in which they can be', async () => {
  const time = { type: 'string', format: 'date-time' }
  const nullable = { type: ['string', 'null'], format: 'date-time' }
  const job = {
    type: 'object',
    required: ['id', 'status', 'finishedAt', 'closed_at', 'sentAt', 'progress', 'completed'],
    properties: {
      id: { type: 'integer' },
      status: { type: 'string', enum: ['queued', 'running', 'completed', 'failed'] },
      startedAt: time,
      finishedAt: nullable,
      closed_at: time,
      failed_at: time,
      expires_at: time,
      sentAt: nullable,
      progress: { type: 'integer', minimum: 0, maximum: 100 },
      completed: { type: 'boolean' },
    },
  }
  const compiled = await compileDocument(JSON.stringify(toDocument({ jobs: job })))
  const records = Object.values(await generateScenario({ compiled, records: 80 })).flat()
  const inState = (...states: string[]) => records.filter(({ status }) => states.includes(String(status)))
  expect(inState('queued').length * inState('running').length * inState('completed').length).toBeGreaterThan(0)
  for (const each of inState('queued'))
    expect(each).toMatchObject({ finishedAt: null, sentAt: null, progress: 0, completed: false })
  for (const each of inState('queued', 'running')) {
    expect(each).toMatchObject({ finishedAt: null, completed: false })
    expect(each).not.toHaveProperty('failed_at')
    // Its schema requires it.
    expect(typeof each['closed_at']).toBe('string')
  }
  expect(inState('queued').some((each) => 'startedAt' in each)).toBe(false)
  expect(inState('completed').some((each) => 'failed_at' in each)).toBe(false)
  const having = (state: string, name: string) => inState(state).filter((each) => typeof each[name] === 'string').length
  expect(having('running', 'startedAt')).toBeGreaterThan(0)
  expect(having('running', 'expires_at')).toBeGreaterThan(0)
  expect(having('running', 'sentAt')).toBeGreaterThan(0)
  expect(having('completed', 'finishedAt')).toBeGreaterThan(0)
  expect(having('failed', 'failed_at')).toBeGreaterThan(0)
})

// --- any number of records -----------------------------------------------------------------------------------------

it('generates 2,500 animals, all valid, with unique keys and readable by them', async () => {
  const scenario = await generateScenario({ records: 2500 })
  const pets = scenario['pets'] ?? []
  const document = parse(readFileSync(new URL('../../spec/petstore.openapi.yaml', import.meta.url), 'utf8'))
  expectValid(document, '#/components/schemas/Pet', pets)
  expect(pets.map(({ id }) => id)).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1))

  const sandbox = createSandbox({ scenario })
  const world = sandbox.world()
  for (const id of [1, 1000, 1001, 2500, '1', '2500'] as const)
    expect(await recordOf(world, id)).toEqual(pets[Number(id) - 1])
  for (const id of [0, -1, 1.5, 2501, 9007199254740993n, '01', '1.0', ''] as const)
    expect(await recordOf(world, id)).toBeUndefined()
  expect(await removeRecord(world, 1.5)).toBeUndefined()
  expect(await sizeOf(world)).toBe(2500)
  expect(await countOf(world, 'status', 'sold')).toBe(pets.filter(({ status }) => status === 'sold').length)
})

it('combines generated records: those beyond a thousand are not copies', async () => {
  const { pets = [] } = await generateScenario({ records: 3000 })
  const first = new Set(pets.slice(0, 1000).map(withoutId))
  const others = pets.slice(1000).filter((pet) => !first.has(withoutId(pet)))
  expect(others.length).toBeGreaterThan(500)
  const statuses = new Set(pets.slice(1000).map(({ status }) => status))
  expect(statuses).toEqual(new Set(['available', 'pending', 'sold', undefined]))
})

it('finds records by keys with gaps between them', async () => {
  const pets = [5, 1, 2].map((id) => ({ id, name: `Pet ${id}`, categoryId: 1 }))
  const world = createSandbox({ scenario: { pets } }).world()
  const found = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => recordOf(world, id)))
  expect(found.map((values) => values?.['name'])).toEqual(['Pet 1', 'Pet 2', undefined, undefined, 'Pet 5', undefined])
})

it('accepts records with integers beyond 2^53 as bigints, and refuses those beyond int64', async () => {
  const sandboxOf = (id: bigint) => createSandbox({ scenario: { pets: [{ id, name: 'Ada', categoryId: 1 }] } })
  expect(await recordOf(sandboxOf(2n ** 63n - 1n).world(), 9223372036854775807n)).toMatchObject({ name: 'Ada' })
  expect(() => sandboxOf(2n ** 63n)).toThrow('id must be an int64')
})

it('reports its progress, and yields to other tasks', async () => {
  const steps: [number, number][] = []
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  await generateScenario({ records: 60_010, onProgress: (done, total) => steps.push([done, total]) })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(2)
  expect(steps.length).toBeGreaterThan(4)
  expect(steps.every(([, total]) => total === 60_010)).toBe(true)
  expect(steps.map(([done]) => done)).toEqual(steps.map(([done]) => done).toSorted((one, other) => one - other))
  expect(steps.at(-1)).toEqual([60_010, 60_010])
})

it('generates no records for 0', async () => {
  expect(await generateScenario({ records: 0 })).toEqual({ pets: [] })
})

for (const records of [-1, 1.5, 10_000_001, Number.NaN, Number.POSITIVE_INFINITY]) {
  it(`refuses ${records} records, and says which numbers are allowed`, async () => {
    await expect(generateScenario({ records })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: `records must be a whole number from 0 to 10000000 (got ${records})`,
    })
  })
}

for (const seed of [1.5, 2 ** 53, -(2 ** 53), Number.NaN]) {
  it(`refuses the seed ${seed}, and says which seeds are allowed`, async () => {
    await expect(generateScenario({ seed })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: `seed must be a whole number from -9007199254740991 to 9007199254740991 (got ${seed})`,
    })
  })
}

it('accepts the least and the greatest seed', async () => {
  const [least, greatest] = await Promise.all([-1, 1].map((sign) => generateScenario({ seed: sign * (2 ** 53 - 1) })))
  expect(least).not.toEqual(greatest)
})
