/** Every request that the server acts on is answered, in order, whatever follows it on its connection. */
import { type RunningServer, startServer } from 'petstore-sandbox/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auth, chunk, chunked, close, create, lengthOf, newPet } from '../support/http-pieces.js'
import { type Sending, sendBytes, statusesOf } from '../support/raw-http.js'
import { sizeOf } from '../support/records.js'
import { standardOptions } from '../support/run-case.js'

let server: RunningServer

beforeAll(async () => {
  server = await startServer({ ...standardOptions, scenario: 'empty', port: 0 })
})

afterAll(() => server.close())

const old = create.replace('HTTP/1.1', 'HTTP/1.0')

/** Valid requests that create a pet, and whether the connection stays open after them. */
const creations = [
  { creation: 'a creation', head: create, staysOpen: true },
  { creation: 'a creation in chunks', head: `${create}${chunked}`, staysOpen: true },
  { creation: 'a delayed creation', head: `${create}Prefer: delay=100\r\n`, staysOpen: true },
  { creation: 'a creation that closes', head: `${create}${close}`, staysOpen: false },
  { creation: 'a delayed creation that closes', head: `${create}${close}Prefer: delay=100\r\n`, staysOpen: false },
  { creation: 'a creation in HTTP/1.0', head: old, staysOpen: false },
  { creation: 'a kept-alive creation in HTTP/1.0', head: `${old}Connection: keep-alive\r\n`, staysOpen: true },
]

/** What follows, and the answer to it if the connection is still open. */
const followers: { follower: string; bytes: string; gets: number }[] = [
  { follower: 'a word', bytes: 'JUNK\r\n\r\n', gets: 400 },
  { follower: 'NULs', bytes: '\0\0\0', gets: 400 },
  { follower: 'a megabyte of junk', bytes: `JUNK${'x'.repeat(1_000_000)}`, gets: 400 },
  { follower: 'an oversized header', bytes: `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, gets: 431 },
  { follower: 'a request without a host', bytes: 'GET /v1/pets HTTP/1.1\r\n\r\n', gets: 400 },
  { follower: 'two hosts', bytes: `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n`, gets: 400 },
  { follower: 'a bad chunk', bytes: `${create}${chunked}\r\nzz\r\n`, gets: 400 },
  { follower: 'a bad trailer', bytes: `${create}${chunked}\r\n${chunk}0\r\nb ad\r\n\r\n`, gets: 400 },
  { follower: 'CONNECT', bytes: `CONNECT service.example:443 HTTP/1.1\r\n${auth}\r\n`, gets: 400 },
]

const cases = creations.flatMap((creation) => followers.map((follower) => ({ ...creation, ...follower })))

function toBytes(head: string): string {
  return head.includes(chunked) ? `${head}\r\n${chunk}0\r\n\r\n` : `${head}${lengthOf}\r\n${newPet}`
}

async function answersTo(pieces: readonly string[], sending?: Sending): Promise<{ statuses: number[]; made: number }> {
  await server.sandbox.reset()
  const received = await sendBytes(server.port, pieces, sending)
  return { statuses: statusesOf(received), made: await sizeOf(server.sandbox.world()) }
}

describe('answers 201 to what it stores', () => {
  it.each(cases)('if $follower follows $creation', async ({ head, bytes, staysOpen, gets }) => {
    expect(await answersTo([toBytes(head) + bytes])).toEqual({ statuses: staysOpen ? [201, gets] : [201], made: 1 })
  })

  it.each(cases)('if $follower follows $creation later', async ({ head, bytes, staysOpen, gets }) => {
    expect(await answersTo([toBytes(head), bytes])).toEqual({ statuses: staysOpen ? [201, gets] : [201], made: 1 })
  })

  it.each(creations)('if the client ends its side after $creation', async ({ head }) => {
    expect(await answersTo([toBytes(head)], { halfClose: true })).toEqual({ statuses: [201], made: 1 })
  })

  it('if half a request and the end of the client follow', async () => {
    const sent = [`${toBytes(`${create}Prefer: delay=100\r\n`)}GET / HT`]
    expect(await answersTo(sent, { halfClose: true })).toEqual({ statuses: [201, 400], made: 1 })
  })
})

it('acts on no request after one that closes the connection', async () => {
  expect(await answersTo([toBytes(`${create}${close}`) + toBytes(create)])).toEqual({ statuses: [201], made: 1 })
})

it('runs pipelined requests one after another: a list has what was created before it', async () => {
  await server.sandbox.reset()
  const list = `GET /v1/pets HTTP/1.1\r\n${auth}${close}\r\n`
  const received = await sendBytes(server.port, [toBytes(create) + toBytes(create) + list])
  expect(statusesOf(received)).toEqual([201, 201, 200])
  expect(JSON.parse(received.slice(received.lastIndexOf('\r\n\r\n')))).toHaveLength(2)
})

it('answers a malformed body once', async () => {
  for (const bytes of [`${create}${chunked}\r\nzz\r\n`, `${create.replace('sandbox', 'wrong')}${chunked}\r\nzz\r\n`]) {
    const { statuses, made } = await answersTo([bytes])
    expect(statuses).toHaveLength(1)
    expect(made).toBe(0)
  }
})
