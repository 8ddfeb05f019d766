/** How long `check` waits for a provider that answers 429. */
import { beforeEach, expect, it } from 'vitest'
import { createClient } from '../../src/checks/provider/client.js'

const waits: number[] = []
const sleep = async (ms: number) => void waits.push(ms)
beforeEach(() => void waits.splice(0))

const request = { method: 'GET', url: 'http://localhost/pets', headers: [], credentials: 'none' as const }

function clientOf(headers: Record<string, string>) {
  const sendRequest = async () => ({ status: 429, headers, text: '' })
  return createClient({ timeoutMs: 1000, maxBytes: 1000, rate: undefined, sendRequest, sleep })
}

it.each([
  ['no Retry-After', {}, [1000, 1000, 1000]],
  ['seconds', { 'retry-after': '7' }, [7000, 7000, 7000]],
  ['the longest wait', { 'retry-after': '10' }, [10_000, 10_000, 10_000]],
  ['a date in the past', { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' }, [0, 0, 0]],
  ['a negative number', { 'retry-after': '-1' }, [0, 0, 0]],
  ['a word', { 'retry-after': 'later' }, [1000, 1000, 1000]],
  ['two values', { 'retry-after': '1, 2' }, [1000, 1000, 1000]],
  ['more than the longest wait', { 'retry-after': '11' }, []],
  ['a date in 9999', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, []],
  ['400 digits', { 'retry-after': '9'.repeat(400) }, []],
])('waits before three retries, but not longer than 10 s: %s', async (_, headers, expected) => {
  expect(await clientOf(headers).send(request)).toMatchObject({ why: 'rate-limited' })
  expect(waits).toEqual(expected)
})

it('waits for at most a minute in all requests together', async () => {
  const client = clientOf({ 'retry-after': '8' })
  const messages: string[] = []
  for (let sent = 0; sent < 5; sent++) {
    const response = await client.send(request)
    messages.push('message' in response ? response.message : '')
  }
  const over = 'answered 429, and the requests before it have waited for almost 60 s'
  const retried = 'still answered 429 after 3 retries'
  expect(messages).toEqual([retried, retried, over, over, over])
  expect(waits).toEqual(Array(7).fill(8000))
})
