/** Files in Redis, by hash. A large file is sent in pieces, so that other calls do not wait for all of it. */
import { randomUUID } from 'node:crypto'
import type { RedisConnection } from './redis-connection.js'

/** Bytes of a piece. */
const pieceSize = 1024 * 1024
/** Seconds after which pieces are removed whose file was never completed. */
const abandonedAfter = 3600

/** @param base what the names of all keys begin with */
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
