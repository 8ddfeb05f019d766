// Data of other people's making, and requests that are not quite requests: what goes in comes back the same or is
// refused cleanly, and the next good request is answered.

import { createSandbox } from 'petstore-sandbox'
import { type RunningServer, startServer } from 'petstore-sandbox/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sending, sendBytes, statusesOf } from './support/raw-http.js'
import type { Header, RawRequest } from './support/raw-request.js'
import { sizeOf } from './support/records.js'
import { standardOptions, withConnection } from './support/run-case.js'
import { strings } from './support/strings.js'
import { transports } from './support/transports.js'

const key: Header = ['Authorization', 'Bearer sandbox']
const json: Header = ['Content-Type', 'application/json']
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function get(target: string): RawRequest {
  return { method: 'GET', target, headers: [key] }
}

function post(target: string, body: string | Uint8Array): RawRequest {
  return { method: 'POST', target, headers: [key, json], body }
}

/** Sends requests one after another to a fresh sandbox. */
async function exchange(name: string, ...requests: RawRequest[]): Promise<{ status: number; text: string }[]> {
  const transport = transports.find((each) => each.name === name)
  if (!transport) throw new Error(`There is no transport "${name}"`)
  return withConnection(transport, {}, async ({ send }) => {
    const answers: { status: number; text: string }[] = []
    for (const request of requests) {
      const { status, body } = await send(request)
      answers.push({ status, text: decoder.decode(body) })
    }
    return answers
  })
}

// --- strings -------------------------------------------------------------------------------------------------------

const doors = ['handle', 'fetch', 'http']

describe('keeps a string as it is, in what is created, read and listed', () => {
  for (const [what, text] of strings) {
    it(`of ${what}`, async () => {
      const written = JSON.stringify(text)
      const pet = `{"id":4,"name":${written},"categoryId":7}`
      for (const door of doors) {
        const [created, read, listed, queued] = await exchange(
          door,
          post('/v1/pets', `{"name":${written},"categoryId":7}`),
          get('/v1/pets/4'),
          get('/v1/pets?limit=1'),
          post('/messages', `{"message":${written}}`),
        )
        expect(created).toEqual({ status: 201, text: pet })
        expect(read).toEqual({ status: 200, text: pet })
        expect(listed).toEqual({ status: 200, text: `[${pet}]` })
        expect(queued?.status).toBe(202)
        expect(JSON.parse(queued?.text ?? '').message).toBe(text)
      }
    })
  }
})

const wellFormed = strings.filter(([, text]) => !/\p{Surrogate}/u.test(text))

describe('refuses a string cleanly in every place where it cannot stand', () => {
  for (const [what, text] of wellFormed) {
    it(`of ${what}`, async () => {
      const written = JSON.stringify(text)
      const encoded = encodeURIComponent(text)
      for (const door of doors) {
        const [read, filtered, limited, category, status, unknown, list] = await exchange(
          door,
          get(`/v1/pets/${encoded}`),
          get(`/v1/pets?status=${encoded}`),
          get(`/v1/pets?limit=${encoded}`),
          post('/v1/pets', `{"name":"Rex","categoryId":${written}}`),
          post('/v1/pets', `{"name":"Rex","categoryId":7,"status":${written}}`),
          get(`/v1/pets?${encoded}=${encoded}`),
          get('/v1/pets'),
        )
        // A long one is more than a server takes for a path.
        expect([404, 431]).toContain(read?.status)
        for (const answer of [filtered, limited]) expect([400, 431]).toContain(answer?.status)
        for (const answer of [category, status]) expect(answer?.status).toBe(400)
        expect([200, 431]).toContain(unknown?.status)
        expect(JSON.parse(list?.text ?? '')).toHaveLength(3)
      }
    })
  }
})

it('drops an unknown property whatever it is called, and notes it', async () => {
  const sandbox = createSandbox(standardOptions)
  for (const [, text] of strings) {
    const init = {
      method: 'POST',
      headers: Object.fromEntries([key, json]),
      body: `{${JSON.stringify(text)}:{"a":1},"name":"Rex","categoryId":7}`,
    }
    const response = await sandbox.fetch('http://127.0.0.1/v1/pets', init)
    expect(response.status).toBe(201)
    expect(Object.keys(await response.json())).toEqual(['id', 'name', 'categoryId'])
    expect(sandbox.journal.list().at(-1)?.notes).toHaveLength(1)
  }
})

// --- JSON ----------------------------------------------------------------------------------------------------------

interface Hostile {
  what: string
  body: string | Uint8Array
  /** The whole record, or the refusal. */
  gets: string | 400
}

const rex = '{"id":4,"name":"Rex","categoryId":7}'
const beside = (text: string) => `{"name":"Rex",${text},"categoryId":7}`
const nested = (open: string, depth: number, close: string) => open.repeat(depth) + close.repeat(depth)

const hostile: Hostile[] = [
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
  { what: '20,000 times the same key', body: beside(Array(20_000).fill('"name":"Rex"').join(',')), gets: rex },
  { what: 'a number of 5000 digits beside it', body: beside(`"a":${'9'.repeat(5000)}`), gets: rex },
  { what: 'a fraction of 5000 digits beside it', body: beside(`"a":0.${'9'.repeat(5000)}`), gets: rex },
  {
    what: 'numbers beyond a double beside it',
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
  { what: '100,000 numbers beyond 2^53 beside it', body: beside(`"a":[${'1e18,'.repeat(100_000)}1]`), gets: rex },
  { what: 'a prototype', body: beside('"__proto__":{"status":"sold","polluted":true}'), gets: rex },
  { what: 'a prototype of null', body: beside('"__proto__":null'), gets: rex },
  { what: 'a prototype in escapes', body: beside('"\\u005f_proto__":{"polluted":true}'), gets: rex },
  { what: 'a constructor', body: beside('"constructor":{"prototype":{"polluted":true}}'), gets: rex },
  { what: 'methods', body: beside('"toString":1,"valueOf":2,"toJSON":3,"hasOwnProperty":4,"length":5'), gets: rex },
  { what: 'a prototype in place of the category', body: '{"name":"Rex","__proto__":{"categoryId":7}}', gets: 400 },
  { what: 'an empty key', body: beside('"":1'), gets: rex },
  { what: 'a key with a NUL', body: beside(String.raw`"name\u0000":"Max"`), gets: rex },
  { what: 'a key that looks like another', body: beside('"nаme":"Max"'), gets: rex },
  { what: 'a key in escapes', body: '{"\\u006eame":"Rex","categoryId":7}', gets: rex },
  { what: 'a byte order mark', body: `\ufeff${beside('"a":1')}`, gets: rex },
  { what: 'two byte order marks', body: `\ufeff\ufeff${beside('"a":1')}`, gets: 400 },
  { what: 'a NUL before it', body: `\u0000${beside('"a":1')}`, gets: 400 },
  { what: 'a NUL as white space', body: `{"name":"Rex",\u0000"categoryId":7}`, gets: 400 },
  { what: 'a no-break space as white space', body: '{"name":"Rex",\u00a0"categoryId":7}', gets: 400 },
  { what: 'invalid UTF-8 in a key that is not known', body: Buffer.from(beside('"\xff":1'), 'latin1'), gets: 400 },
  { what: 'UTF-16', body: Buffer.from(beside('"a":1'), 'utf16le'), gets: 400 },
  { what: 'compressed bytes', body: new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), gets: 400 },
  { what: 'an escape that there is not', body: String.raw`{"name":"\x52ex","categoryId":7}`, gets: 400 },
  { what: 'an escape that is cut off', body: String.raw`{"name":"\u12","categoryId":7}`, gets: 400 },
  { what: 'a function', body: '{"name":function(){return 1},"categoryId":7}', gets: 400 },
  { what: 'a marker against hijacking', body: `)]}',\n${beside('"a":1')}`, gets: 400 },
]

describe('takes or cleanly refuses a body', () => {
  for (const { what, body, gets } of hostile) {
    it(`of ${what}`, async () => {
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

// --- HTTP that is none ---------------------------------------------------------------------------------------------

let server: RunningServer

beforeAll(async () => {
  server = await startServer({ ...standardOptions, port: 0, maxBodyBytes: 1000 })
})

afterAll(async () => {
  await server.close()
})

interface Malformed extends Sending {
  what: string
  pieces: (string | Uint8Array)[]
  /** The statuses of all answers, in order; none where the connection is closed without one. */
  gets: number[] | number[][]
}

const auth = 'Host: localhost\r\nAuthorization: Bearer sandbox\r\n'
const close = 'Connection: close\r\n'
const head = (line: string, ...headers: string[]) => `${line}\r\n${[...headers, ''].join('\r\n')}\r\n`
const list = `GET /v1/pets HTTP/1.1\r\n${auth}`
const create = `POST /v1/pets HTTP/1.1\r\n${auth}Content-Type: application/json\r\n`
const newPet = '{"name":"Rex","categoryId":7}'
const lengthOf = `Content-Length: ${newPet.length}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'
const chunk = `${newPet.length.toString(16)}\r\n${newPet}\r\n`

const malformed: Malformed[] = [
  { what: 'a word', pieces: ['HELLO\r\n\r\n'], gets: [400] },
  { what: 'nothing at all', pieces: [], halfClose: true, gets: [] },
  { what: 'nothing but line ends', pieces: ['\r\n\r\n\r\n'], halfClose: true, gets: [[], [400]] },
  { what: 'line ends before a request', pieces: [`\r\n\r\n${list}${close}\r\n`], gets: [200] },
  { what: 'zero bytes', pieces: [new Uint8Array(1000)], gets: [400] },
  { what: 'the beginning of TLS', pieces: [new Uint8Array([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])], gets: [400] },
  { what: 'the beginning of HTTP/2', pieces: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], gets: [400] },
  { what: 'a request of HTTP/0.9', pieces: ['GET /v1/pets\r\n\r\n'], gets: [[400], [401]] },
  { what: 'a request of HTTP/9.9', pieces: [`GET /v1/pets HTTP/9.9\r\n${auth}\r\n`], gets: [400] },
  { what: 'a request of another protocol', pieces: [`GET /v1/pets SIP/2.0\r\n${auth}\r\n`], gets: [400] },
  {
    what: 'a request of HTTP/1.0 without a host',
    pieces: [head('GET /v1/pets HTTP/1.0', 'Authorization: Bearer sandbox')],
    gets: [200],
  },
  {
    what: 'a request of HTTP/1.1 without a host',
    pieces: [head('GET /v1/pets HTTP/1.1', 'Authorization: Bearer sandbox')],
    gets: [400],
  },
  { what: 'a method that there is not', pieces: [`NONSENSE /v1/pets HTTP/1.1\r\n${auth}\r\n`], gets: [400] },
  { what: 'a method in small letters', pieces: [`get /v1/pets HTTP/1.1\r\n${auth}\r\n`], gets: [400] },
  { what: 'a space in the target', pieces: [`GET /v1/pets ?limit=1 HTTP/1.1\r\n${auth}\r\n`], gets: [400] },
  { what: 'no target', pieces: [`GET  HTTP/1.1\r\n${auth}\r\n`], gets: [400] },
  { what: 'a target that is no path', pieces: [`GET v1/pets HTTP/1.1\r\n${auth}\r\n`], gets: [[400], [404]] },
  { what: 'a NUL in the target', pieces: [`GET /v1/pets\0 HTTP/1.1\r\n${auth}\r\n`], gets: [400] },
  { what: 'raw UTF-8 in the target', pieces: [`GET /v1/pets/é HTTP/1.1\r\n${auth}${close}\r\n`], gets: [[400], [404]] },
  {
    what: 'a fragment in the target',
    pieces: [`GET /v1/pets#x HTTP/1.1\r\n${auth}${close}\r\n`],
    gets: [[200], [400], [404]],
  },
  {
    what: 'a target of 100,000 characters',
    pieces: [`GET /${'x'.repeat(100_000)} HTTP/1.1\r\n${auth}\r\n`],
    gets: [[414], [431]],
  },
  { what: 'an absolute target', pieces: [`GET http://127.0.0.1/v1/pets HTTP/1.1\r\n${auth}${close}\r\n`], gets: [200] },
  {
    what: 'an absolute target without a path',
    pieces: [`GET http://127.0.0.1 HTTP/1.1\r\n${auth}${close}\r\n`],
    gets: [404],
  },
  {
    what: 'an absolute target with a query alone',
    pieces: [`GET http://127.0.0.1?limit=1 HTTP/1.1\r\n${auth}${close}\r\n`],
    gets: [404],
  },
  {
    what: 'an absolute target of another protocol',
    pieces: [`GET ftp://x/v1/pets HTTP/1.1\r\n${auth}${close}\r\n`],
    gets: [[200], [400]],
  },
  { what: 'an asterisk for OPTIONS', pieces: [`OPTIONS * HTTP/1.1\r\n${auth}${close}\r\n`], gets: [[204], [404]] },
  { what: 'an asterisk for GET', pieces: [`GET * HTTP/1.1\r\n${auth}${close}\r\n`], gets: [[400], [404]] },
  { what: 'CONNECT', pieces: [`CONNECT service.example:443 HTTP/1.1\r\n${auth}\r\n`], gets: [[], [400], [404], [405]] },
  {
    what: 'an upgrade that is not offered',
    pieces: [`${list}Connection: upgrade, close\r\nUpgrade: websocket\r\n\r\n`],
    gets: [200],
  },
  { what: 'a header without a colon', pieces: [`${list}Nonsense\r\n\r\n`], gets: [400] },
  { what: 'a header without a name', pieces: [`${list}: x\r\n\r\n`], gets: [400] },
  { what: 'a space in the name of a header', pieces: [`${list}X Y: z\r\n\r\n`], gets: [400] },
  { what: 'a space before the colon of a header', pieces: [`${list}X : z\r\n\r\n`], gets: [400] },
  { what: 'a NUL in a header', pieces: [`${list}X: a\0b\r\n\r\n`], gets: [400] },
  { what: 'a carriage return in a header', pieces: [`${list}X: a\rb\r\n\r\n`], gets: [400] },
  { what: 'a folded header', pieces: [`${list}X: a\r\n  b\r\n${close}\r\n`], gets: [[200], [400]] },
  { what: 'a header beyond ASCII', pieces: [`${list}X: é🐕\r\n${close}\r\n`], gets: [[200], [400]] },
  {
    what: 'a key beyond ASCII',
    pieces: [`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sandbox-é\r\n${close}\r\n`],
    gets: [[400], [401]],
  },
  {
    what: 'two keys in two headers',
    pieces: [`${list}Authorization: Bearer wrong\r\n${close}\r\n`],
    gets: [[200], [400], [401]],
  },
  { what: 'a header of 20,000 bytes', pieces: [`${list}X: ${'x'.repeat(20_000)}\r\n\r\n`], gets: [431] },
  { what: '5000 headers', pieces: [`${list}${'X: yyyyyyyy\r\n'.repeat(5000)}\r\n`], gets: [431] },
  { what: 'a header that never ends', pieces: [list, 'X: ', ...Array<string>(40).fill('x'.repeat(1000))], gets: [431] },
  { what: 'a length and chunks', pieces: [`${create}${lengthOf}${chunked}\r\n${chunk}0\r\n\r\n`], gets: [400] },
  { what: 'two lengths', pieces: [`${create}Content-Length: 1\r\n${lengthOf}\r\n${newPet}`], gets: [400] },
  { what: 'a negative length', pieces: [`${create}Content-Length: -1\r\n\r\n`], gets: [400] },
  { what: 'a length in words', pieces: [`${create}Content-Length: ten\r\n\r\n`], gets: [400] },
  { what: 'a hexadecimal length', pieces: [`${create}Content-Length: 0x1d\r\n\r\n${newPet}`], gets: [400] },
  { what: 'a length with a plus', pieces: [`${create}Content-Length: +29\r\n\r\n${newPet}`], gets: [400] },
  {
    what: 'a length that no number holds',
    pieces: [`${create}Content-Length: ${'9'.repeat(30)}\r\n\r\n`],
    gets: [400],
  },
  { what: 'an encoding that is not last', pieces: [`${create}Transfer-Encoding: chunked, gzip\r\n\r\n`], gets: [400] },
  { what: 'an encoding that there is not', pieces: [`${create}Transfer-Encoding: nonsense\r\n\r\n`], gets: [400] },
  { what: 'a chunk of a bad size', pieces: [`${create}${chunked}\r\nzz\r\n${newPet}\r\n0\r\n\r\n`], gets: [400] },
  { what: 'a chunk of a negative size', pieces: [`${create}${chunked}\r\n-1\r\n\r\n`], gets: [400] },
  {
    what: 'a chunk of a size that no number holds',
    pieces: [`${create}${chunked}\r\n${'f'.repeat(20)}\r\n`],
    gets: [400],
  },
  {
    what: 'a chunk that is longer than its size',
    pieces: [`${create}${chunked}\r\n1\r\n${newPet}\r\n0\r\n\r\n`],
    gets: [400],
  },
  {
    what: 'chunks that end too early',
    pieces: [`${create}${chunked}\r\n${chunk}`],
    halfClose: true,
    gets: [[], [400]],
  },
  {
    what: 'a body that is shorter than its length',
    pieces: [`${create}Content-Length: 500\r\n\r\n${newPet}`],
    halfClose: true,
    gets: [[], [400]],
  },
  { what: 'a head that is cut off', pieces: [`${create}Content-Le`], halfClose: true, gets: [[], [400]] },
  { what: 'a client that is gone in the middle of the head', pieces: [`${create}Content-Le`], vanish: true, gets: [] },
  {
    what: 'a client that is gone in the middle of the body',
    pieces: [`${create}${lengthOf}\r\n${newPet.slice(0, 9)}`],
    vanish: true,
    gets: [],
  },
  {
    what: 'a body that is too large',
    pieces: [`${create}${close}Content-Length: 9000\r\n\r\n`, ' '.repeat(9000)],
    gets: [413],
  },
  {
    what: 'a body that is too large, in chunks',
    pieces: [
      `${create}${close}${chunked}\r\n`,
      ...Array<string>(20).fill(`3e8\r\n${' '.repeat(1000)}\r\n`),
      '0\r\n\r\n',
    ],
    gets: [413],
  },
  { what: 'an expectation that there is not', pieces: [`${list}Expect: nonsense\r\n${close}\r\n`], gets: [417] },
  {
    what: 'a bad key before the body that it waits with',
    pieces: [
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n${close}Expect: 100-continue\r\n${lengthOf}\r\n${newPet}`,
    ],
    gets: [[100, 401], [401]],
  },
  {
    what: 'a body that is longer than its length',
    pieces: [`${create}Content-Length: 5\r\n\r\n${newPet}`],
    gets: [[400], [400, 400]],
  },
]

describe('answers or closes what is not quite HTTP, stores nothing, and goes on', () => {
  for (const { what, pieces, gets, ...sending } of malformed) {
    it(`with ${what}`, async () => {
      const received = await sendBytes(server.port, pieces, sending)
      const possible = gets.some(Array.isArray) ? gets : [gets]
      expect(possible, `received: ${received.slice(0, 500)}`).toContainEqual(statusesOf(received))
      expectErrorShape(received)
      expect(JSON.parse(bodyOf(await sendBytes(server.port, [`${list}${close}\r\n`])))).toHaveLength(3)
    })
  }
})

/** What refuses has the shape of an error, whoever it was that refused. */
function expectErrorShape(received: string): void {
  if (!/^HTTP\/1\.1 [45]/.test(received) || statusesOf(received).length > 1) return
  const body = JSON.parse(bodyOf(received))
  expect(body).toEqual({ code: expect.any(String), message: expect.any(String), status: statusesOf(received)[0] })
}

function bodyOf(received: string): string {
  return received.slice(received.indexOf('\r\n\r\n') + 4)
}

// --- HTTP that is unusual, and right -------------------------------------------------------------------------------

interface Unusual extends Sending {
  what: string
  pieces: (string | Uint8Array)[]
  gets: number[]
}

/** Its tenth byte is the first of two that stand for one character. */
const accented = Buffer.from('{"name":"é","categoryId":1234}')
const last = `GET /v1/pets HTTP/1.1\r\n${auth}${close}\r\n`

const unusual: Unusual[] = [
  { what: 'a body in chunks', pieces: [`${create}${chunked}${close}\r\n${chunk}0\r\n\r\n`], gets: [201] },
  {
    what: 'a body in chunks with an extension and a trailer',
    pieces: [`${create}${chunked}Trailer: X\r\n${close}\r\n1d;a=b\r\n${newPet}\r\n0\r\nX: y\r\n\r\n`],
    gets: [201],
  },
  { what: 'a body byte by byte', pieces: [`${create}${lengthOf}${close}\r\n`, ...newPet], gets: [201] },
  { what: 'everything byte by byte', pieces: [...`${create}${lengthOf}${close}\r\n${newPet}`], gets: [201] },
  {
    what: 'a character that is split between two writes',
    pieces: [
      `${create}Content-Length: ${accented.length}\r\n${close}\r\n`,
      accented.subarray(0, 10),
      accented.subarray(10),
    ],
    gets: [201],
  },
  {
    what: 'a body that waits for 100 Continue',
    pieces: [`${create}${lengthOf}${close}Expect: 100-continue\r\n\r\n`, newPet],
    gets: [100, 201],
  },
  {
    what: 'three requests at once',
    pieces: [`${list}\r\n${create}${lengthOf}\r\n${newPet}${last}`],
    gets: [200, 201, 200],
  },
  {
    what: 'a refused request between two others',
    pieces: [`${list}\r\n${create}Content-Length: 2\r\n\r\n{}${last}`],
    gets: [200, 400, 200],
  },
  {
    what: 'a body that nobody asked for before another request',
    pieces: [`${list}${lengthOf}\r\n${newPet}DELETE /v1/pets HTTP/1.1\r\n${auth}${lengthOf}\r\n${newPet}${last}`],
    gets: [200, 405, 200],
  },
  {
    what: 'a body that is too large before another request',
    pieces: [`${create}Content-Length: 5000\r\n\r\n${' '.repeat(5000)}${last}`],
    gets: [413, 200],
  },
  {
    what: 'a client that sends no more and still reads',
    pieces: [`${create}${lengthOf}\r\n${newPet}`],
    halfClose: true,
    gets: [201],
  },
  {
    what: 'names of headers in any case',
    pieces: [`GET /v1/pets HTTP/1.1\r\nhOST: x\r\nAUTHORIZATION: bearer sandbox\r\n${close}\r\n`],
    gets: [200],
  },
  {
    what: 'white space around a key',
    pieces: [`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: \t Bearer sandbox \t\r\n${close}\r\n`],
    gets: [200],
  },
]

describe('answers what is unusual and right', () => {
  for (const { what, pieces, gets, ...sending } of unusual) {
    it(`with ${what}`, async () => {
      await server.sandbox.reset()
      const received = await sendBytes(server.port, pieces, sending)
      expect(statusesOf(received), received.slice(0, 500)).toEqual(gets)
      const created = gets.filter((status) => status === 201).length
      expect(await sizeOf(server.sandbox.world())).toBe(3 + created)
      await server.sandbox.reset()
    })
  }
})

it('answers pipelined requests in their order, the slow one first', async () => {
  const received = await sendBytes(server.port, [
    `GET /v1/pets?limit=1 HTTP/1.1\r\n${auth}Prefer: delay=50\r\n\r\n`,
    `GET /v1/pets?limit=2 HTTP/1.1\r\n${auth}${close}\r\n`,
  ])
  const lengths = [...received.matchAll(/\[\{.*?\}\]/g)].map(([text]) => JSON.parse(text).length)
  expect(lengths).toEqual([1, 2])
})

it('ends the wait for an answer whose client is gone, and goes on', async () => {
  await sendBytes(server.port, [`${list}Prefer: delay=60000\r\n\r\n`], { vanish: true })
  expect(statusesOf(await sendBytes(server.port, [last]))).toEqual([200])
})

it('closes while a client holds a connection that it does not use', async () => {
  const own = await startServer({ ...standardOptions, port: 0 })
  const idle = sendBytes(own.port, [`${list}\r\n`])
  await expect.poll(() => own.sandbox.journal.size).toBe(1)
  await own.close()
  expect(statusesOf(await idle)).toEqual([200])
})
