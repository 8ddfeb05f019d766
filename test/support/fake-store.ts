/**
 * A store that waits, conflicts and fails by a plan. It keeps worlds as JSON text, as a real one does: what it gives
 * shares nothing with what it got.
 */
import { parseExactJson } from '../../src/json/exact-json.js'
import { writeByShape } from '../../src/json/write-by-shape.js'
import type { Commit, CommittedWorld, Store } from '../../src/state/commits/store.js'
import type { WorldState } from '../../src/state/snapshots/world-state.js'

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
  /** The commits of a world in their order. */
  commitsOf(key: string): readonly { id: string; state: WorldState }[]
  /** What came to the store, in order of its effect. */
  readonly calls: readonly string[]
}

/** @param weatherOf what happens to the call with this number, from 0; `method` is the name of a method of the store */
export function createFakeStore(weatherOf: (call: number, method: string) => Weather): FakeStore {
  const worlds = new Map<string, { id: string; text: string }[]>()
  const calls: string[] = []
  let count = 0

  const commitsTo = (key: string) => worlds.get(key) ?? []

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

  return {
    calls,
    commitsOf: (key) => commitsTo(key).map(({ id, text }) => ({ id, state: parseExactJson(text).exact as WorldState })),
    open(key) {
      return call('open', (): CommittedWorld | undefined => {
        const version = commitsTo(key).length
        const newest = commitsTo(key).at(-1)
        return newest && { version, state: parseExactJson(newest.text).exact as WorldState }
      })
    },
    commit(key, { id, version, state }: Commit) {
      const text = writeByShape(state, [], 0)
      return call('commit', (fault) => {
        if (fault === 'conflict' || version !== commitsTo(key).length) return 'conflict'
        worlds.set(key, [...commitsTo(key), { id, text }])
        return 'committed'
      })
    },
    isCommitted(key, id) {
      return call('isCommitted', () => commitsTo(key).some((commit) => commit.id === id))
    },
    clear() {
      return call('clear', () => worlds.clear())
    },
  }
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await undefined
}
