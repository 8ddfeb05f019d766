// Opening a store in Redis: addresses, and servers that cannot be used.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { parseRedisAddress } from '../../src/stores/redis-address.js'
import { openRedisStore } from '../../src/stores/redis-store.js'
import { freePort, hasOpenssl, hasRedis, startRedis } from '../support/redis-server.js'

const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function failureOf(url: string, options = { startWithin: 300 }): Promise<{ code?: string; message: string }> {
  try {
    await (await openRedisStore(url, options)).close?.()
  } catch (error) {
    return error as Error
  }
  throw new Error('The store was opened')
}

/** A server that gives the same answer to everything. */
async function answering(answer: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => answer && socket.write(answer))
    ends.push(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  return (server.address() as AddressInfo).port
}

function infoOf(...lines: string[]): string {
  const text = ['# Server', ...lines, ''].join('\r\n')
  // The first answer is to CLIENT SETNAME.
  return `$${text.length}\r\n${text}\r\n`
}

describe('the address of Redis', () => {
  it('has defaults', () => {
    expect(parseRedisAddress('redis://localhost')).toEqual({
      host: 'localhost',
      port: 6379,
      isEncrypted: false,
      username: undefined,
      password: undefined,
      db: 0,
      prefix: 'petstore-sandbox',
    })
  })

  it('has all parts', () => {
    expect(parseRedisAddress('rediss://team:p%40ss%2F@[::1]:7000/3?prefix=team-b')).toEqual({
      host: '::1',
      port: 7000,
      isEncrypted: true,
      username: 'team',
      password: 'p@ss/',
      db: 3,
      prefix: 'team-b',
    })
    expect(parseRedisAddress('redis://:secret@host/')).toMatchObject({ username: undefined, password: 'secret', db: 0 })
  })

  it.each([
    ['redis:', 'the address is not complete'],
    ['redis://', 'the address is not complete'],
    ['http://host', 'the address is not complete'],
    ['redis://:secret@host/one', '"/one" is not the number of a database'],
    ['redis://:secret@host/1/2', '"/1/2" is not the number of a database'],
    ['redis://:secret@host?family=6', 'unknown parameter "family"; available: prefix'],
    ['redis://:secret@host?prefix=', 'a prefix has at least one character'],
    ['redis://:secret@host?prefix={a}', 'a prefix has at least one character, and no braces (got "{a}")'],
    ['redis://:secret%zz@host', 'the user or password has a "%"'],
  ])('is refused if it is %s', (url, why) => {
    expect(() => parseRedisAddress(url)).toThrow(`Failed to read the address of Redis: ${why}`)
    expect(() => parseRedisAddress(url)).not.toThrow(/secret/)
  })
})

describe('a server that cannot be used', () => {
  it('is one that does not listen', async () => {
    const port = await freePort()
    expect(await failureOf(`redis://:secret@127.0.0.1:${port}`)).toMatchObject({
      code: 'CANNOT_REACH',
      message: `Failed to open the store at 127.0.0.1:${port}: no Redis answered within 0.3 s (connect ECONNREFUSED 127.0.0.1:${port}). Start Redis 6.2 or later, or Valkey, there, or give another address`,
    })
  })

  it('is one that never answers', async () => {
    const port = await answering('')
    expect(await failureOf(`redis://127.0.0.1:${port}`)).toMatchObject({
      code: 'CANNOT_REACH',
      message: expect.stringContaining(`127.0.0.1:${port}: no Redis answered within 0.3 s`),
    })
  })

  it('is not Redis', async () => {
    const port = await answering('HTTP/1.1 400 Bad Request\r\n\r\n')
    expect(await failureOf(`redis://127.0.0.1:${port}`)).toMatchObject({ code: 'CANNOT_REACH' })
  })

  it.each(['5.0.7', '6.0.16'])('has version %s', async (version) => {
    const port = await answering(infoOf(`redis_version:${version}`))
    expect(await failureOf(`redis://127.0.0.1:${port}`)).toMatchObject({
      code: 'INVALID_OPTION',
      message: `Failed to open the store at 127.0.0.1:${port}: its version is ${version}. Use Redis 6.2 or later, or Valkey`,
    })
  })

  it('is open if it has version 6.2', async () => {
    const port = await answering(infoOf('redis_version:6.2.0', 'valkey_version:8.0.1'))
    await (await openRedisStore(`redis://127.0.0.1:${port}`)).close?.()
  })
})

describe.skipIf(!hasRedis)('a server of Redis that cannot be used', () => {
  async function redis(...settings: string[]): Promise<string> {
    const server = await startRedis(['--save', '', ...settings])
    ends.push(() => server.remove())
    return `127.0.0.1:${server.port}`
  }

  it('requires another password', async () => {
    const host = await redis('--requirepass', 'right')
    for (const credentials of ['', ':secret@', 'team:secret@']) {
      const { code, message } = await failureOf(`redis://${credentials}${host}`, { startWithin: 60_000 })
      expect(code).toBe('INVALID_OPTION')
      expect(message).toMatch(
        new RegExp(
          `^Failed to open the store at ${host}: no connection is possible \\((WRONGPASS|NOAUTH) .*\\)\\. Check the user, password and database of the address$`,
        ),
      )
      expect(message).not.toMatch(/secret|right/)
    }
    await (await openRedisStore(`redis://:right@${host}`)).close?.()
    await (await openRedisStore(`redis://default:right@${host}`)).close?.()
  })

  it.skipIf(!hasOpenssl)('has a certificate of an unknown authority', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-tls-'))
    ends.push(() => rm(folder, { recursive: true }))
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const parameters = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2']
    execFileSync('openssl', ['req', ...parameters, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
    const server = await startRedis(['--save', ''], { key, certificate })
    ends.push(() => server.remove())
    expect(await failureOf(`rediss://127.0.0.1:${server.tlsPort}`, { startWithin: 60_000 })).toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(
        /^Failed to open the store at 127\.0\.0\.1:\d+: no connection is possible \(self-signed certificate\)\. .* NODE_EXTRA_CA_CERTS$/,
      ),
    })
  })

  it('has no such database', async () => {
    const host = await redis()
    expect(await failureOf(`redis://${host}/16`, { startWithin: 60_000 })).toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('no connection is possible (ERR DB index is out of range)'),
    })
  })

  it('removes any data when its memory is full', async () => {
    const host = await redis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru')
    expect(await failureOf(`redis://${host}`)).toMatchObject({
      code: 'INVALID_OPTION',
      message: `Failed to open the store at ${host}: it removes any data when its memory is full (maxmemory-policy allkeys-lru). Set maxmemory-policy to noeviction, or use another server`,
    })
  })
})
