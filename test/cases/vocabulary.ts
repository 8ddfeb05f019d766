/** The vocabulary of the case tables: requests, expected answers, and the records that every case starts with. */
import type { Exchange, Sandbox, SandboxOptions } from 'petstore-sandbox'
import { expect } from 'vitest'
import type { Header } from '../support/raw-request.js'
import { pluck } from '../support/read-json.js'
import type { Act, Case, Expected, Send } from '../support/run-case.js'

// --- requests ------------------------------------------------------------------------------------------------------

export const key: Header = ['Authorization', 'Bearer sandbox']
export const json: Header = ['Content-Type', 'application/json']

/** The header that opens the world of another key. */
export function keyOf(name: string): Header {
  return ['Authorization', `Bearer ${name}`]
}

export function get(target: string, expected: Expected, ...headers: Header[]): Send {
  return { method: 'GET', target, headers: [key, ...headers], expect: expected }
}

export function post(target: string, body: string | Uint8Array, expected: Expected, ...headers: Header[]): Send {
  return { method: 'POST', target, headers: [key, json, ...headers], body, expect: expected }
}

/** Sends no key unless one is among the headers. */
export function send(method: string, target: string, headers: readonly Header[], expected: Expected): Send {
  return { method, target, headers, expect: expected }
}

/** A valid body of exactly this many bytes. */
export function bodyOf(bytes: number): string {
  const empty = '{"name":"","categoryId":7}'
  return `{"name":"${'x'.repeat(bytes - empty.length)}","categoryId":7}`
}

// --- records -------------------------------------------------------------------------------------------------------

export const ada = '{"id":1,"name":"Ada","categoryId":1,"status":"available"}'
export const bo = '{"id":2,"name":"Bo","categoryId":2,"status":"sold"}'
export const cy = '{"id":3,"name":"Cy","categoryId":1}'
/** The body that creates Rex, and the resulting record in a fresh world. */
export const rex = '{"name":"Rex","categoryId":7}'
export const rex4 = '{"id":4,"name":"Rex","categoryId":7}'

/** A scenario with this many pets, with ids from 1. */
export function pets(count: number): NonNullable<SandboxOptions['scenario']> {
  const statuses = ['available', 'pending', 'sold', undefined]
  return {
    pets: Array.from({ length: count }, (_, index) => {
      const status = statuses[index % 4]
      const pet = { id: index + 1, name: `Pet ${index + 1}`, categoryId: index % 5 }
      return status === undefined ? pet : { ...pet, status }
    }),
  }
}

// --- expected answers ----------------------------------------------------------------------------------------------

export const all: Expected = { status: 200, text: `[${cy},${bo},${ada}]` }
export const rexIs4: Expected = { status: 201, text: rex4 }

/** The whole list after records were added. */
export function allAfter(...added: string[]): Expected {
  return { status: 200, text: `[${[...added.toReversed(), cy, bo, ada].join(',')}]` }
}

/** A list of exactly these ids, in this order. */
export function idsAre(ids: readonly unknown[]): Expected {
  return { status: 200, check: (body) => expect(pluck(body, 'id')).toEqual(ids) }
}

/** A list whose ids count down from the first to the last. */
export function idsDown(first: number, last: number): Expected {
  return idsAre(Array.from({ length: first - last + 1 }, (_, index) => first - index))
}

export function error(status: number, ...expected: NonNullable<Expected['error']>): Expected {
  return { status, error: expected }
}

export const challenge: RegExp = /^Bearer realm="[^"]+"$/
export const invalidToken: RegExp = /^Bearer realm="[^"]+", error="invalid_token"$/
export const refusedKey: Expected = { ...error(401, 'unauthorized'), headers: { 'www-authenticate': invalidToken } }
/** Text that the error of a removed getPet contains. */
export const removed: NonNullable<Expected['error']> = ['removed', 'GET /v1/pets', '"status" filter']
export const today = '2026-11-21T00:00:00.000Z'

export function queued(message: string, createdAt: string): Expected {
  return {
    status: 202,
    check(body) {
      // As entries, because their order matters.
      expect(Object.entries(Object(body))).toEqual([
        ['id', expect.stringMatching(/./)],
        ['message', message],
        ['status', 'queued'],
        ['createdAt', createdAt],
      ])
    },
  }
}

/** The headers of every answer of the deprecated getPet. */
export function lifecycle(base: string): Record<'deprecation' | 'sunset' | 'link', string> {
  return {
    deprecation: '@1795132800',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    link: `<${base}/pets>; rel="successor-version"`,
  }
}

// --- servers -------------------------------------------------------------------------------------------------------

/** The mounts of both servers of the store. */
export const stores: readonly string[] = ['/v1', '/staging/v1']

export function onStores(make: (base: string) => Case | Case[]): Case[] {
  return stores.flatMap(make)
}

// --- limits of transports ------------------------------------------------------------------------------------------

/** For answers that contain the requested path. */
export function namesMount(base: string): Pick<Case, 'except'> {
  return base === '/staging/v1' ? { except: { documented: 'the documented staging address has no /staging' } } : {}
}

export function normalised(how: string): Pick<Case, 'except'> {
  return { except: { url: `a URL is normalised: ${how}` } }
}

export function notInFetch(reason: string): Pick<Case, 'except'> {
  return { except: { url: reason } }
}

// --- the journal ---------------------------------------------------------------------------------------------------

export function lastExchange(sandbox: Sandbox): Exchange {
  const exchange = sandbox.journal.list().at(-1)
  if (!exchange) throw new Error('The journal is empty')
  return exchange
}

/** The last exchange in the journal has exactly these notes; each is named by a part of it. */
export function noted(...parts: string[]): Act {
  return (sandbox) => {
    expect(lastExchange(sandbox).notes).toEqual(parts.map((part) => expect.stringContaining(part)))
  }
}
