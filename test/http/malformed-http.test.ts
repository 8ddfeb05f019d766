/** Malformed HTTP: it is answered or the connection is closed, nothing is stored, and the next request is answered. */
import { type RunningServer, startServer } from 'petstore-sandbox/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auth, chunk, chunked, close, create, lengthOf, list, newPet } from '../support/http-pieces.js'
import { type Sending, sendBytes, statusesOf } from '../support/raw-http.js'
import { standardOptions } from '../support/run-case.js'

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
  /** The statuses of all answers, in order. Empty if the connection is closed without an answer. */
  gets: number[] | number[][]
}

const head = (line: string, ...headers: string[]) => `${line}\r\n${[...headers, ''].join('\r\n')}\r\n`

const malformed: Malformed[] = [
  { what: 'a word', pieces: ['HELLO\r\n\r\n'], gets: [400] },
  { what: 'nothing at all', pieces: [], halfClose: true, gets: [] },
  { what: 'only line ends', pieces: ['\r\n\r\n\r\n'], halfClose: true, gets: [[], [400]] },
  { what: 'line ends before a request', pieces: [`\r\n\r\n${list}${close}\r\n`], gets: [200] },
  { what: 'zero bytes', pieces: [new Uint8Array(1000)], gets: [400] },
  { what: 'the beginning of TLS', pieces: [new Uint8Array([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])], gets: [400] },
  { what: 'the beginning of HTTP/2', pieces: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], gets: [400] },
  { what: 'an HTTP/0.9 request', pieces: ['GET /v1/pets\r\n\r\n'], gets: [[400], [401]] },
  { what: 'an HTTP/9.9 request', pieces: [`GET /v1/pets HTTP/9.9\r\n${auth}\r\n`], gets: [400] },
  { what: 'a request of another protocol', pieces: [`GET /v1/pets SIP/2.0\r\n${auth}\r\n`], gets: [400] },
  {
    what: 'an HTTP/1.0 request without a host',
    pieces: [head('GET /v1/pets HTTP/1.0', 'Authorization: Bearer sandbox')],
    gets: [200],
  },
  {
    what: 'an HTTP/1.1 request without a host',
    pieces: [head('GET /v1/pets HTTP/1.1', 'Authorization: Bearer sandbox')],
    gets: [400],
  },
  { what: 'an unknown method', pieces: [`NONSENSE /v1/pets HTTP/1.1\r\n${auth}\r\n`], gets: [400] },
  { what: 'a method in lower case', pieces: [`get /v1/pets HTTP/1.1\r\n${auth}\r\n`], gets: [400] },
  { what: 'a space in the target', pieces: [`GET /v1/pets ?limit=1 HTTP/1.1\r\n${auth}\r\n`], gets: [400] },
  { what: 'no target', pieces: [`GET  HTTP/1.1\r\n${auth}\r\n`], gets: [400] },
  { what: 'a target that is not a path', pieces: [`GET v1/pets HTTP/1.1\r\n${auth}\r\n`], gets: [[400], [404]] },
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
    what: 'an absolute target with only a query',
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
    what: 'an unsupported upgrade',
    pieces: [`${list}Connection: upgrade, close\r\nUpgrade: websocket\r\n\r\n`],
    gets: [200],
  },
  { what: 'a header without a colon', pieces: [`${list}Nonsense\r\n\r\n`], gets: [400] },
  { what: 'a header without a name', pieces: [`${list}: x\r\n\r\n`], gets: [400] },
  { what: 'a space in a header name', pieces: [`${list}X Y: z\r\n\r\n`], gets: [400] },
  { what: 'a space before the colon', pieces: [`${list}X : z\r\n\r\n`], gets: [400] },
  { what: 'a NUL in a header', pieces: [`${list}X: a\0b\r\n\r\n`], gets: [400] },
  { what: 'a carriage return in a header', pieces: [`${list}X: a\rb\r\n\r\n`], gets: [400] },
  { what: 'a folded header', pieces: [`${list}X: a\r\n  b\r\n${close}\r\n`], gets: [[200], [400]] },
  { what: 'a header with characters beyond ASCII', pieces: [`${list}X: é🐕\r\n${close}\r\n`], gets: [[200], [400]] },
  {
    what: 'a key with characters beyond ASCII',
    pieces: [`GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sandbox-é\r\n${close}\r\n`],
    gets: [[400], [401]],
  },
  {
    what: 'two keys in two headers',
    pieces: [`${list}Authorization: Bearer wrong\r\n${close}\r\n`],
    gets: [401],
  },
  {
    what: 'two content types in two headers',
    pieces: [`${create}Content-Type: text/plain\r\n${lengthOf}${close}\r\n${newPet}`],
    gets: [400],
  },
  { what: 'an HTTP/2.0 request line', pieces: [`GET /v1/pets HTTP/2.0\r\n${auth}${close}\r\n`], gets: [505] },
  { what: 'an HTTP/0.9 version', pieces: [`GET /v1/pets HTTP/0.9\r\n${auth}${close}\r\n`], gets: [400] },
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
    what: 'a length beyond every number type',
    pieces: [`${create}Content-Length: ${'9'.repeat(30)}\r\n\r\n`],
    gets: [400],
  },
  { what: 'an encoding that is not last', pieces: [`${create}Transfer-Encoding: chunked, gzip\r\n\r\n`], gets: [400] },
  {
    what: 'an encoding before chunked',
    pieces: [`${create}Transfer-Encoding: gzip, chunked\r\n${close}\r\n${chunk}0\r\n\r\n`],
    gets: [501],
  },
  {
    what: 'an encoding before chunked, in two headers',
    pieces: [`${create}Transfer-Encoding: gzip\r\n${chunked}${close}\r\n${chunk}0\r\n\r\n`],
    gets: [501],
  },
  {
    what: 'an empty encoding and a length',
    pieces: [`${create}Transfer-Encoding:\r\n${lengthOf}${close}\r\n${newPet}`],
    gets: [400],
  },
  {
    what: 'an empty encoding',
    pieces: [`${create}Transfer-Encoding: \r\n${close}\r\n`],
    gets: [400],
  },
  {
    what: 'chunked twice',
    pieces: [`${create}Transfer-Encoding: chunked, chunked\r\n${close}\r\n${chunk}0\r\n\r\n`],
    gets: [400],
  },
  {
    what: 'chunked in two headers',
    pieces: [`${create}${chunked}${chunked}${close}\r\n${chunk}0\r\n\r\n`],
    gets: [400],
  },
  {
    what: 'chunked in capitals',
    pieces: [`POST /v1/nothing HTTP/1.1\r\n${auth}TRANSFER-ENCODING: Chunked\r\n${close}\r\n${chunk}0\r\n\r\n`],
    gets: [404],
  },
  { what: 'an unknown encoding', pieces: [`${create}Transfer-Encoding: nonsense\r\n\r\n`], gets: [400] },
  {
    what: 'a chunk with an invalid size',
    pieces: [`${create}${chunked}\r\nzz\r\n${newPet}\r\n0\r\n\r\n`],
    gets: [400],
  },
  { what: 'a chunk with a negative size', pieces: [`${create}${chunked}\r\n-1\r\n\r\n`], gets: [400] },
  {
    what: 'a chunk with a size beyond every number type',
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
  { what: 'incomplete headers', pieces: [`${create}Content-Le`], halfClose: true, gets: [[], [400]] },
  {
    what: 'a client that disconnects in the middle of the headers',
    pieces: [`${create}Content-Le`],
    vanish: true,
    gets: [],
  },
  {
    what: 'a client that disconnects in the middle of the body',
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
  { what: 'an unknown expectation', pieces: [`${list}Expect: nonsense\r\n${close}\r\n`], gets: [417] },
  {
    what: 'a bad key, before the client sends the body',
    pieces: [
      `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n${close}Expect: 100-continue\r\n${lengthOf}\r\n${newPet}`,
    ],
    gets: [[100, 401], [401]],
  },
  {
    what: 'a body that is longer than its length',
    pieces: [`${create}Content-Length: 5\r\n\r\n${newPet}`],
    gets: [[400], [400, 400]],
  },
]

describe('answers malformed HTTP or closes the connection, stores nothing, and answers the next request', () => {
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

/** Every refusal has the documented error body, even if Node.js refuses the request. */
function expectErrorShape(received: string): void {
  if (!/^HTTP\/1\.1 [45]/.test(received) || statusesOf(received).length > 1) return
  const body = JSON.parse(bodyOf(received))
  expect(body).toEqual({ code: expect.any(String), message: expect.any(String), status: statusesOf(received)[0] })
}

function bodyOf(received: string): string {
  return received.slice(received.indexOf('\r\n\r\n') + 4)
}
