/**
 * A replica: a sandbox with a store, over HTTP. Each commit also has an entry with the requests that are in it, and each
 * answer has a header with its place: the stamp of its world, its index in the commit, its number and its time.
 *
 * node replica.js <document> <address of the store> <port> [fault]
 */
import { createHideCredentials } from '../../src/contract/hiding/hide-credentials.js'
import { listen } from '../../src/node/listen.js'
import { MemoryBudget } from '../../src/state/memory-budget.js'
import { openStore } from '../../src/stores/open-store.js'
import { toIncarnation } from './judge.js'
import { plant } from './planted.js'
import { openShop } from './sandbox.js'

const [document, address, port, fault] = process.argv.slice(2)
/** Requests that run or wait for a commit, in the order of their last run, by the id of their world. */
const pending = new Map()
/** The requests of commits whose answer was lost. */
const unanswered = new Map()

const planted = plant(fault)
const opened = planted.store(await openStore(address, { onMessage: (text) => console.error(text) }))
const store = {
  ...opened,
  async commit(id, commit) {
    const included = [...(pending.get(id) ?? [])].filter(({ index }) => index === undefined)
    const sequence = (commit.on?.sequence ?? 0) + 1
    const text = JSON.stringify(included.map(({ request, context }) => [request, context.seed, context.now]))
    const entries = [...commit.entries, { name: JSON.stringify(['trace', sequence]), text }]
    unanswered.set(commit.commitId, included)
    return place(commit.commitId, await opened.commit(id, { ...commit, entries }))
  },
  committed: async (id, commitId) => place(commitId, await opened.committed(id, commitId)),
}

function place(commitId, stamp) {
  const included = unanswered.get(commitId)
  unanswered.delete(commitId)
  if (stamp === 'conflict' || stamp === undefined) return stamp
  for (const [index, entry] of included.entries()) Object.assign(entry, { index, sequence: stamp.sequence })
  return stamp
}

const { engine, sandbox, contract } = await openShop(document, {
  store,
  toApply: (apply, worlds) => (input) => {
    const { request, world, context } = input
    const id = request.header('x-request')
    if (id === undefined) return apply(input)
    const entry = { request: id, context, index: undefined, sequence: undefined }
    const key = worlds().hashOf(world)
    if (!pending.has(key)) pending.set(key, new Set())
    pending.get(key).add(entry)
    const end = (outcome) => {
      pending.get(key).delete(entry)
      const stamp = worlds().stampOf(world)
      const index = entry.sequence === stamp?.sequence ? entry.index : undefined
      const trace = [toIncarnation(stamp), stamp?.sequence ?? 0, index ?? '-', context.seed, context.now].join(' ')
      context.progress.headers = { ...context.progress.headers, 'X-Trace': trace }
      return outcome
    }
    const applied = planted.apply(apply, input)
    if (!(applied instanceof Promise)) return end(applied)
    return applied.then(end, (error) => {
      pending.get(key).delete(entry)
      throw error
    })
  },
})

/** `DELETE /_world/<key>` removes a world. */
async function control({ method, path }) {
  const key = path.slice('/_world/'.length)
  try {
    await engine.worlds.remove(key)
    return { status: method === 'DELETE' ? 204 : 200, headers: {} }
  } catch {
    return { status: 503, headers: {} }
  }
}

await listen({
  serving: () => ({
    sandbox,
    hideCredentials: createHideCredentials(contract),
    control: (request) => (request.path.startsWith('/_world/') ? control(request) : undefined),
  }),
  port: Number(port),
  host: '127.0.0.1',
  allowHosts: [],
  memory: new MemoryBudget(512 * 1024 * 1024),
  onExchange: undefined,
  onUnexpectedError: (error) => console.error(error),
})
console.log('ready')
