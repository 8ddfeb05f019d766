// `Deprecation` and `Sunset` are dates that RFC 9745 and RFC 9110 know, whatever form the document gives them in.
import { compileDocument } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../support/read-json.js'
import { documentOf, serve } from '../support/serve-objects.js'

const dates = [
  ['2024-01-02', 1704153600],
  ['2024-01-02T10:00:00Z', 1704189600],
  ['2024-01-02T10:00:00.5Z', 1704189600],
  ['2024-01-02T10:00:00.999999999Z', 1704189600],
  ['2024-01-02T10:00:00.999+02:00', 1704182400],
  ['2024-01-02t10:00:00z', 1704189600],
  ['2024-01-02 10:00:00Z', 1704189600],
  ['2016-12-31T23:59:60Z', 1483228800],
  ['2024-02-29', 1709164800],
  ['1970-01-01', 0],
  ['1969-12-31T23:59:59.5Z', -1],
  ['1969-07-20', -14256000],
  ['0001-01-01', -62135596800],
  ['9999-12-31T23:59:59.999Z', 253402300799],
] as const
const wrong = [
  'Tuesday',
  '',
  '1 Jan 2024',
  '2024',
  '2024-01',
  '2024-02-30',
  '2024-13-01',
  '2024-01-02T25:00:00Z',
  '2024-01-02T10:00:00',
  '2024-01-02T10:00',
  '2024-01-02T10:00Z',
  '2024-01-02T23:59:60Z',
  '2023-02-29',
  '5/12/2030',
  '10000-01-01',
  ' 2024-01-02',
  '+275760-09-13',
  '-000001-01-01',
  '2024-01-02\r\nX: y',
  0,
  1700000000,
  true,
  null,
  {},
]

function pathOf(extension: JsonObject): JsonObject {
  return { get: { deprecated: true, ...extension, responses: { '200': { description: 'ok' } } } }
}

describe('a date of the document', () => {
  const paths = dates.flatMap(([date], index): [string, JsonObject][] => [
    [`/since/${index}`, pathOf({ 'x-deprecated-since': date })],
    [`/sunset/${index}`, pathOf({ 'x-sunset': date })],
  ])
  const served = serve(documentOf(Object.fromEntries(paths)))

  it.each(dates.map(([date, seconds], index) => [date, seconds, index] as const))(
    '%s is sent as a structured date, or as an HTTP date',
    async (_, seconds, index) => {
      const since = await served.send('GET', `/since/${index}`)
      expect([since.status, since.headers]).toEqual([200, { deprecation: `@${seconds}` }])
      const { status, headers } = await served.send('GET', `/sunset/${index}`)
      expect(status).toBe(seconds > Date.parse('2026-11-21') / 1000 ? 200 : 410)
      expect(headers['sunset']).toBe(new Date(seconds * 1000).toUTCString())
      expect(headers['sunset']).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    },
  )
})

describe('a deprecation without a date', () => {
  const since = { 'x-deprecated-since': 'soon' }
  const served = serve(
    documentOf({ '/plain': pathOf({}), '/wrong': pathOf(since), '/used': pathOf({ deprecated: false }) }),
  )

  // RFC 9745, section 2.1: the value must be a date.
  it.each(['/plain', '/wrong', '/used'])('sends no Deprecation header for %s', async (path) => {
    const { status, headers } = await served.send('GET', path)
    expect([status, headers]).toEqual([200, {}])
  })
})

describe('a documented header', () => {
  const headers = Object.fromEntries(
    ['Deprecation', 'Sunset', 'X-Other'].map((name) => [name, { required: true, schema: { type: 'string' } }]),
  )
  const response = { description: 'ok', headers }
  const served = serve(documentOf({ '/older': { get: { deprecated: true, responses: { '200': response } } } }))

  it('is left out if it must be a date and none is known', async () => {
    expect((await served.send('GET', '/older')).headers).toEqual({ 'x-other': 'string' })
  })
})

it.each(['x-deprecated-since', 'x-sunset'])('names the place of what is no date in %s', async (extension) => {
  for (const date of wrong) {
    const text = JSON.stringify(documentOf({ '/xs': pathOf({ [extension]: date }) }))
    await expect(compileDocument(text, 'x', { strict: true }), JSON.stringify(date)).rejects.toThrow(
      `${extension} must be an RFC 3339 date such as 2030-12-05 or date-time such as 2030-12-05T00:00:00Z (got "${date}")`,
    )
  }
})
