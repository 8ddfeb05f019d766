/** What a store in Redis keeps besides worlds: files, and the exchanges of all programs. */
import { randomUUID } from 'node:crypto'
import type { LoggedText, SharedLog } from '../state/commits/store.js'
import type { RedisConnection } from './redis-connection.js'

type StreamEntry = [id: string, fields: string[]]

/** How long Redis waits for the next text before it answers that there is none, in milliseconds. */
const block = 1000
/** Pause after a failure to read, in milliseconds. */
const pause = 200
/** Redis gives out fewer numbers than this in a millisecond. */
const perMillisecond = 1000
const field = 'text'
/** Bytes of a piece. */
const pieceSize = 1024 * 1024
/** Seconds after which pieces are removed whose file was never completed. */
const abandonedAfter = 3600

/**
 * The exchanges of all programs: a stream, from which the oldest are removed.
 * @param key of the stream
 * @param openReader opens a connection of its own, because a reader that waits blocks all others
 */
export function openRedisLog(
  connection: RedisConnection,
  key: string,
  maxTexts: number,
  openReader: () => Promise<RedisConnection>,
): SharedLog {
  return {
    async append(texts) {
      await connection.send(async (redis) => {
        const pipeline = redis.pipeline()
        for (const text of texts) pipeline.xadd(key, 'MAXLEN', '~', maxTexts, '*', field, text)
        for (const [error] of (await pipeline.exec()) ?? []) {
          if (!error) continue
          // Changes need the memory more.
          if (error.message.startsWith('OOM')) await redis.xtrim(key, 'MAXLEN', 0)
          throw error
        }
      })
    },
    read: (after) =>
      connection.send(async (redis) => {
        const entries = await redis.xrevrange(key, '+', `(${toStreamId(after)}`, 'COUNT', maxTexts)
        return entries.reverse().map(toLogged)
      }),
    async follow(after, listener) {
      const reader = await openReader()
      let last = toStreamId(after)
      let isEnded = false
      async function readNext(): Promise<void> {
        const from = ['COUNT', 100, 'BLOCK', block, 'STREAMS', key, last]
        const reply = (await reader.send((redis) => redis.call('XREAD', from))) as [string, StreamEntry[]][] | null
        const entries = reply?.[0]?.[1] ?? []
        last = entries.at(-1)?.[0] ?? last
        if (!isEnded && entries.length > 0) listener(entries.map(toLogged))
      }
      const reading = (async () => {
        while (!isEnded) await readNext().catch(() => new Promise((resolve) => setTimeout(resolve, pause)))
      })()
      return async () => {
        isEnded = true
        await reader.close()
        await reading
      }
    },
  }
}

function toLogged([id, fields]: StreamEntry): LoggedText {
  const [milliseconds = 0, number = 0] = id.split('-').map(Number)
  return { id: milliseconds * perMillisecond + number, text: fields[1] ?? '' }
}

function toStreamId(id: number): string {
  return `${Math.floor(id / perMillisecond)}-${id % perMillisecond}`
}

/**
 * Files by hash. A large file is sent in pieces, so that other calls do not wait for all of it.
 * @param base what the names of all keys begin with
 */
export function openBlobs(
  connection: RedisConnection,
  base: string,
): (hash: string, bytes?: Uint8Array) => Promise<Uint8Array | undefined> {
  async function load(key: string): Promise<Uint8Array | undefined> {
    const pieces: Buffer[] = []
    for (let at = 0; ; at += pieceSize) {
      const piece = await connection.send((redis) => redis.getrangeBuffer(key, at, at + pieceSize - 1))
      pieces.push(piece)
      if (piece.length < pieceSize) break
    }
    const bytes = Buffer.concat(pieces)
    const isKept = bytes.length > 0 || (await connection.send((redis) => redis.exists(key))) === 1
    return isKept ? bytes : undefined
  }

  async function keep(key: string, bytes: Uint8Array): Promise<void> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (buffer.length <= pieceSize) {
      await connection.send((redis) => redis.set(key, buffer))
      return
    }
    const parts = `${base}parts:${randomUUID()}`
    for (let at = 0; at < buffer.length; at += pieceSize) {
      await connection.send((redis) => redis.append(parts, buffer.subarray(at, at + pieceSize)))
      if (at === 0) await connection.send((redis) => redis.expire(parts, abandonedAfter))
    }
    await connection.send((redis) => redis.persist(parts))
    await connection.send((redis) => redis.rename(parts, key))
  }

  return async (hash, bytes) => {
    const key = `${base}blob:${hash}`
    if (!bytes) return await load(key)
    await keep(key, bytes)
    return bytes
  }
}
