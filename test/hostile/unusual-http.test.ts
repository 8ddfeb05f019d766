/** Unusual but valid HTTP. */
import { type RunningServer, startServer } from 'petstore-sandbox/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auth, chunk, chunked, close, create, lengthOf, list, newPet } from '../support/http-pieces.js'
import { type Sending, sendBytes, statusesOf } from '../support/raw-http.js'
import { sizeOf } from '../support/records.js'
import { standardOptions } from '../support/run-case.js'

let server: RunningServer

beforeAll(async () => {
  server = await startServer({ ...standardOptions, port: 0, maxBodyBytes: 1000 })
})

afterAll(async () => {
  await server.close()
})

interface Unusual extends Sending {
  what: string
  pieces: (string | Uint8Array)[]
  gets: number[]
}

/** Its tenth byte is the first of two that encode one character. */
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
    what: 'an unexpected body before another request',
    pieces: [`${list}${lengthOf}\r\n${newPet}DELETE /v1/pets HTTP/1.1\r\n${auth}${lengthOf}\r\n${newPet}${last}`],
    gets: [200, 405, 200],
  },
  {
    what: 'a body that is too large before another request',
    pieces: [`${create}Content-Length: 5000\r\n\r\n${' '.repeat(5000)}${last}`],
    gets: [413, 200],
  },
  {
    what: 'a client that ends its side and still reads',
    pieces: [`${create}${lengthOf}\r\n${newPet}`],
    halfClose: true,
    gets: [201],
  },
  {
    what: 'header names in any case',
    pieces: [`GET /v1/pets HTTP/1.1\r\nhOST: localhost\r\nAUTHORIZATION: bearer sandbox\r\n${close}\r\n`],
    gets: [200],
  },
  {
    what: 'white space around a key',
    pieces: [`GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: \t Bearer sandbox \t\r\n${close}\r\n`],
    gets: [200],
  },
]

describe('answers unusual but valid requests', () => {
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

it('answers pipelined requests in order, even if the first is slow', async () => {
  const received = await sendBytes(server.port, [
    `GET /v1/pets?limit=1 HTTP/1.1\r\n${auth}Prefer: delay=50\r\n\r\n`,
    `GET /v1/pets?limit=2 HTTP/1.1\r\n${auth}${close}\r\n`,
  ])
  const lengths = [...received.matchAll(/\[\{.*?\}\]/g)].map(([text]) => JSON.parse(text).length)
  expect(lengths).toEqual([1, 2])
})

it('ends the delay of an answer if the client disconnects, and answers the next request', async () => {
  await sendBytes(server.port, [`${list}Prefer: delay=60000\r\n\r\n`], { vanish: true })
  expect(statusesOf(await sendBytes(server.port, [last]))).toEqual([200])
})

it('closes while a client holds an idle connection', async () => {
  const own = await startServer({ ...standardOptions, port: 0 })
  const idle = sendBytes(own.port, [`${list}\r\n`])
  await expect.poll(() => own.sandbox.journal.size).toBe(1)
  await own.close()
  expect(statusesOf(await idle)).toEqual([200])
})
