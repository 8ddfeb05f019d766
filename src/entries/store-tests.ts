/** Tests for stores: each sentence of the interface `Store`, as cases for any test runner of Node.js. */

import type { Later, Store } from '../state/commits/store.js'
import { commitCases } from '../stores/cases/commit-cases.js'
import { keptCases, replicaCases } from '../stores/cases/kept-cases.js'
import { openCases } from '../stores/cases/open-cases.js'
import type { Run, Use } from '../stores/cases/support.js'
import { fileCases, textCases } from '../stores/cases/text-cases.js'
import { worldCases } from '../stores/cases/world-cases.js'

/** The store that is tested. Its worlds are removed, and its shared table is changed. */
export interface StoreTestOptions {
  /** Opens the store, always on the same data. A case closes it before it opens it again. */
  open: () => Later<Store>
  /** Name of the group of tests. @default 'a store' */
  name?: string
  /** Whether its data outlives `close`. @default true */
  isDurable?: boolean
  /** Whether several stores may be open on the same data, as replicas have them. @default false */
  hasReplicas?: boolean
}

/** A test. It rejects with an AssertionError of `node:assert` if the store fails. */
export interface StoreCase {
  name: string
  run: () => Promise<void>
}

/** The functions of a test runner: Vitest, Jest, Mocha or `node:test`. */
export interface StoreTestRunner {
  describe: (name: string, define: () => void) => unknown
  test: (name: string, run: () => Promise<void>) => unknown
}

/**
 * Defines the tests of a store with a test runner.
 * @example
 * import { describe, test } from 'node:test'
 * testStore({ open: () => openMyStore('worlds.db') }, { describe, test })
 */
export function testStore(options: StoreTestOptions, { describe, test }: StoreTestRunner): void {
  describe(options.name ?? 'a store', () => {
    for (const { name, run } of storeCases(options)) test(name, run)
  })
}

/** The tests of a store, to be run one after another. */
export function storeCases({ open, isDurable = true, hasReplicas = false }: StoreTestOptions): StoreCase[] {
  const cases: Record<string, Run> = {
    ...openCases,
    ...commitCases,
    ...textCases,
    ...worldCases,
    ...fileCases,
    ...(isDurable ? keptCases : {}),
    ...(hasReplicas ? replicaCases : {}),
  }
  return Object.entries(cases).map(([name, run]) => ({ name, run: () => runCase(open, run) }))
}

async function runCase(open: () => Later<Store>, run: Run): Promise<void> {
  const opened = new Set<Store>()
  const openOnce = async (): Promise<Store> => {
    const store = await open()
    opened.add(store)
    return store
  }
  const close = async (store: Store): Promise<void> => {
    opened.delete(store)
    await store.close?.()
  }
  const store = await openOnce()
  const use: Use = {
    store,
    close,
    open: openOnce,
    async reopen() {
      await close(store)
      return openOnce()
    },
  }
  try {
    await store.clear()
    await run(use)
  } finally {
    for (const each of opened) await close(each)
  }
}

export type { Commit, Committed, Entry, Later, ListedWorld, Stamp, Store } from '../state/commits/store.js'
