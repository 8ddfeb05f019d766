import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommitQueue } from '../../src/state/commits/commit-queue.js'
import { createWorldTable } from '../../src/state/commits/world-table.js'
import type { StoredWorld } from '../../src/state/stored-world.js'
import type { WorldId } from '../../src/state/world-id.js'
import { createFakeStore, type FakeStore, turns, type Weather } from '../support/fake-store.js'
import { checkLater } from './support/check.js'
import { createFactory } from './support/worlds.js'

/** A request of one of two clients, each of which has a process of its own. */
interface Request {
  replica: 0 | 1
  /** An increment leaves a note with its name; a failing one throws when it has changed the world already. */
  act: 'increment' | 'read' | 'fail'
  counter: 1 | 2
  /** Whether the world is opened before, as each request of the sandbox does. */
  opens: boolean
  /** Turns of the microtask queue until the next request comes. */
  pause: number
}

interface Answer extends Request {
  name: string
  /** Both counters as the request saw them, after its own change; undefined if it was rejected. */
  seen: Counters | undefined
  error: unknown
  /** How many increments were committed when the answer came. */
  committed: number
}

type Counters = readonly [number, number]

const key = 'sandbox'
const calm: Weather = { before: 1, after: 1 }
const ownError = new Error('The attempt failed by itself')

const requests: fc.Arbitrary<Request[]> = fc.array(
  fc.record({
    replica: fc.constantFrom<0 | 1>(0, 1),
    act: fc.constantFrom<Request['act']>('increment', 'increment', 'increment', 'read', 'read', 'fail'),
    counter: fc.constantFrom<1 | 2>(1, 2),
    opens: fc.boolean(),
    pause: fc.oneof(fc.constant(0), fc.nat({ max: 12 })),
  }),
  { minLength: 1, maxLength: 12 },
)

/** @param faults what can happen, the most frequent more than once */
function weathers(...faults: Weather['fault'][]): fc.Arbitrary<Weather[]> {
  const weather = fc.record({
    before: fc.nat({ max: 6 }),
    after: fc.nat({ max: 6 }),
    fault: fc.constantFrom(...faults),
  })
  return fc.array(weather, { minLength: 1, maxLength: 12 })
}

function createReplica(store: FakeStore): { world: StoredWorld; queue: CommitQueue } {
  const world = createFactory(() => 0).create(key as WorldId)
  return {
    world,
    queue: new CommitQueue(createWorldTable(world, key, key, { hash: 'ba5e'.repeat(16), carry: () => [] }), store),
  }
}

function countersOf(world: StoredWorld): Counters {
  const countOf = (id: number) => Number(world.collection('counters').get(id)?.values['value'])
  return [countOf(1), countOf(2)]
}

function increment(world: StoredWorld, name: string, counter: number): void {
  const counters = world.collection('counters')
  const value = Number(counters.get(counter)?.values['value'])
  counters.replace(counter, { value: value + 1 })
  world.collection('notes').add({ id: name, counter })
}

function run(world: StoredWorld, { act, counter }: Request, name: string): Counters {
  if (act !== 'read') increment(world, name, counter)
  if (act === 'fail') throw ownError
  return countersOf(world)
}

/** The increments that are committed, in their order. */
function committedOf(store: FakeStore): { id: string; counter: number }[] {
  return notesOf(store.commitsOf(key).at(-1))
}

type Note = { id: string; counter: number }

function recordsOf(state: ReadonlyMap<string, string> | undefined, collection: string): unknown[] {
  const records = [...(state ?? [])].flatMap(([name, text]) => {
    const [kind, of, , position] = JSON.parse(name)
    return kind === 'record' && of === collection ? [{ position, values: JSON.parse(text) }] : []
  })
  return records.sort((one, other) => one.position - other.position).map(({ values }) => values)
}

function notesOf(state: ReadonlyMap<string, string> | undefined): Note[] {
  return recordsOf(state, 'notes') as Note[]
}

/** Sends all requests, one after another or while others wait. */
async function send(store: FakeStore, all: readonly Request[]): Promise<Answer[]> {
  const replicas = [createReplica(store), createReplica(store)] as const
  const answers: Promise<Answer>[] = []
  for (const [number, request] of all.entries()) {
    const name = `request ${number}`
    const { world, queue } = replicas[request.replica]
    const answer = async (): Promise<Answer> => {
      const settled = { ...request, name, seen: undefined, error: undefined }
      try {
        if (request.opens) await queue.open()
        const later = queue.attempt(() => run(world, request, name))
        const seen = later instanceof Promise ? await later : later
        return { ...settled, seen, committed: committedOf(store).length }
      } catch (error) {
        return { ...settled, error, committed: committedOf(store).length }
      }
    }
    answers.push(answer())
    await turns(request.pause)
  }
  return Promise.all(answers)
}

/** The counters after each of the increments; the first entry is before them. */
function prefixesOf(notes: readonly { counter: number }[]): Counters[] {
  const prefixes: [number, number][] = [[0, 0]]
  for (const { counter } of notes) {
    const [one, two] = prefixes.at(-1) ?? [0, 0]
    prefixes.push(counter === 1 ? [one + 1, two] : [one, two + 1])
  }
  return prefixes
}

function expectSerial(store: FakeStore, answers: readonly Answer[]): void {
  const notes = committedOf(store)
  const names = notes.map(({ id }) => id)
  const prefixes = prefixesOf(notes)
  expect(new Set(names).size).toBe(names.length)

  // Each commit adds increments at the end: nothing that was committed is lost or changed later.
  for (const state of store.commitsOf(key)) {
    const added = notesOf(state)
    expect(added).toStrictEqual(notes.slice(0, added.length))
    const counters = recordsOf(state, 'counters') as { value: number }[]
    const total = counters.reduce((sum, { value }) => sum + value, 0)
    expect(total).toBe(added.length)
  }

  for (const { name, act, seen, error, committed } of answers) {
    if (act === 'fail') expect(names).not.toContain(name)
    if (!seen) {
      expect(
        error === ownError || (error as { code?: string }).code === 'STORE_UNAVAILABLE' || isStoreError(error),
      ).toBe(true)
      continue
    }
    // What it saw is the state after some of the increments, which are all committed when it is answered.
    const place = prefixes.findIndex(([one, two]) => one === seen[0] && two === seen[1])
    expect(place).not.toBe(-1)
    expect(place).toBeLessThanOrEqual(committed)
    if (act === 'increment') expect(names[place - 1]).toBe(name)
  }
}

/** What `open()` passes on as it is. */
function isStoreError(error: unknown): boolean {
  return error instanceof Error && /^The (store failed|answer to)/.test(error.message)
}

/** Attempts of one replica are answered in the order in which they came: later ones see earlier ones. */
function expectOrder(answers: readonly Answer[]): void {
  for (const replica of [0, 1]) {
    const sums = answers.flatMap((each) =>
      each.replica === replica && !each.opens && each.seen ? [total(each.seen)] : [],
    )
    expect(sums).toStrictEqual(sums.toSorted((a, b) => a - b))
  }
}

function total([one, two]: Counters): number {
  return one + two
}

describe('the commit queue', () => {
  it('commits the attempts of two replicas in some serial order', () => {
    return checkLater(
      fc.tuple(requests, weathers(undefined)),
      async ([all, plan]) => {
        const store = createFakeStore((call) => plan[call % plan.length] ?? calm)
        const answers = await send(store, all)
        expectSerial(store, answers)
        expectOrder(answers)
        // Nothing goes wrong, so each increment is there, and only what throws is rejected.
        expect(committedOf(store)).toHaveLength(all.filter(({ act }) => act === 'increment').length)
        for (const { act, error } of answers) expect(error).toBe(act === 'fail' ? ownError : undefined)
      },
      200,
    )
  })

  it('commits each attempt once where commits conflict or fail and answers are lost', () => {
    const faults = weathers(undefined, undefined, 'conflict', 'late', 'fail', 'lose')
    return checkLater(
      fc.tuple(requests, faults),
      async ([all, plan]) => {
        const store = createFakeStore((call) => (call > 60 ? calm : (plan[call % plan.length] ?? calm)))
        const answers = await send(store, all)
        expectSerial(store, answers)
        expectOrder(answers)
      },
      250,
    )
  })

  it('rejects no attempt whose commit is stored, as long as the store says what it has', () => {
    const faults = weathers(undefined, 'conflict', 'fail', 'lose', 'lose')
    return checkLater(
      fc.tuple(requests, faults),
      async ([all, plan]) => {
        const store = createFakeStore((call, method) => {
          const weather = plan[call % plan.length] ?? calm
          return method === 'commit' && call <= 60 ? weather : { ...weather, fault: undefined }
        })
        const answers = await send(store, all)
        const names = committedOf(store).map(({ id }) => id)
        for (const { name, seen } of answers) if (!seen) expect(names).not.toContain(name)
      },
      200,
    )
  })

  it('commits nothing where nothing is changed', () => {
    const readers = requests.map((all) =>
      all.map((each): Request => ({ ...each, act: each.act === 'fail' ? 'fail' : 'read' })),
    )
    return checkLater(
      fc.tuple(readers, weathers(undefined)),
      async ([all, plan]) => {
        const store = createFakeStore((call) => plan[call % plan.length] ?? calm)
        await send(store, all)
        expect(store.calls.filter((call) => call !== 'open')).toStrictEqual([])
      },
      100,
    )
  })

  it('answers a read at once where nothing waits for a commit', () => {
    const { world, queue } = createReplica(createFakeStore(() => calm))
    expect(queue.attempt(() => countersOf(world))).toStrictEqual([0, 0])
    expect(() =>
      queue.attempt(() => run(world, { replica: 0, act: 'fail', counter: 1, opens: false, pause: 0 }, 'x')),
    ).toThrow(ownError)
    expect(countersOf(world)).toStrictEqual([0, 0])
  })

  it('answers a read of an uncommitted change only after the commit', async () => {
    const store = createFakeStore(() => ({ before: 50, after: 0 }))
    const { world, queue } = createReplica(store)
    const order: string[] = []
    const written = Promise.resolve(queue.attempt(() => increment(world, 'one', 1))).then(() => order.push('write'))
    const read = Promise.resolve(queue.attempt(() => countersOf(world))).then((seen) => order.push(`read ${seen}`))
    await turns(40)
    expect(order).toStrictEqual([])
    await Promise.all([written, read])
    expect(order).toStrictEqual(['write', 'read 1,0'])
  })

  it('looks a commit up after a lost answer and does not make it again', async () => {
    const store = createFakeStore((_, method) => (method === 'commit' ? { ...calm, fault: 'lose' } : calm))
    const { world, queue } = createReplica(store)
    await queue.attempt(() => increment(world, 'one', 1))
    expect(store.calls).toStrictEqual(['commit lose', 'committed'])
    expect(countersOf(world)).toStrictEqual([1, 0])
  })

  it('does not make a commit again that is stored after it was looked up', async () => {
    const store = createFakeStore((call) =>
      call === 0 ? { before: 0, after: 5, fault: 'late' } : { before: 2, after: 2 },
    )
    const { world, queue } = createReplica(store)
    await queue.attempt(() => increment(world, 'one', 1))
    expect(store.calls).toStrictEqual(['commit late', 'committed', 'commit'])
    expect(committedOf(store)).toHaveLength(1)
  })

  it('looks a commit up also after the last try', async () => {
    const faults: Weather['fault'][] = ['fail', undefined, 'fail', undefined, 'lose']
    const store = createFakeStore((call) => ({ ...calm, fault: faults[call] }))
    const { world, queue } = createReplica(store)
    await queue.attempt(() => increment(world, 'one', 1))
    expect(committedOf(store)).toHaveLength(1)
  })

  it('rejects attempts after 100 conflicts in a row, takes them back, and works again', async () => {
    let isBad = true
    const store = createFakeStore((_, method) => (isBad && method === 'commit' ? { ...calm, fault: 'conflict' } : calm))
    const { world, queue } = createReplica(store)
    await expect(queue.attempt(() => increment(world, 'one', 1))).rejects.toThrow('100 conflicts in a row')
    expect(countersOf(world)).toStrictEqual([0, 0])
    expect(store.calls.filter((call) => call.startsWith('commit'))).toHaveLength(101)
    isBad = false
    await queue.attempt(() => increment(world, 'two', 1))
    expect(committedOf(store)).toStrictEqual([{ id: 'two', counter: 1 }])
  })

  it('shows after open what another replica had committed before', async () => {
    // The first commit is stored at once, but its answer takes long.
    const store = createFakeStore((call) => (call === 0 ? { before: 0, after: 100 } : calm))
    const [one, other] = [createReplica(store), createReplica(store)]
    const slow = one.queue.attempt(() => increment(one.world, 'one', 1))
    await turns(5)
    await other.queue.open()
    await other.queue.attempt(() => increment(other.world, 'two', 2))
    await one.queue.open()
    const seen = await one.queue.attempt(() => countersOf(one.world))
    await slow
    expect(seen).toStrictEqual([1, 1])
  })

  it('starts from the scenario again where the store was cleared', async () => {
    const store = createFakeStore(() => calm)
    const { world, queue } = createReplica(store)
    await queue.attempt(() => increment(world, 'one', 1))
    await store.clear()
    await queue.open()
    expect(countersOf(world)).toStrictEqual([0, 0])
    await queue.attempt(() => increment(world, 'two', 2))
    expect(committedOf(store)).toStrictEqual([{ id: 'two', counter: 2 }])
  })

  it('is up to date after an open that was under way while an attempt was committed', async () => {
    const store = createFakeStore((call) => (call === 1 ? { before: 0, after: 60 } : calm))
    const [one, other] = [createReplica(store), createReplica(store)]
    await other.queue.attempt(() => increment(other.world, 'two', 2))
    const opening = one.queue.open()
    await turns(5)
    await one.queue.attempt(() => increment(one.world, 'one', 1))
    await opening
    expect(countersOf(one.world)).toStrictEqual([1, 1])
  })
})
