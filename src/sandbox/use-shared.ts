/** What all worlds share, in addition to their base: the clock, faults, keys and snapshots. */
import type { LoadShared, PutShared } from '../state/commits/shared-table.js'
import type { Later } from '../state/commits/store.js'

/** What all worlds of a store share. */
export interface Shared {
  /** Runs a function that reads or changes it, when it is up to date. Resolves when the changes are committed. */
  use<T>(run: (put: PutShared) => T): Later<T>
  /** Takes over the entries of a kind, now and later. */
  connect(kind: string, load: LoadShared): void
}

/** Runs a function that reads or changes what all worlds share. @param run gets a function that puts changes into a store */
export function useShared<T>({ shared }: { shared?: Shared }, run: (put: PutShared) => T): Later<T> {
  return shared ? shared.use(run) : run(ignore)
}

function ignore(): void {}
