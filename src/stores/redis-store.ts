/** Keeps worlds in Redis or Valkey, where several processes share them. */
import { SandboxError } from '../contract/sandbox-error.js'
import { type Commit, type Committed, type Stamp, type Store, sharedId } from '../state/commits/store.js'
import { parseRedisAddress } from './redis-address.js'
import { RedisConnection, type RedisOptions } from './redis-connection.js'
import { openBlobs, openRedisLog } from './redis-files.js'
import {
  changesScript,
  commitScript,
  committedScript,
  fromUtf8,
  incarnationLength,
  listScript,
  nextStamp,
  pushCommit,
  removeScript,
  toEntries,
  toEntry,
  toStamp,
  toStored,
} from './redis-scripts.js'

/** How many ids without a table are in memory. */
const knownAbsent = 10_000
/** How many worlds `clear` removes at a time. */
const clearedTogether = 100
/** Maximum number of calls that are sent together, so that the server is never busy with one for long. */
const maxTogether = 100

/** The tables of a store in Redis. */
interface Tables {
  readonly connection: RedisConnection
  /** What the names of all keys begin with. In a cluster, its braces keep all keys on one server. */
  readonly base: string
  /** Tables that were not there, and of which nothing was left. To look for more than their stamps takes a round trip. */
  readonly absent: Set<string>
}

interface Asked {
  id: string
  have: Stamp | undefined
}

interface CommitTo {
  id: string
  commit: Commit
}

/**
 * Opens a store in a database of Redis 6.2 or later, or Valkey. A commit is as durable as the server's own settings
 * make it (`appendfsync always`: before the answer). After a restart of the server, all incarnations are new, because
 * it may have lost commits.
 * @param url `redis://[user:password@]host[:port][/database][?prefix=name]`, or `rediss://`
 * @throws SandboxError `INVALID_OPTION` for a wrong address, password or server, `CANNOT_REACH` if none answers in 5 s
 */
export async function openRedisStore(url: string, options: RedisOptions = {}): Promise<Store> {
  const address = parseRedisAddress(url)
  const connection = await RedisConnection.open(address, options)
  const tables: Tables = { connection, base: `{${address.prefix}}:`, absent: new Set() }
  const { base } = tables
  const openTogether = createBatch((asked: readonly Asked[]) => compareStamps(tables, asked))
  const commitTogether = createBatch((commits: readonly CommitTo[]) => commitAll(tables, commits))
  return {
    async open(id, have) {
      const found = await openTogether({ id, have })
      if (found !== 'changed') return found
      return (have ? loadChanges(tables, id, have) : loadAll(tables, id)).catch(throwNamed(base, `*:${id}`))
    },
    async commit(id, commit) {
      const answer = await commitTogether({ id, commit })
      if (answer instanceof Error) throw answer
      return answer
    },
    async committed(id, commitId) {
      let run = ''
      const reply = connection.script(committedScript, () => {
        run = connection.run
        return { keys: [...commitKeys(base, id), stampKey(base, id)], values: [commitId] }
      })
      const stored = await reply.catch(throwNamed(base, `*:${id}`))
      return stored ? toStamp(String(stored), run) : undefined
    },
    async list(after, limit) {
      const keysAndValues = { keys: listKeys(base), values: [startAfter(after), String(limit)] }
      const reply = connection.script(listScript, () => keysAndValues).catch(throwNamed(base, '{worlds,labels}'))
      const [ids, found] = (await reply) as [string[], string[]]
      return ids.map((id, at) => ({ id, label: fromUtf8(found[at] ?? id) }))
    },
    count: () => connection.send((redis) => redis.zcard(worldsKey(base))),
    remove: (id) => removeAll(tables, [id]),
    async clear() {
      for (let after: string | undefined; ; ) {
        const range = [worldsKey(base), startAfter(after), '+', 'LIMIT', 0, clearedTogether] as const
        const ids = await connection.send((redis) => redis.zrangebylex(...range))
        await removeAll(tables, ids)
        if (ids.length < clearedTogether) return
        after = ids.at(-1)
      }
    },
    blob: openBlobs(connection, base),
    openLog: (maxTexts) =>
      openRedisLog(connection, `${base}exchanges`, maxTexts, () => RedisConnection.open(address, options)),
    async close() {
      // What waits for the end of this turn is sent first.
      await new Promise(setImmediate)
      await connection.close()
    },
  }
}

const worldsKey = (base: string) => `${base}worlds`
const listKeys = (base: string) => [worldsKey(base), `${base}labels`]
const stampKey = (base: string, id: string) => `${base}stamp:${id}`
const commitKeys = (base: string, id: string) => [`${base}commits:${id}`, `${base}before:${id}`]
const tableKeys = (base: string, id: string) => [stampKey(base, id), `${base}entries:${id}`, `${base}log:${id}`]

/** Where a list begins, in the form of Redis. */
function startAfter(id: string | undefined): string {
  return id === undefined ? '-' : `(${id}`
}

/** Compares the stamps that callers have with the newest ones. */
function compareStamps(
  { connection, base, absent }: Tables,
  asked: readonly Asked[],
): Promise<('unchanged' | 'changed' | undefined)[]> {
  return connection.send(async (redis) => {
    const { run } = connection
    const newest = await redis.mget(asked.map(({ id }) => stampKey(base, id)))
    const missing = asked.filter(({ id, have }, at) => newest[at] === null && (have || !absent.has(id)))
    const left = missing.length === 0 ? 0 : await redis.exists(...missing.flatMap(({ id }) => tableKeys(base, id)))
    if (absent.size > knownAbsent) absent.clear()
    if (left === 0) for (const { id } of missing) absent.add(id)
    return asked.map((each, at) => {
      if (newest[at] === null) return left > 0 && missing.includes(each) ? 'changed' : undefined
      return each.have && newest[at] === toStored(each.have, run) ? 'unchanged' : 'changed'
    })
  })
}

async function loadChanges(tables: Tables, id: string, have: Stamp): Promise<Committed | 'unchanged' | undefined> {
  const { connection, base } = tables
  let run = ''
  const reply = await connection.script(changesScript, () => {
    run = connection.run
    return { keys: tableKeys(base, id), values: [toStored(have, run)] }
  })
  const [newest, names, texts] = reply as [newest?: string, names?: string[], texts?: (string | null)[]]
  if (newest === toStored(have, run)) return 'unchanged'
  if (!newest || !names || !texts) return await loadAll(tables, id)
  const entries = names.map((name, at) => toEntry(name, texts[at] ?? null))
  return { stamp: toStamp(newest, run), isWhole: false, entries }
}

async function loadAll({ connection, base }: Tables, id: string): Promise<Committed | undefined> {
  return await connection.send(async (redis) => {
    const { run } = connection
    const [stampOf = '', entriesOf = ''] = tableKeys(base, id)
    const replies = await redis.multi().call('GET', [stampOf]).call('HGETALL', [entriesOf]).exec()
    const [newest, pairs] = (replies ?? []).map(([error, reply]) => {
      if (error) throw error
      return reply
    }) as [string | null, string[]]
    if (newest === null && pairs.length === 0) return undefined
    if (newest === null) throw new SandboxError('STORE_UNAVAILABLE', `its stamp "${stampOf}" is missing`)
    return { stamp: toStamp(newest, run), isWhole: true, entries: toEntries(pairs) }
  })
}

async function commitAll(
  { connection, base }: Tables,
  commits: readonly CommitTo[],
): Promise<(Stamp | 'conflict' | Error)[]> {
  let run = ''
  let next: Stamp[] = []
  const reply = await connection.script(commitScript, () => {
    run = connection.run
    next = commits.map(({ commit: { on } }) => nextStamp(on, run))
    const keys = listKeys(base)
    const values: string[] = []
    for (const [at, { id, commit }] of commits.entries()) {
      keys.push(...tableKeys(base, id), ...commitKeys(base, id))
      pushCommit(values, id, commit, toStored(commit.on, run), toStored(next[at], run))
    }
    return { keys, values }
  })
  return (reply as (number | string | [string, number])[]).map((result, at) => {
    if (Array.isArray(result))
      return toNamed(new Error(result[0]), base, result[1] ? '{worlds,labels}' : `*:${commits[at]?.id}`) as Error
    if (typeof result === 'string') return toStamp(result, run)
    return (result === 1 && next[at]) || 'conflict'
  })
}

/** Removes tables, unless they are removed and created again in the meantime. */
async function removeAll({ connection, base }: Tables, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const stamps = await connection.send((redis) => redis.mget(ids.map((id) => stampKey(base, id))))
  await connection.script(removeScript, () => ({
    keys: [...listKeys(base), ...ids.flatMap((id) => [...tableKeys(base, id), ...commitKeys(base, id)])],
    values: ids.flatMap((id, at) => [id, stamps[at]?.slice(0, incarnationLength) ?? '']),
  }))
}

/** An error with the names of the keys, if it is about what others have written there. */
function toNamed(error: unknown, base: string, names: string): unknown {
  const { message } = error as Error
  if (!/WRONGTYPE|user_script|its stamp|its entries/.test(message)) return error
  const wayOut = names === `*:${sharedId}` ? 'Put a backup in its place' : 'Put the right values there, or remove it'
  const what = `The store has keys that cannot be read, "${base}${names}": ${message}`
  return new SandboxError('STORE_UNAVAILABLE', `${what}. ${wayOut}`)
}

function throwNamed(base: string, names: string): (error: unknown) => never {
  return (error) => {
    throw toNamed(error, base, names)
  }
}

/**
 * Collects what is asked for in one turn of the event loop, and asks for it together.
 * @param ask returns an answer for each question, in their order
 */
function createBatch<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let questions: Question[] = []
  let waiting: { resolve(answer: Answer): void; reject(error: unknown): void }[] = []

  function askAll(): void {
    if (questions.length === 0) return
    const asked = questions
    const waited = waiting
    questions = []
    waiting = []
    ask(asked).then(
      (answers) => {
        for (let at = 0; at < waited.length; at++) waited[at]?.resolve(answers[at] as Answer)
      },
      (error) => {
        for (const { reject } of waited) reject(error)
      },
    )
  }

  return (question) =>
    new Promise((resolve, reject) => {
      // All sockets that can be read are read before it runs.
      if (questions.length === 0) setImmediate(askAll)
      questions.push(question)
      waiting.push({ resolve, reject })
      if (questions.length === maxTogether) askAll()
    })
}
