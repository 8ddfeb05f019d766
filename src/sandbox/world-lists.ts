/** Lists the worlds of a store, and finds one of them. */
import { ownKey } from '../contract/credentials.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { Later, ListedWorld, Store } from '../state/commits/store.js'
import { hashText, ofHash, toWorldId, type WorldId } from '../state/world-id.js'
import type { Worlds } from './worlds.js'

export function createWorldLists(store: Store): Required<Pick<Worlds, 'list' | 'find'>> {
  /** The last hash before each offset of a list where a page has ended, since the first page. */
  const starts = new Map<number, string | undefined>()
  return {
    list: (offset, limit) => runInStore('list the worlds', () => listFrom(store, starts, offset, limit)),
    async find(shown) {
      const start = ownKey.test(shown) ? (await hashText(shown)).slice(0, -1) : shown
      // An id comes directly after its own beginning.
      const page = await runInStore('find the world', () => store.list(start, 1))
      return (await toIds(page.filter(({ id }) => id.startsWith(start))))[0]
    },
  }
}

async function listFrom(store: Store, starts: Map<number, string | undefined>, offset: number, limit: number) {
  if (offset === 0) starts.clear()
  let at = Math.max(0, ...[...starts.keys()].filter((start) => start <= offset))
  let after = starts.get(at)
  const read = async (most: number) => {
    const page = await store.list(after, most)
    at += page.length
    after = page.at(-1)?.id ?? after
    return page
  }
  while (at < offset) if ((await read(Math.min(pageSize, offset - at))).length === 0) break
  const page = at === offset ? await read(limit) : []
  starts.set(at, after)
  const ids = await toIds(page)
  if (store.count) return { total: await store.count(), ids }
  while ((await read(pageSize)).length === pageSize);
  return { total: at, ids }
}

/** The number of worlds that are skipped at once. */
const pageSize = 1000

/** The ids of listed worlds. An earlier version had worlds whose ids were chosen by callers, and others may write labels. */
async function toIds(page: readonly ListedWorld[]): Promise<WorldId[]> {
  const known = page.filter(({ id }) => /^[0-9a-f]{64}$/.test(id))
  return Promise.all(
    known.map(async ({ id, label }) => {
      const isOwn = ownKey.test(label) && (await hashText(label)) === id
      return (isOwn && toWorldId(label)) || ofHash(id)
    }),
  )
}

/** Runs work with a store. @throws SandboxError `STORE_UNAVAILABLE` if it fails */
export async function runInStore<T>(what: string, work: () => Later<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unavailable(what, error)
  }
}

export function unavailable(what: string, error: unknown): SandboxError {
  if (error instanceof SandboxError && error.code === 'STORE_UNAVAILABLE') return error
  return new SandboxError('STORE_UNAVAILABLE', `Failed to ${what}: ${(error as Error).message}. Try again`)
}
