/** The rehearsal of a sunset: one client meets the removal, and others stay in the present. */
import { startServer } from 'petstore-sandbox/node'
import { expect, it, onTestFinished } from 'vitest'

const instant = '2030-12-05T00:00:00.000Z'

it('removes an operation at 00:00:00 UTC for one client, while another stays in the present', async () => {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const control = (path: string, method: string, body: object) =>
    fetch(`${server.url}/_sandbox${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const read = (key: string) => fetch(`${server.url}/v1/pets/1`, { headers: { Authorization: `Bearer ${key}` } })

  // On the last day the client works, and is told what will happen.
  await control('/worlds/sandbox-rehearsal/clock', 'PATCH', { travelTo: '2030-12-04T23:59:59.999Z', frozen: true })
  const last = await read('sandbox-rehearsal')
  expect([last.status, last.headers.get('sunset')]).toEqual([200, 'Thu, 05 Dec 2030 00:00:00 GMT'])

  await control('/worlds/sandbox-rehearsal/clock', 'PATCH', { advance: 1 })
  const { now } = (await (await fetch(`${server.url}/_sandbox/worlds/sandbox-rehearsal/clock`)).json()) as {
    now: string
  }
  expect(now).toBe(instant)
  expect((await read('sandbox-rehearsal')).status).toBe(404)
  expect((await read('sandbox-other')).status).toBe(200)
  const exchanges = await server.sandbox.exchanges.list({ refused: true })
  expect(exchanges.map(({ key, refused, at }) => [key, refused, new Date(at).toISOString()])).toEqual([
    ['sandbox-rehearsal', 'removed', instant],
  ])
})
