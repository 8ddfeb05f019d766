/** Compares a store with a model, for any sequence of calls. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Later, Stamp, Store } from '../../src/state/commits/store.js'

interface Model {
  stamp: Stamp
  label: string
  texts: Map<string, string>
}

/** A stamp that a caller has: of the state with this number among all states of the table, counted from the newest. */
type Have = number | 'none' | 'foreign'

type Step =
  | {
      do: 'commit'
      id: string
      on: Have
      isWhole: boolean
      texts: [string, string | null][]
      label: string | undefined
    }
  | { do: 'open'; id: string; have: Have }
  | { do: 'committed'; at: number }
  | { do: 'list'; after: string | undefined; limit: number }
  | { do: 'remove'; id: string }
  | { do: 'clear' | 'reopen' }

const ids = fc.constantFrom('a', 'b', 'B', 'c-1')
const have = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Have>(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }) as fc.Arbitrary<Have> },
  { weight: 1, arbitrary: fc.constantFrom<Have>('none', 'foreign') },
)
const names = fc.oneof(fc.constantFrom('x', 'y', '__proto__', ''), fc.string({ unit: 'binary', maxLength: 3 }))
const texts = fc.option(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  { nil: null, freq: 3 },
)

export const storeSteps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 10,
      arbitrary: fc.record({
        do: fc.constant('commit' as const),
        id: ids,
        on: have,
        isWhole: fc.boolean(),
        texts: fc.uniqueArray(fc.tuple(names, texts), { selector: ([name]) => name, maxLength: 5 }),
        label: fc.option(fc.string({ maxLength: 4 }), { nil: undefined }),
      }),
    },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('open' as const), id: ids, have }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('committed' as const), at: fc.nat(20) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('list' as const),
        after: fc.option(fc.constantFrom('', 'a', 'b', 'bb', 'z'), { nil: undefined }),
        limit: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), id: ids }) },
    { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'clear' }, { do: 'reopen' }) },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
)

/** Makes the calls, and compares each answer with that of a model. */
export async function compareWithModel(open: () => Later<Store>, steps: readonly Step[]): Promise<void> {
  let store = await open()
  const tables = new Map<string, Model>()
  /** All states of each id, newest last. */
  const states = new Map<string, { stamp: Stamp; texts: Map<string, string> }[]>()
  const commits: { id: string; commitId: string; stamp: Stamp | undefined }[] = []
  const incarnations = new Set<string>()

  const stampOf = (id: string, which: Have): Stamp | undefined => {
    if (which === 'none') return undefined
    if (which === 'foreign') return { incarnation: 'foreign', sequence: tables.get(id)?.stamp.sequence ?? 1 }
    return states.get(id)?.at(-1 - which)?.stamp
  }
  const isSame = (one: Stamp | undefined, other: Stamp | undefined) =>
    one?.incarnation === other?.incarnation && one?.sequence === other?.sequence

  async function commit(step: Step & { do: 'commit' }): Promise<void> {
    const { id, isWhole, label } = step
    const on = stampOf(id, step.on)
    const table = tables.get(id)
    const commitId = crypto.randomUUID()
    const entries = step.texts.map(([name, text]) => ({ name, text }))
    const answer = await store.commit(id, { commitId, on, isWhole, entries, label })
    if (!isSame(table?.stamp, on)) {
      expect(answer).toBe('conflict')
      commits.push({ id, commitId, stamp: undefined })
      return
    }
    expect(answer).toEqual({
      incarnation: table?.stamp.incarnation ?? expect.any(String),
      sequence: (table?.stamp.sequence ?? 0) + 1,
    })
    const stamp = answer as Stamp
    if (!table) {
      expect(incarnations.has(stamp.incarnation)).toBe(false)
      incarnations.add(stamp.incarnation)
    }
    const texts = new Map(isWhole ? [] : table?.texts)
    for (const [name, text] of step.texts) {
      if (text === null) texts.delete(name)
      else texts.set(name, text)
    }
    tables.set(id, { stamp, texts, label: table?.label ?? label ?? id })
    states.set(id, [...(states.get(id) ?? []), { stamp, texts }])
    commits.push({ id, commitId, stamp })
  }

  async function compareTable(id: string, have: Stamp | undefined): Promise<void> {
    const found = await store.open(id, have)
    const table = tables.get(id)
    if (!table) return expect(found).toBeUndefined()
    if (have && isSame(have, table.stamp)) return expect(found).toBe('unchanged')
    if (!found || found === 'unchanged') throw new Error(`The table "${id}" is ${found}`)
    expect(found.stamp).toEqual(table.stamp)
    expect(new Set(found.entries.map(({ name }) => name)).size).toBe(found.entries.length)
    const before = states.get(id)?.find(({ stamp }) => isSame(stamp, have))
    if (have?.incarnation !== table.stamp.incarnation) expect(found.isWhole).toBe(true)
    const texts = new Map(found.isWhole ? [] : before?.texts)
    for (const { name, text } of found.entries) {
      if (text !== null) texts.set(name, text)
      else if (found.isWhole) throw new Error(`The whole table "${id}" has a removed entry`)
      else texts.delete(name)
    }
    expect(texts).toEqual(table.texts)
  }

  async function list(after: string | undefined, limit: number): Promise<void> {
    const rest = [...tables.keys()].sort().filter((id) => after === undefined || id > after)
    const page = rest.slice(0, limit).map((id) => ({ id, label: tables.get(id)?.label }))
    expect(await store.list(after, limit)).toEqual(page)
  }

  for (const step of steps) {
    if (step.do === 'commit') await commit(step)
    if (step.do === 'open') await compareTable(step.id, stampOf(step.id, step.have))
    if (step.do === 'list') await list(step.after, step.limit)
    if (step.do === 'committed') {
      const known = commits.at(-1 - step.at)
      if (known) expect(await store.committed(known.id, known.commitId)).toEqual(known.stamp)
    }
    if (step.do === 'remove') {
      await store.remove(step.id)
      tables.delete(step.id)
    }
    if (step.do === 'clear') {
      await store.clear()
      tables.clear()
    }
    if (step.do === 'reopen') {
      await store.close?.()
      store = await open()
    }
  }
  for (const id of ['a', 'b', 'B', 'c-1']) await compareTable(id, undefined)
  await list(undefined, 10)
  await store.close?.()
}
