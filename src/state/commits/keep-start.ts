/** Keeps the time for which data was generated, so that each start and each replica generates the same. */
import { CommitQueue } from './commit-queue.js'
import { SharedTable } from './shared-table.js'
import type { Store } from './store.js'

/** The table of what all worlds share, which is loaded once. */
export interface OpenedShared {
  table: SharedTable
  queue: CommitQueue
}

export function openSharedTable(store: Store): OpenedShared {
  const table = new SharedTable()
  return { table, queue: new CommitQueue(table, store) }
}

/** @param now milliseconds since 1970. @returns the time of the first start with this store */
export async function keepStart({ table, queue }: OpenedShared, now: number): Promise<number> {
  await queue.open()
  return queue.attempt(() => {
    if (table.get('start', '') === undefined) table.put('start', '', now)
    return table.get('start', '') as number
  })
}
