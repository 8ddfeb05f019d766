/** Keeps the time for which data was generated, so that each start and each replica generates the same. */
import { CommitQueue } from './commit-queue.js'
import { SharedTable } from './shared-table.js'
import type { Store } from './store.js'

/** @param now milliseconds since 1970. @returns the time of the first start with this store */
export async function keepStart(store: Store, now: number): Promise<number> {
  const table = new SharedTable()
  const queue = new CommitQueue(table, store)
  await queue.open()
  return queue.attempt(() => {
    if (table.get('start', '') === undefined) table.put('start', '', now)
    return table.get('start', '') as number
  })
}
