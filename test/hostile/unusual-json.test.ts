/** JSON that breaks naive programs: it is stored unchanged or refused, and the next request is answered. */
import { describe, expect, it } from 'vitest'
import { doors, exchange, get, post } from '../support/exchange.js'

interface Body {
  what: string
  body: string | Uint8Array
  /** The whole record, or the refusal. */
  gets: string | 400
}

const rex = '{"id":4,"name":"Rex","categoryId":7}'
const beside = (text: string) => `{"name":"Rex",${text},"categoryId":7}`
const nested = (open: string, depth: number, close: string) => open.repeat(depth) + close.repeat(depth)

const unusual: Body[] = [
  { what: 'an array of 100,000 levels', body: nested('[', 100_000, ']'), gets: 400 },
  { what: 'an array of 500,000 levels that is not closed', body: '['.repeat(500_000), gets: 400 },
  { what: 'objects of 100,000 levels', body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, gets: 400 },
  { what: 'a name of 10,000 levels', body: `{"name":${nested('[', 10_000, ']')},"categoryId":7}`, gets: 400 },
  { what: 'an unknown property of 50 levels', body: beside(`"a":${nested('[', 50, ']')}`), gets: rex },
  {
    what: 'brackets in a string',
    body: `{"name":"${'['.repeat(5000)}","categoryId":7}`,
    gets: `{"id":4,"name":"${'['.repeat(5000)}","categoryId":7}`,
  },
  {
    what: '20,000 unknown properties',
    body: beside(Array.from({ length: 20_000 }, (_, index) => `"p${index}":${index}`).join(',')),
    gets: rex,
  },
  { what: 'the same key 20,000 times', body: beside(Array(20_000).fill('"name":"Rex"').join(',')), gets: rex },
  { what: 'an unknown number of 5000 digits', body: beside(`"a":${'9'.repeat(5000)}`), gets: rex },
  { what: 'an unknown fraction of 5000 digits', body: beside(`"a":0.${'9'.repeat(5000)}`), gets: rex },
  {
    what: 'unknown numbers beyond a double',
    body: beside('"a":1e400,"b":-1e999999999,"c":1e-400,"d":-0'),
    gets: rex,
  },
  { what: 'a category of 5000 digits', body: `{"name":"Rex","categoryId":${'9'.repeat(5000)}}`, gets: 400 },
  { what: 'a category of a million digits', body: `{"name":"Rex","categoryId":${'9'.repeat(1_000_000)}}`, gets: 400 },
  { what: 'a category of 1e400', body: '{"name":"Rex","categoryId":1e400}', gets: 400 },
  { what: 'a category of -1e999999999', body: '{"name":"Rex","categoryId":-1e999999999}', gets: 400 },
  { what: 'a category of -0', body: '{"name":"Rex","categoryId":-0}', gets: rex.replace('7', '0') },
  {
    what: 'a category of 0 with a huge exponent',
    body: '{"name":"Rex","categoryId":0e999999999}',
    gets: rex.replace('7', '0'),
  },
  { what: 'a category of 7 and 4000 zeros', body: `{"name":"Rex","categoryId":7.${'0'.repeat(4000)}}`, gets: rex },
  {
    what: 'a category with zeros in the exponent',
    body: `{"name":"Rex","categoryId":7e${'0'.repeat(4000)}}`,
    gets: rex,
  },
  {
    what: 'a name of many escapes beside a number of many digits',
    body: `{"categoryId":9007199254740993,"name":"${String.raw`\n`.repeat(500_000)}"}`,
    gets: `{"id":4,"name":"${String.raw`\n`.repeat(500_000)}","categoryId":9007199254740993}`,
  },
  { what: '100,000 unknown numbers beyond 2^53', body: beside(`"a":[${'1e18,'.repeat(100_000)}1]`), gets: rex },
  { what: 'a prototype', body: beside('"__proto__":{"status":"sold","polluted":true}'), gets: rex },
  { what: 'a prototype of null', body: beside('"__proto__":null'), gets: rex },
  { what: 'a prototype in escapes', body: beside('"\\u005f_proto__":{"polluted":true}'), gets: rex },
  { what: 'a constructor', body: beside('"constructor":{"prototype":{"polluted":true}}'), gets: rex },
  { what: 'methods', body: beside('"toString":1,"valueOf":2,"toJSON":3,"hasOwnProperty":4,"length":5'), gets: rex },
  { what: 'a prototype instead of the category', body: '{"name":"Rex","__proto__":{"categoryId":7}}', gets: 400 },
  { what: 'an empty key', body: beside('"":1'), gets: rex },
  { what: 'a key with a NUL', body: beside(String.raw`"name\u0000":"Max"`), gets: rex },
  { what: 'a key that looks like another', body: beside('"nаme":"Max"'), gets: rex },
  { what: 'a key in escapes', body: '{"\\u006eame":"Rex","categoryId":7}', gets: rex },
  { what: 'a byte order mark', body: `\ufeff${beside('"a":1')}`, gets: rex },
  { what: 'two byte order marks', body: `\ufeff\ufeff${beside('"a":1')}`, gets: 400 },
  { what: 'a NUL before the JSON', body: `\u0000${beside('"a":1')}`, gets: 400 },
  { what: 'a NUL as white space', body: `{"name":"Rex",\u0000"categoryId":7}`, gets: 400 },
  { what: 'a no-break space as white space', body: '{"name":"Rex",\u00a0"categoryId":7}', gets: 400 },
  { what: 'invalid UTF-8 in an unknown key', body: Buffer.from(beside('"\xff":1'), 'latin1'), gets: 400 },
  { what: 'UTF-16', body: Buffer.from(beside('"a":1'), 'utf16le'), gets: 400 },
  { what: 'compressed bytes', body: new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), gets: 400 },
  { what: 'an unknown escape', body: String.raw`{"name":"\x52ex","categoryId":7}`, gets: 400 },
  { what: 'an incomplete escape', body: String.raw`{"name":"\u12","categoryId":7}`, gets: 400 },
  { what: 'a function', body: '{"name":function(){return 1},"categoryId":7}', gets: 400 },
  { what: 'a prefix against JSON hijacking', body: `)]}',\n${beside('"a":1')}`, gets: 400 },
]

describe('accepts or cleanly refuses a body', () => {
  for (const { what, body, gets } of unusual) {
    it(`with ${what}`, async () => {
      for (const door of doors) {
        const [answer, list, next] = await exchange(
          door,
          post('/v1/pets', body),
          get('/v1/pets'),
          post('/v1/pets', '{"name":"Next","categoryId":1}'),
        )
        if (gets === 400) expectRefusal(answer)
        else expect(answer).toEqual({ status: 201, text: gets })
        expect(JSON.parse(list?.text ?? '')).toHaveLength(gets === 400 ? 3 : 4)
        expect(next?.status).toBe(201)
      }
      expect({}).not.toHaveProperty('polluted')
      expect({}).not.toHaveProperty('status')
    })
  }
})

function expectRefusal(answer: { status: number; text: string } | undefined): void {
  const { code, message } = JSON.parse(answer?.text ?? '')
  expect(answer).toEqual({ status: 400, text: JSON.stringify({ code, message, status: 400 }) })
  expect(code).toBe('invalid_request')
}

it('keeps a name that fills the body to its limit', async () => {
  const name = '🐕'.repeat(262_000)
  const body = `{"name":"${name}","categoryId":7}`
  for (const door of doors) {
    const [created, read] = await exchange(door, post('/v1/pets', body), get('/v1/pets/4'))
    expect(created?.status).toBe(201)
    expect(JSON.parse(read?.text ?? '').name === name).toBe(true)
  }
})

it.each([
  ['a long status', post('/v1/pets', `{"name":"Rex","categoryId":7,"status":"${'x'.repeat(500_000)}"}`)],
  ['a long category', post('/v1/pets', `{"name":"Rex","categoryId":"${'x'.repeat(500_000)}"}`)],
  ['a category of many digits', post('/v1/pets', `{"name":"Rex","categoryId":${'9'.repeat(500_000)}}`)],
  ['a long array for a name', post('/v1/pets', `{"name":[${'1,'.repeat(50_000)}1],"categoryId":7}`)],
  ['a long limit', get(`/v1/pets?limit=${'9'.repeat(10_000)}`)],
  ['a long filter', get(`/v1/pets?status=${'x'.repeat(10_000)}`)],
  ['a long id', get(`/v1/pets/${'9'.repeat(10_000)}`)],
])('does not send back the whole of %s that it refuses', async (_, request) => {
  const [answer] = await exchange('handle', request)
  expect(answer?.status).toBeGreaterThanOrEqual(400)
  expect(answer?.text.length).toBeLessThan(1000)
})
