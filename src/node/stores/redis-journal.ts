/** A journal in Redis that all replicas append to and read: a stream, from which the oldest texts are removed. */
import { parseRedisAddress } from './redis-address.js'
import { RedisConnection, type RedisOptions } from './redis-connection.js'

export interface RedisJournal {
  append(text: string): Promise<void>
  /** The last texts of all replicas, oldest first. */
  latest(count: number): Promise<string[]>
  /**
   * Calls the listener with each text that a replica appends from now on, in their order, on a connection of its own. What
   * is removed while the connection is down is left out.
   * @returns a function that unsubscribes
   */
  subscribe(listener: (text: string) => void): Promise<() => Promise<void>>
  /** Ends the connection, and all subscriptions. */
  close(): Promise<void>
}

export interface RedisJournalOptions extends RedisOptions {
  /** About how many texts are kept. @default 1000 */
  capacity?: number | undefined
}

type StreamEntry = [id: string, fields: string[]]

/** How long Redis waits for the next text before it answers that there is none, in milliseconds. */
const block = 1000
/** Pause after a failure to read, in milliseconds. */
const pause = 200

/** @throws SandboxError like `openRedisStore` */
export async function openRedisJournal(url: string, options: RedisJournalOptions = {}): Promise<RedisJournal> {
  const { capacity = 1000 } = options
  const address = parseRedisAddress(url)
  const connection = await RedisConnection.open(address, options)
  const key = `{${address.prefix}}:journal`
  const ends = new Set<() => Promise<void>>()

  const newest = (count: number) => connection.send((redis) => redis.xrevrange(key, '+', '-', 'COUNT', count))

  return {
    async append(text) {
      await connection.send((redis) => redis.xadd(key, 'MAXLEN', '~', capacity, '*', 'text', text))
    },
    async latest(count) {
      return (await newest(count)).map(toText).reverse()
    },
    async subscribe(listener) {
      const reader = await RedisConnection.open(address, options)
      let last = (await newest(1))[0]?.[0] ?? '0-0'
      let isEnded = false

      async function read(): Promise<void> {
        const from = ['COUNT', 100, 'BLOCK', block, 'STREAMS', key, last]
        const reply = (await reader.send((redis) => redis.call('XREAD', from))) as [string, StreamEntry[]][] | null
        for (const entry of reply?.[0]?.[1] ?? []) {
          last = entry[0]
          if (!isEnded) listener(toText(entry))
        }
      }

      const reading = (async () => {
        while (!isEnded) await read().catch(() => new Promise((resolve) => setTimeout(resolve, pause)))
      })()
      const end = async () => {
        isEnded = true
        ends.delete(end)
        await reader.close()
        await reading
      }
      ends.add(end)
      return end
    },
    async close() {
      await Promise.all([...ends].map((end) => end()))
      await connection.close()
    },
  }
}

function toText([, fields]: StreamEntry): string {
  return fields[1] ?? ''
}
