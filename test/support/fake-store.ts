/** A store that waits, conflicts and fails by a plan. What it gives shares nothing with what it got. */
import type { Commit, Committed, Entry, Stamp, Store } from '../../src/state/commits/store.js'
import { sharedId } from '../../src/state/commits/store.js'

/** What happens to one call. */
export interface Weather {
  /** Turns of the microtask queue before it takes effect. */
  before: number
  /** Turns between that and the answer. */
  after: number
  /**
   * A commit: a conflict that is none, or it fails and takes effect later all the same. Any call: fails before it takes
   * effect, or its answer is lost.
   */
  fault?: 'conflict' | 'late' | 'fail' | 'lose' | undefined
}

export interface FakeStore extends Store {
  /** What the table of an id had after each commit: texts by the names of entries. */
  commitsOf(id: string): readonly ReadonlyMap<string, string>[]
  /** The ids of all tables. */
  ids(): string[]
  /** What came to the store, in order of its effect. */
  readonly calls: readonly string[]
  /** The characters of all entries that were committed. */
  characters: number
}

interface Table {
  incarnation: string
  label: string
  commits: { commitId: string; entries: readonly Entry[]; isWhole: boolean; state: ReadonlyMap<string, string> }[]
}

/**
 * @param weatherOf what happens to the call with this number, from 0; `method` is the name of a method of the store, or `share` for
 * a commit to what all worlds share
 */
export function createFakeStore(weatherOf: (call: number, method: string) => Weather): FakeStore {
  const tables = new Map<string, Table>()
  const files = new Map<string, Uint8Array>()
  const abandoned = new Set<string>()
  const calls: string[] = []
  let count = 0
  let incarnations = 0

  async function call<T>(name: string, work: (fault: Weather['fault']) => T): Promise<T> {
    const { before, after, fault } = weatherOf(count++, name)
    await turns(before)
    calls.push(`${name} ${fault ?? ''}`.trim())
    if (fault === 'late') void turns(after).then(() => work(undefined))
    if (fault === 'fail' || fault === 'late') throw new Error(`The store failed at ${name}`)
    const result = work(fault)
    await turns(after)
    if (fault === 'lose') throw new Error(`The answer to ${name} is lost`)
    return result
  }

  const stampOf = (table: Table | undefined): Stamp | undefined =>
    table && { incarnation: table.incarnation, sequence: table.commits.length }

  function apply(id: string, { commitId, isWhole, entries, label = id }: Commit): Stamp {
    const table = tables.get(id) ?? { incarnation: `incarnation ${++incarnations}`, label, commits: [] }
    tables.set(id, table)
    const state = new Map(isWhole ? [] : table.commits.at(-1)?.state)
    for (const { name, text } of entries) {
      store.characters += name.length + (text?.length ?? 0)
      if (text === null) state.delete(name)
      else state.set(name, text)
    }
    table.commits.push({ commitId, entries, isWhole, state })
    return { incarnation: table.incarnation, sequence: table.commits.length }
  }

  const store: FakeStore = {
    calls,
    characters: 0,
    ids: () => [...tables.keys()],
    commitsOf: (id) => tables.get(id)?.commits.map(({ state }) => state) ?? [],
    open(id, have) {
      return call('open', (): Committed | 'unchanged' | undefined => {
        const table = tables.get(id)
        if (!table) return undefined
        const stamp = { incarnation: table.incarnation, sequence: table.commits.length }
        const isKnown = have?.incarnation === stamp.incarnation && have.sequence <= stamp.sequence
        if (isKnown && have.sequence === stamp.sequence) return 'unchanged'
        const since = isKnown ? table.commits.slice(have.sequence) : table.commits
        if (!isKnown || since.some(({ isWhole }) => isWhole)) {
          const all = [...(table.commits.at(-1)?.state ?? [])].map(([name, text]) => ({ name, text }))
          return { stamp, isWhole: true, entries: all }
        }
        const changed = new Map(since.flatMap(({ entries }) => entries.map(({ name, text }) => [name, text] as const)))
        return { stamp, isWhole: false, entries: [...changed].map(([name, text]) => ({ name, text })) }
      })
    },
    commit(id, commit) {
      return call(id === sharedId ? 'share' : 'commit', (fault) => {
        const newest = stampOf(tables.get(id))
        const isCurrent = newest?.incarnation === commit.on?.incarnation && newest?.sequence === commit.on?.sequence
        if (fault === 'conflict' || !isCurrent || abandoned.has(commit.commitId)) return 'conflict'
        return apply(id, commit)
      })
    },
    committed(id, commitId) {
      return call('committed', () => {
        const table = tables.get(id)
        const index = table?.commits.findIndex((commit) => commit.commitId === commitId) ?? -1
        if (table && index >= 0) return { incarnation: table.incarnation, sequence: index + 1 }
        abandoned.add(commitId)
        return undefined
      })
    },
    list: (after = '', limit) =>
      call('list', () =>
        [...tables]
          .filter(([id]) => id > after && id !== sharedId)
          .map(([id, { label }]) => ({ id, label }))
          .sort((one, other) => (one.id < other.id ? -1 : 1))
          .slice(0, limit),
      ),
    remove: (id) => call('remove', () => void tables.delete(id)),
    clear: () =>
      call('clear', () => {
        for (const id of [...tables.keys()]) if (id !== sharedId) tables.delete(id)
      }),
    blob: (hash, bytes) =>
      call('blob', () => {
        if (bytes) files.set(hash, bytes.slice())
        return files.get(hash)
      }),
  }
  return store
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await undefined
}
