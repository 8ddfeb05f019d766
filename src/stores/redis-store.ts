/** Keeps worlds in Redis or Valkey, where several processes share them. */
import { randomBytes } from 'node:crypto'
import { SandboxError } from '../contract/sandbox-error.js'
import { quote, shorten } from '../contract/violations.js'
import { type Commit, type Committed, type Entry, type Stamp, type Store, sharedId } from '../state/commits/store.js'
import { parseRedisAddress } from './redis-address.js'
import { createBatch } from './redis-batch.js'
import { openBlobs } from './redis-blobs.js'
import { RedisConnection, type RedisOptions } from './redis-connection.js'
import { openRedisLog } from './redis-log.js'
import {
  changesScript,
  commitScript,
  committedScript,
  incarnationLength,
  listScript,
  removeScript,
} from './redis-scripts.js'

/** How many ids without a table are in memory. */
const knownAbsent = 10_000
/** How many worlds `clear` removes at a time. */
const clearedTogether = 100

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
  // In a cluster, the braces keep all keys on one server.
  const base = `{${address.prefix}}:`
  const worlds = `${base}worlds`
  const labels = `${base}labels`
  const openTogether = createBatch(compareStamps)
  const commitTogether = createBatch(commitAll)
  const blob = openBlobs(connection, base)

  const stampKey = (id: string) => `${base}stamp:${id}`
  const commitKeys = (id: string) => [`${base}commits:${id}`, `${base}before:${id}`]
  const tableKeys = (id: string) => [stampKey(id), `${base}entries:${id}`, `${base}log:${id}`]

  /** Tables that were not there, and of which nothing was left. To look for more than their stamps takes a round trip. */
  const absent = new Set<string>()

  /** Compares the stamps that callers have with the newest ones. */
  function compareStamps(asked: readonly Asked[]): Promise<('unchanged' | 'changed' | undefined)[]> {
    return connection.send(async (redis) => {
      const { run } = connection
      const newest = await redis.mget(asked.map(({ id }) => stampKey(id)))
      const missing = asked.filter(({ id, have }, at) => newest[at] === null && (have || !absent.has(id)))
      const left = missing.length === 0 ? 0 : await redis.exists(...missing.flatMap(({ id }) => tableKeys(id)))
      if (absent.size > knownAbsent) absent.clear()
      if (left === 0) for (const { id } of missing) absent.add(id)
      return asked.map((each, at) => {
        if (newest[at] === null) return left > 0 && missing.includes(each) ? 'changed' : undefined
        return each.have && newest[at] === toStored(each.have, run) ? 'unchanged' : 'changed'
      })
    })
  }

  /** An error with the names of the keys, if it is about what others have written there. */
  function toNamed(error: unknown, names: string): unknown {
    const { message } = error as Error
    if (!/WRONGTYPE|user_script|its stamp|its entries/.test(message)) return error
    const wayOut = names === `*:${sharedId}` ? 'Put a backup in its place' : 'Put the right values there, or remove it'
    const what = `The store has keys that cannot be read, "${base}${names}": ${message}`
    return new SandboxError('STORE_UNAVAILABLE', `${what}. ${wayOut}`)
  }

  const throwNamed = (names: string) => (error: unknown) => {
    throw toNamed(error, names)
  }

  async function loadChanges(id: string, have: Stamp): Promise<Committed | 'unchanged' | undefined> {
    let run = ''
    const reply = await connection.script(changesScript, () => {
      run = connection.run
      return { keys: tableKeys(id), values: [toStored(have, run)] }
    })
    const [newest, names, texts] = reply as [newest?: string, names?: string[], texts?: (string | null)[]]
    if (newest === toStored(have, run)) return 'unchanged'
    if (!newest || !names || !texts) return await loadAll(id)
    const entries = names.map((name, at) => toEntry(name, texts[at] ?? null))
    return { stamp: toStamp(newest, run), isWhole: false, entries }
  }

  async function loadAll(id: string): Promise<Committed | 'unchanged' | undefined> {
    return await connection.send(async (redis) => {
      const { run } = connection
      const [stampOf = '', entriesOf = ''] = tableKeys(id)
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

  async function commitAll(commits: readonly CommitTo[]): Promise<(Stamp | 'conflict' | Error)[]> {
    let run = ''
    let next: Stamp[] = []
    const reply = await connection.script(commitScript, () => {
      run = connection.run
      next = commits.map(({ commit: { on } }) => nextStamp(on, run))
      const keys = [worlds, labels]
      const values: string[] = []
      for (const [at, { id, commit }] of commits.entries()) {
        keys.push(...tableKeys(id), ...commitKeys(id))
        pushCommit(values, id, commit, toStored(commit.on, run), toStored(next[at], run))
      }
      return { keys, values }
    })
    return (reply as (number | string | [string, number])[]).map((result, at) => {
      if (Array.isArray(result))
        return toNamed(new Error(result[0]), result[1] ? '{worlds,labels}' : `*:${commits[at]?.id}`) as Error
      if (typeof result === 'string') return toStamp(result, run)
      return (result === 1 && next[at]) || 'conflict'
    })
  }

  /** Removes tables, unless they are removed and created again in the meantime. */
  async function removeAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const stamps = await connection.send((redis) => redis.mget(ids.map(stampKey)))
    await connection.script(removeScript, () => ({
      keys: [worlds, labels, ...ids.flatMap((id) => [...tableKeys(id), ...commitKeys(id)])],
      values: ids.flatMap((id, at) => [id, stamps[at]?.slice(0, incarnationLength) ?? '']),
    }))
  }

  return {
    async open(id, have) {
      const found = await openTogether({ id, have })
      if (found !== 'changed') return found
      return (have ? loadChanges(id, have) : loadAll(id)).catch(throwNamed(`*:${id}`))
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
        return { keys: [...commitKeys(id), stampKey(id)], values: [commitId] }
      })
      const stored = await reply.catch(throwNamed(`*:${id}`))
      return stored ? toStamp(String(stored), run) : undefined
    },
    async list(after, limit) {
      const keysAndValues = { keys: [worlds, labels], values: [startAfter(after), String(limit)] }
      const reply = connection.script(listScript, () => keysAndValues).catch(throwNamed('{worlds,labels}'))
      const [ids, found] = (await reply) as [string[], string[]]
      return ids.map((id, at) => ({ id, label: fromUtf8(found[at] ?? id) }))
    },
    count: () => connection.send((redis) => redis.zcard(worlds)),
    remove: (id) => removeAll([id]),
    async clear() {
      for (let after: string | undefined; ; ) {
        const start = startAfter(after)
        const ids = await connection.send((redis) => redis.zrangebylex(worlds, start, '+', 'LIMIT', 0, clearedTogether))
        await removeAll(ids)
        if (ids.length < clearedTogether) return
        after = ids.at(-1)
      }
    },
    blob,
    openLog: (maxTexts) =>
      openRedisLog(connection, `${base}exchanges`, maxTexts, () => RedisConnection.open(address, options)),
    async close() {
      // What waits for the end of this turn is sent first.
      await new Promise(setImmediate)
      await connection.close()
    },
  }
}

/** Where a list begins, in the form of Redis. */
function startAfter(id: string | undefined): string {
  return id === undefined ? '-' : `(${id}`
}

interface Asked {
  id: string
  have: Stamp | undefined
}

interface CommitTo {
  id: string
  commit: Commit
}

/** Appends the values of `commitScript` for a commit. */
function pushCommit(values: string[], id: string, commit: Commit, on: string, next: string): void {
  const { commitId, isWhole, isNeverEmpty, entries, label = id } = commit
  const isWorld = !commit.on && id !== sharedId
  values.push(commitId, on, next, isWorld ? id : '', isWorld ? toUtf8(label) : '', isWhole ? '1' : '')
  const counts = values.push(isNeverEmpty ? '1' : '', '', '') - 2
  const removals: string[] = []
  for (const { name, text } of entries) {
    if (text === null) removals.push(toUtf8(name))
    else values.push(toUtf8(name), toUtf8(text))
  }
  values[counts] = String((values.length - counts - 2) / 2)
  values[counts + 1] = String(removals.length)
  for (const name of removals) values.push(name)
}

function nextStamp(on: Stamp | undefined, run: string): Stamp {
  if (on) return { incarnation: on.incarnation, sequence: on.sequence + 1 }
  const random = randomBytes((incarnationLength / 4) * 3).toString('base64url')
  return { incarnation: `${random}.${run}`, sequence: 1 }
}

/** @returns a stamp as it is stored; empty for none, and one that no table has if it is from another run of the server */
function toStored(stamp: Stamp | undefined, run: string): string {
  if (!stamp) return ''
  const { incarnation, sequence } = stamp
  if (incarnation.slice(incarnationLength + 1) !== run) return '-'
  return `${incarnation.slice(0, incarnationLength)}:${sequence}`
}

function toStamp(stored: string, run: string): Stamp {
  if (!/^.{16}:[1-9]\d{0,14}$/.test(stored))
    throw new SandboxError('STORE_UNAVAILABLE', `its stamp is ${quote(shorten(stored))}`)
  return {
    incarnation: `${stored.slice(0, incarnationLength)}.${run}`,
    sequence: Number(stored.slice(incarnationLength + 1)),
  }
}

/** @param pairs names and texts, one after another */
function toEntries(pairs: readonly string[]): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at < pairs.length; at += 2) entries.push(toEntry(pairs[at] ?? '', pairs[at + 1] ?? ''))
  return entries
}

function toEntry(name: string, text: string | null): Entry {
  return { name: fromUtf8(name), text: text === null ? null : fromUtf8(text) }
}

/** UTF-8 cannot represent half of a surrogate pair: such a text is sent as JSON after this character. */
const escaped = '\u0001'

function toUtf8(text: string): string {
  return text.isWellFormed() && !text.startsWith(escaped) ? text : escaped + JSON.stringify(text)
}

/** Text of others that only begins like an escaped one stays as it is, so that the reader of the entry names it. */
function fromUtf8(text: string): string {
  try {
    return text.startsWith(escaped) ? String(JSON.parse(text.slice(1))) : text
  } catch {
    return text
  }
}
