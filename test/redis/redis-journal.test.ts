// The journal that all replicas share.
import { afterEach, describe, expect, it } from 'vitest'
import { openRedisJournal, type RedisJournal, type RedisJournalOptions } from '../../src/node/stores/redis-journal.js'
import { startCutProxy } from '../support/cut-proxy.js'
import { hasRedis, startRedis } from '../support/redis-server.js'

const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function open(port: number, options: RedisJournalOptions = {}): Promise<RedisJournal> {
  const journal = await openRedisJournal(`redis://127.0.0.1:${port}`, options)
  ends.push(() => journal.close())
  return journal
}

async function startServer(): Promise<number> {
  const server = await startRedis()
  ends.push(() => server.remove())
  return server.port
}

/** Collects texts. `until` resolves when there are this many. */
function collect() {
  const texts: string[] = []
  let check = () => {}
  const listener = (text: string) => {
    texts.push(text)
    check()
  }
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      check = () => texts.length >= count && resolve()
      check()
    })
  return { texts, listener, until }
}

describe.skipIf(!hasRedis)('the journal in Redis', () => {
  it('passes each text to the subscribers of all replicas, in one order', async () => {
    const port = await startServer()
    const [one, other] = [await open(port), await open(port)]
    await one.append('before')
    const [first, second] = [collect(), collect()]
    await one.subscribe(first.listener)
    await other.subscribe(second.listener)
    await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        await one.append(`one ${at}`)
        await other.append(`other ${at}`)
      }),
    )
    await Promise.all([first.until(400), second.until(400)])
    expect(first.texts).toEqual(second.texts)
    expect(new Set(first.texts).size).toBe(400)
    expect(first.texts).not.toContain('before')
    expect(await other.latest(3)).toEqual(first.texts.slice(-3))
  })

  it('keeps about as many texts as it may', async () => {
    const journal = await open(await startServer(), { capacity: 100 })
    await Promise.all(Array.from({ length: 1000 }, (_, at) => journal.append(String(at))))
    const texts = await journal.latest(10_000)
    expect(texts.at(-1)).toBe('999')
    expect(texts.length).toBeGreaterThanOrEqual(100)
    expect(texts.length).toBeLessThan(300)
  })

  it('follows after its connection was lost, and not after it ended', async () => {
    const port = await startServer()
    const proxy = await startCutProxy(port)
    ends.push(() => proxy.close())
    const writer = await open(port)
    const reader = await open(proxy.port)
    const { texts, listener, until } = collect()
    const end = await reader.subscribe(listener)
    await writer.append('1')
    await until(1)
    await new Promise<void>((resolve) => {
      proxy.fateOf = (sent) => {
        if (!/XREAD/i.test(sent)) return 'forward'
        resolve()
        return 'cut before'
      }
    })
    await writer.append('2')
    proxy.fateOf = () => 'forward'
    await until(2)
    await end()
    await writer.append('3')
    expect(texts).toEqual(['1', '2'])
    expect(await reader.latest(1)).toEqual(['3'])
  })
})
