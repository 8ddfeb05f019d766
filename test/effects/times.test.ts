/** Times that users give: RFC 3339 dates and date-times of the years 0000 to 9999, through every door. `lifecycle-dates` has those of a document. */
import fc from 'fast-check'
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'
import { startServer } from 'petstore-sandbox/node'
import { describe, expect, it } from 'vitest'
import { collection, documentOf } from '../support/serve-objects.js'

/** Reads a time, and returns it in milliseconds since 1970. */
type Door = (time: string) => Promise<number>

const now = () => 0

const doors: Record<string, Door> = {
  'the option at of createSandbox': async (at) => createSandbox({ at, now }).clock.now(),
  'the option at of createHandlers': async (at) => createHandlers({ at, now }).sandbox.clock.now(),
  'the option at of startServer': async (at) => {
    const server = await startServer({ port: 0, at, now })
    await server.close()
    return server.sandbox.clock.now()
  },
  'the clock of a sandbox': async (time) => {
    const { clock } = createSandbox({ now })
    await clock.travelTo(time)
    return clock.now()
  },
  'the clock of a world': async (time) => {
    const { clock } = createSandbox({ now }).world()
    await clock.travelTo(time)
    return clock.now()
  },
}

const right: [text: string, same: string][] = [
  ['2030-12-05', '2030-12-05T00:00:00.000Z'],
  ['2030-12-05T10:11:12Z', '2030-12-05T10:11:12.000Z'],
  ['2030-12-05t10:11:12z', '2030-12-05T10:11:12.000Z'],
  ['2030-12-05 10:11:12Z', '2030-12-05T10:11:12.000Z'],
  ['2030-12-05T10:11:12.5Z', '2030-12-05T10:11:12.500Z'],
  ['2030-12-05T10:11:12.28999999Z', '2030-12-05T10:11:12.289Z'],
  ['2030-12-05T10:11:12+05:30', '2030-12-05T04:41:12.000Z'],
  ['2030-12-05T23:30:00-01:45', '2030-12-06T01:15:00.000Z'],
  ['2030-12-05T10:11:12-00:00', '2030-12-05T10:11:12.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29', '2000-02-29T00:00:00.000Z'],
  ['0000-01-01', '0000-01-01T00:00:00.000Z'],
  ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  // Leap seconds, which computers count as the second after them.
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000Z'],
  ['2015-07-01T05:29:60.5+05:30', '2015-07-01T00:00:00.500Z'],
]

const wrong = [
  ...['', ' ', 'now', 'tomorrow', 'NaN', '0', '1700000000', '-1', '1e12'],
  ...['5/12/2030', '12/5/2030', '5.12.2030', '2030/12/05', '5 Dec 2030', 'Dec 5, 2030', '05-12-2030', '20301205'],
  ...[
    'Thu, 05 Dec 2030 00:00:00 GMT',
    'Thu Dec 05 2030 00:00:00 GMT+0000',
    '2030',
    '2030-12',
    '2030-W49-4',
    '2030-339',
  ],
  ...['2024-02-30', '2023-02-29', '1900-02-29', '2030-04-31', '2030-00-01', '2030-13-01', '2030-01-00', '2030-01-32'],
  ...['2030-1-5', '+2030-12-05', '-2030-12-05', '02030-12-05', '+010000-01-01', '10000-01-01', '-000001-12-31'],
  ...['2030-12-05T10:11:12', '2030-12-05T10:11', '2030-12-05T10:11Z', '2030-12-05T10Z', '2030-12-05T', '2030-12-05Z'],
  ...['2030-12-05T24:00:00Z', '2030-12-05T10:60:00Z', '2030-12-05T10:11:61Z', '2030-12-05T1:11:12Z'],
  ...['2030-12-05T10:11:12+24:00', '2030-12-05T10:11:12+05:60', '2030-12-05T10:11:12+0530', '2030-12-05T10:11:12+05'],
  ...['2030-12-05T10:11:12.Z', '2030-12-05T10:11:12,5Z', '2030-12-05  10:11:12Z', '2030-12-05_10:11:12Z'],
  ...['2030-12-05T10:11:12 Z', ' 2030-12-05', '2030-12-05 ', '2030-12-05\n', '２０３０-12-05', '2030−12−05'],
  // A leap second that is not the last second of a month in UTC.
  ...['2030-12-05T10:11:60Z', '2016-12-30T23:59:60Z', '2016-12-31T23:59:60+01:00', '2016-12-31T22:59:60Z'],
  // Beyond the years in UTC.
  ...['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '9999-12-31T23:59:60Z'],
]

describe.each(Object.entries(doors))('%s', (_, read) => {
  it('reads dates and date-times', async () => {
    for (const [text, same] of right) {
      const time = await read(text)
      expect(new Date(time).toISOString(), text).toBe(new Date(same).toISOString())
    }
  })

  it('refuses every other text, quotes it, and names what is allowed', async () => {
    for (const text of wrong) {
      const message = await read(text).then(
        (time) => `no error: ${time}`,
        (error: Error) => error.message,
      )
      expect(message, text).toContain(`"${text}"`)
      expect(message, text).toContain('an RFC 3339 date such as 2030-12-05 or date-time such as 2030-12-05T00:00:00Z')
    }
  })
})

it('reads every time with every offset', async () => {
  const [min, max] = [new Date('0000-01-01T00:00:00.000Z'), new Date('9999-12-31T23:59:59.999Z')]
  const { clock } = createSandbox({ now })
  const shift = fc.integer({ min: -1439, max: 1439 })
  await fc.assert(
    fc.asyncProperty(fc.date({ noInvalidDate: true, min, max }), shift, async (date, minutes) => {
      const local = new Date(date.getTime() + minutes * 60_000)
      fc.pre(local >= min && local <= max)
      const size = Math.abs(minutes)
      const pad = (part: number) => String(part).padStart(2, '0')
      const offset = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
      await clock.travelTo(local.toISOString().replace('Z', offset))
      expect(await clock.now()).toBe(date.getTime())
    }),
  )
})

it('reads the days that a month has, and no others: in a clock, a scenario and a request', async () => {
  const { clock } = createSandbox({ now })
  const properties = { id: { type: 'string' }, day: { type: 'string', format: 'date' }, at: { format: 'date-time' } }
  const record = { type: 'object', properties }
  const { contract } = await compileDocument(JSON.stringify(documentOf(collection({ path: '/xs', record }))))
  const { fetch } = createSandbox({ contract })
  const headers = { 'Content-Type': 'application/json' }
  const post = (body: object) => fetch('http://x/xs', { method: 'POST', headers, body: JSON.stringify(body) })
  const pad = (part: number, length = 2) => String(part).padStart(length, '0')
  for (const year of [1600, 1900, 2000, 2023, 2024, 2100, 2400]) {
    for (let month = 1; month <= 12; month++) {
      const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
      for (let day = 28; day <= 31; day++) {
        const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
        const isDay = day <= length
        if (isDay) await clock.travelTo(text)
        else await expect(clock.travelTo(text), text).rejects.toThrow(RangeError)
        for (const values of [{ day: text }, { at: `${text}T10:11:12Z` }]) {
          const create = () => createSandbox({ contract, scenario: { xs: [{ id: 'a', ...values }] } })
          if (isDay) expect(create, text).not.toThrow()
          else expect(create, text).toThrow(/must be a valid date/)
          expect((await post(values)).status, text).toBe(isDay ? 201 : 400)
        }
      }
    }
  }
})

it('refuses values that are no time, and times beyond the years 0000 to 9999', async () => {
  const { clock } = createSandbox({ now })
  const travelTo = clock.travelTo as (time: unknown) => Promise<void>
  const values = [null, undefined, true, {}, [2030], new Date(Number.NaN), Number.NaN, Infinity, 8.64e15, -8.64e15]
  for (const time of values) await expect(travelTo(time), String(time)).rejects.toThrow(RangeError)
  await expect(clock.advance(8e15)).rejects.toThrow(RangeError)
  await expect(clock.advance(-8e15)).rejects.toThrow(RangeError)
  expect(await clock.now()).toBe(0)
  for (const at of [null, true, {}, new Date(Number.NaN), 8.64e15]) {
    const create = () => createSandbox({ at: at as number })
    expect(create, String(at)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  }
})

it('refuses a state whose clock is beyond the years 0000 to 9999, and keeps the world', async () => {
  const world = createSandbox({ now }).world()
  await world.collection('pets').add({ name: 'Rex', categoryId: 1 })
  const before = await world.snapshot()
  for (const clockOffset of [8e15, -8e15]) {
    await expect(world.restore({ clockOffset, collections: [] })).rejects.toThrow(/years 0000 to 9999/)
    expect(await world.snapshot()).toEqual(before)
  }
})
