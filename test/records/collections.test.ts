// Collections of a world, as users of the package hold them: what they take, what they give, and what outlives a reset.
import { createSandbox, type Sandbox, SandboxError, type Values, type WorldState } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { collection, documentOf } from '../support/serve-objects.js'

const record = { type: 'object', properties: { id: { type: 'integer', format: 'int64' }, name: {} } }
const texts = { type: 'object', properties: { id: { type: 'string' }, name: {} } }
const text = JSON.stringify(
  documentOf({ ...collection({ path: '/xs', record }), ...collection({ path: '/texts', record: texts }) }),
)
const scenario = {
  xs: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bo' },
  ],
}

async function open(options: { maxWorlds?: number } = {}): Promise<Sandbox> {
  return createSandbox({ contract: (await compileOnce(text)).contract, scenario, ...options })
}

/** The code of the error that a call ends with, and what it says. */
async function failureOf(call: () => unknown): Promise<readonly [code: string, message: string]> {
  const error = await Promise.resolve()
    .then(call)
    .then(
      () => undefined,
      (failed: unknown) => failed,
    )
  if (!(error instanceof SandboxError)) throw new Error(`Expected a SandboxError, got ${String(error)}`)
  return [error.code, error.message]
}

const holdsItself: Record<string, unknown> = { name: 'c' }
holdsItself['self'] = holdsItself
const deep = Array.from({ length: 20_000 }).reduce<unknown>((inner) => ({ inner }), {})

/** Not of the type that the methods ask for, as a caller in JavaScript may give it. */
type Row = readonly [what: string, value: unknown]
const wrong: readonly Row[] = [
  ['undefined', undefined],
  ['null', null],
  ['a number', 5],
  ['a bigint', 5n],
  ['a text', 'abc'],
  ['a boolean', true],
  ['a symbol', Symbol('s')],
  ['an array', [1]],
  ['a function', () => 1],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['a regular expression', /x/],
  ['a promise', Promise.resolve({})],
  ['a value that holds itself', holdsItself],
  ['a value that is nested too deep', deep],
  ['a function inside', { name: () => 1 }],
  ['a symbol inside', { name: Symbol('s') }],
  ['a date inside', { name: [{ at: new Date(0) }] }],
  ['NaN inside', { name: Number.NaN }],
  ['Infinity inside', { name: [Number.POSITIVE_INFINITY] }],
]

describe('values that are no JSON object', () => {
  it.each(wrong)('such as %s are neither added nor put in the place of others', async (_, values) => {
    const sandbox = await open()
    const xs = sandbox.world().collection('xs')
    for (const call of [() => xs.add(values as Values), () => xs.replace(1, values as Values)]) {
      const [code, message] = await failureOf(call)
      expect(code).toBe('INVALID_RECORD')
      expect(message).toMatch(/^Failed to store a record: its values must be a JSON object \(got .+\)$/)
    }
    expect(await xs.list()).toEqual(scenario.xs.toReversed())
    expect(await xs.add({ name: 'Cy' })).toEqual({ id: 3, name: 'Cy' })
  })

  it('have an undefined property as if it were not there', async () => {
    const xs = (await open()).world().collection('xs')
    expect(await xs.add({ id: undefined, name: undefined })).toEqual({ id: 3 })
  })
})

describe('a key that no record has', () => {
  it.each<Row>([...wrong, ['a fraction', 1.5], ['another form', '01'], ['-1', -1], ['2^53', 2 ** 53]])(
    'such as %s finds, replaces and removes nothing',
    async (_, key) => {
      const xs = (await open()).world().collection('xs')
      expect(await xs.get(key as string)).toBeUndefined()
      expect(await xs.replace(key as string, { name: 'z' })).toBeUndefined()
      expect(await xs.remove(key as string)).toBeUndefined()
      expect(await xs.list()).toEqual(scenario.xs.toReversed())
    },
  )
})

describe('the key of a new record', () => {
  it.each([1.5, -0.5, null, {}, [], [1], true, Number.NaN, 2 ** 53])('is not %j', async (id) => {
    for (const name of ['xs', 'texts']) {
      const records = (await open()).world().collection(name)
      const before = await records.list()
      expect((await failureOf(() => records.add({ id })))[0]).toBe('INVALID_RECORD')
      expect(await records.list()).toEqual(before)
    }
  })

  it.each([1, 1n, '1'])('is not one that is taken: %s', async (id) => {
    const xs = (await open()).world().collection('xs')
    const [code, message] = await failureOf(() => xs.add({ id, name: 'again' }))
    expect([code, message]).toEqual(['DUPLICATE_KEY', expect.stringContaining('a record with id 1 already')])
    expect(await xs.get(1)).toEqual({ id: 1, name: 'Ada' })
    expect(await xs.size()).toBe(2)
  })

  it('keeps every digit beyond 2^53, and small integers as numbers', async () => {
    const xs = (await open()).world().collection('xs')
    expect(await xs.add({ id: 9007199254740993n })).toEqual({ id: 9007199254740993n })
    expect(await xs.get('9007199254740993')).toEqual({ id: 9007199254740993n })
    expect(await xs.get(9007199254740994n)).toBeUndefined()
    expect(await xs.add({ id: 7n })).toEqual({ id: 7 })
    expect(await xs.add({})).toEqual({ id: 8 })
    expect((await failureOf(() => xs.add({ id: '9007199254740993' })))[0]).toBe('DUPLICATE_KEY')
  })
})

describe('the options of list()', () => {
  it.each([
    null,
    { filter: null },
    { filter: 5 },
    { limit: -1 },
    { limit: Number.NaN },
    { limit: '2' },
    { limit: null },
  ])('are not %j', async (options) => {
    const xs = (await open()).world().collection('xs')
    expect((await failureOf(() => xs.list(options as object)))[0]).toBe('INVALID_OPTION')
  })

  it.each([
    [undefined, [2, 1]],
    [{}, [2, 1]],
    [{ limit: 0 }, []],
    [{ limit: 1 }, [2]],
    [{ limit: Number.POSITIVE_INFINITY }, [2, 1]],
    [{ filter: { name: 'Ada' } }, [1]],
    [{ filter: { name: ['Ada', 'Bo'] }, limit: 1 }, [2]],
    [{ filter: { name: 'Ada', id: 2 } }, []],
    [{ filter: { constructor: undefined } }, [2, 1]],
  ] as const)('%j gives %j', async (options, ids) => {
    const xs = (await open()).world().collection('xs')
    expect((await xs.list(options)).map(({ id }) => id)).toEqual(ids)
  })
})

it('gives copies, and takes copies', async () => {
  const xs = (await open()).world().collection('xs')
  const given = { name: { deep: ['a'] } }
  const added = await xs.add(given)
  given.name.deep.push('b')
  const change = (values: Values = {}) => (values['name'] as typeof given.name).deep.push('c')
  change(added)
  change(await xs.get(3))
  change((await xs.list())[0])
  change(await xs.replace(3, { name: { deep: ['a'] } }))
  expect(await xs.get(3)).toEqual({ id: 3, name: { deep: ['a'] } })
  change((await xs.list({ limit: 1 }))[0])
  expect(await xs.remove(3)).toEqual({ id: 3, name: { deep: ['a'] } })
})

it('sees what happens in its world after a reset', async () => {
  const sandbox = await open()
  const world = sandbox.world()
  const xs = world.collection('xs')
  for (const reset of [() => sandbox.reset(), () => world.reset()]) {
    await xs.clear()
    expect(await xs.size()).toBe(0)
    await reset()
    expect(await xs.list()).toEqual(scenario.xs.toReversed())
    await xs.add({ name: 'Cy' })
    const response = await sandbox.fetch('http://127.0.0.1/xs/3')
    expect(await response.json()).toEqual({ id: 3, name: 'Cy' })
  }
})

it('has nothing that can be written', async () => {
  const xs = (await open()).world().collection('xs')
  expect(typeof xs.size).toBe('function')
  expect(Object.keys(xs).sort()).toEqual(['add', 'clear', 'get', 'list', 'name', 'remove', 'replace', 'size'])
})

it('opens as many worlds as are allowed again after a reset', async () => {
  const sandbox = await open({ maxWorlds: 2 })
  for (let round = 0; round < 3; round++) {
    for (const key of ['sandbox-a', 'sandbox-b']) expect(await sandbox.world(key).collection('xs').size()).toBe(2)
    expect((await failureOf(() => sandbox.world('sandbox-c').collection('xs').size()))[0]).toBe('INVALID_OPTION')
    const headers = { Authorization: 'Bearer sandbox-c' }
    expect((await sandbox.fetch('http://127.0.0.1/xs', { headers })).status).toBe(503)
    await sandbox.reset()
  }
})

it('has the same state after a snapshot went through JSON', async () => {
  const sandbox = await open()
  const world = sandbox.world()
  const xs = world.collection('xs')
  await xs.remove(1)
  await xs.replace(2, { name: { big: [9007199254740993n, -1n] } })
  await xs.add({ id: 9223372036854775807n, name: 'last' })
  await world.clock.advance(1000)
  const state = await world.snapshot()
  const records = await xs.list()
  const tagged = JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? { big: `${value}` } : value))
  const again = JSON.parse(tagged, (_, value) => (typeof value?.big === 'string' ? BigInt(value.big) : value))
  await sandbox.world('sandbox-other').restore(again)
  expect(await sandbox.world('sandbox-other').collection('xs').list()).toEqual(records)
  expect(await sandbox.world('sandbox-other').snapshot()).toEqual(state)
  again.collections[0].added.length = 0
  expect(await sandbox.world('sandbox-other').collection('xs').list()).toEqual(records)
})

it('restores what a snapshot says, changed or not, as often as it is asked to', async () => {
  const sandbox = await open()
  const world = sandbox.world()
  const xs = world.collection('xs')
  const added = await xs.add({ name: 'one', tags: ['a', { b: 1 }] })
  const key = added['id'] as number
  const state = await world.snapshot()
  const changed = await world.snapshot()
  const [record] = changed.collections[0]?.added ?? []
  Object.assign(record ?? {}, { name: 'two' })
  const grown = await world.snapshot()
  Object.assign(grown.collections[0]?.added[0] ?? {}, { more: true })
  const shrunk = await world.snapshot()
  shrunk.collections[0]?.added.pop()
  for (let round = 0; round < 2; round++) {
    await world.restore(changed)
    expect(await xs.get(key)).toEqual({ ...added, name: 'two' })
    await xs.replace(key, { name: 'three' })
    await world.restore(state)
    expect(await xs.get(key)).toEqual(added)
    await world.restore(grown)
    expect(await xs.get(key)).toEqual({ ...added, more: true })
    await world.restore(shrunk)
    expect(await xs.get(key)).toBeUndefined()
  }
  await world.restore(state)
  const copy = await world.fork('sandbox-copy')
  await copy.collection('xs').remove(key)
  await xs.add({ name: 'four' })
  expect([await xs.size(), await copy.collection('xs').size()]).toEqual([4, 2])
})

it('restores a record that was added with the key of a removed one', async () => {
  const sandbox = await open()
  const xs = sandbox.world().collection('xs')
  await xs.remove(1)
  await xs.add({ id: 1, name: 'again' })
  const other = sandbox.world('sandbox-other')
  await other.restore(await sandbox.world().snapshot())
  expect(await other.collection('xs').get(1)).toEqual({ id: 1, name: 'again' })
  expect(await other.collection('xs').size()).toBe(await xs.size())
})

describe('what is no state of a world', () => {
  const one = { name: 'xs', server: 'default', nextKey: 3, changed: [], added: [] }
  const withOne = (parts: object) => ({ clockOffset: 0, collections: [{ ...one, ...parts }] })

  it.each<Row>([
    ...wrong,
    ['an empty object', {}],
    ['one without collections', { clockOffset: 0 }],
    ['one without a clock', { collections: [] }],
    ['one whose clock is no number', { clockOffset: '0', collections: [] }],
    ['one whose collections are no array', { clockOffset: 0, collections: {} }],
    ['one with a collection that is null', { clockOffset: 0, collections: [null] }],
    ['one with a collection that is a number', { clockOffset: 0, collections: [5] }],
    ['one of another contract', withOne({ name: 'ys' })],
    ['one of another server', withOne({ server: 'staging' })],
    ['one whose first collection is right and second is not', { clockOffset: 9, collections: [one, {}] }],
    ['one whose next key is a text', withOne({ nextKey: '3' })],
    ['one whose next key is a fraction', withOne({ nextKey: 3.5 })],
    ['one with a change that is no pair', withOne({ changed: [5] })],
    ['one with a change at a negative position', withOne({ changed: [[-1, null]] })],
    ['one with a change at a position that is a text', withOne({ changed: [['0', null]] })],
    ['one with a change far behind the scenario', withOne({ changed: [[1e9, { id: 9 }]] })],
    ['one with a change to a record without a key', withOne({ changed: [[0, { name: 'n' }]] })],
    ['one with an added text', withOne({ added: ['abc'] })],
    ['one with an added record without a key', withOne({ added: [{ name: 'n' }] })],
    ['one with an added record whose key is an object', withOne({ added: [{ id: {} }] })],
    ['one with an added record whose key is a fraction', withOne({ added: [{ id: 1.5 }] })],
    ['one with an added record whose key is a text of an integer', withOne({ nextKey: 99, added: [{ id: '9' }] })],
    ['one with two added records of the same key', withOne({ nextKey: 99, added: [{ id: 9 }, { id: 9 }] })],
    ['one with an added record whose key the scenario has', withOne({ nextKey: 99, added: [{ id: 1 }] })],
    ['one with a change of a key', withOne({ nextKey: 99, changed: [[0, { id: 9 }]] })],
    ['one with a change to the key of another record', withOne({ changed: [[0, { id: 2 }]] })],
    ['one with two changes of one record', withOne({ changed: [0, 0].map((position) => [position, null]) })],
    ['one with a collection twice', { clockOffset: 0, collections: [one, one] }],
    ['one whose next key is that of a scenario record', withOne({ nextKey: 2 })],
    ['one whose next key is that of an added record', withOne({ added: [{ id: 3 }] })],
    ['one whose clock is beyond the year 9999', { clockOffset: 8e15, collections: [] }],
    ['one with an answer without a time', { ...withOne({}), answers: [{ id: 'a', print: 'b', status: 200 }] }],
    [
      'one with an answer that is neither given nor refused',
      { ...withOne({}), answers: [{ id: 'a', print: 'b', at: 1 }] },
    ],
    ['one with added records in an object', withOne({ added: { 0: { id: 9 } } })],
  ])('such as %s is refused, and nothing changes', async (_, state) => {
    const world = (await open()).world()
    await world.collection('xs').add({ name: 'Cy' })
    await world.clock.advance(5000)
    const before = await world.snapshot()
    expect((await failureOf(() => world.restore(state as WorldState)))[0]).toBe('INVALID_OPTION')
    expect(await world.snapshot()).toEqual(before)
  })
})
