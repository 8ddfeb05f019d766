import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Method, Operation, RequestContract } from '../../src/contract/contract.js'
import { Refusal } from '../../src/sandbox/outcome.js'
import { createParameterReader } from '../../src/sandbox/request/read-parameters.js'
import type { SandboxRequest } from '../../src/sandbox/request/request.js'
import { createRouter, isRoute, type Router } from '../../src/sandbox/route.js'
import { check } from './support/check.js'
import { matchNaively } from './support/naive-segments.js'
import { contract as counters } from './support/worlds.js'

const methods: readonly Method[] = ['GET', 'PUT', 'POST', 'HEAD', 'OPTIONS']
const literals = ['a', 'b', 'c d', '__proto__', 'constructor', 'a/b', 'é', '%']
const names = ['id', '__proto__', 'constructor', 'toString']

/** A documented segment: the texts around its parameters. One text is a literal, and two empty ones are a parameter. */
const segment: fc.Arbitrary<string[]> = fc.oneof(
  fc.constantFrom(...literals.filter((text) => !text.includes('/'))).map((text) => [text]),
  fc.constant<string[]>(['', '']),
  fc.constantFrom<string[]>(
    ['', '.j'],
    ['', '-', ''],
    ['', '.', ''],
    ['a', ''],
    ['', '--', ''],
    ['(', ')'],
    ['', '', ''],
    ['', 'é'],
  ),
)
const documented = fc.array(
  fc.record({
    segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
    query: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, fc.constantFrom('?x=1', '?x=1&y', '?y={y}', '?x={x}#f')),
    method: fc.constantFrom(...methods),
    servers: fc.constantFrom<string[]>(['production'], ['staging'], ['production', 'staging']),
    /** Which path parameters are valid. */
    valid: fc.constantFrom<keyof typeof patterns>('any', 'digits', 'letters'),
  }),
  { minLength: 1, maxLength: 8 },
)
type Documented = typeof documented extends fc.Arbitrary<(infer T)[]> ? T : never

const patterns = { any: /^/, digits: /^\d+$/, letters: /^[a-z]+$/ }

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...literals).map(encodeURIComponent) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('%61', '', '%', '%zz', '%2F', '{id}', '12', 'é', 'x.j', '1-2', 'a-b-c', 'a.b-c', '1--2'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('x%2Ej', 'x%2Ey.j', 'a12', 'ax', '(7)', '(%29)', 'x%C3%A9', '1-%', '-', 'a.j'),
  },
)
const calls = fc.record({
  path: fc.array(text, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join('/')}`),
  query: fc.constantFrom('', '', 'x=1', 'x=1&y=2', 'y=2', 'x=2', 'x=2&x=1'),
  method: fc.constantFrom(...methods, 'TRACE', '__proto__', 'constructor', 'get'),
  server: fc.constantFrom('production', 'production', 'staging', undefined),
})
type Called = typeof calls extends fc.Arbitrary<infer T> ? T : never

/** The names of the parameters differ by the place of the operation, so that equal paths have different names. */
function namesOf({ segments }: Documented, place: number): string[] {
  const count = segments.reduce((sum, texts) => sum + texts.length - 1, 0)
  return Array.from({ length: count }, (_, index) =>
    count > names.length ? `p${index}` : (names[index] ?? '') + (place % 2),
  )
}

function pathOf(each: Documented, place: number): string {
  const left = namesOf(each, place)
  const write = (texts: string[]) => texts.reduce((all, own) => `${all}{${left.shift()}}${own}`)
  return each.segments.map((texts) => `/${write(texts)}`).join('') + each.query
}

function openRouter(contract: RequestContract, cors: boolean): Router {
  return createRouter(contract, cors, createParameterReader(contract, undefined))
}

function contractOf(all: readonly Documented[]): RequestContract {
  const operations = all.map(
    (each, index): Operation => ({
      id: String(index),
      method: each.method,
      path: pathOf(each, index),
      servers: each.servers,
      parameters: namesOf(each, index).map((name) => ({ name, in: 'path', required: true, types: ['string'] })),
      validatePath: index,
      security: [],
      responses: [],
      lifecycle: { deprecated: false },
      effect: { kind: 'undescribed' },
    }),
  )
  const validators = all.map(({ valid }) => (value: unknown) => {
    const { path } = value as { path: Record<string, unknown> }
    return Object.values(path).every((each) => typeof each === 'string' && patterns[valid].test(each))
  })
  return { ...counters, operations, validators }
}

function requestOf(method: string, path: string, server: string | undefined = 'production'): SandboxRequest {
  return {
    method,
    path,
    server,
    mount: '',
    query: '',
    header: () => undefined,
    headers: () => [],
    body: async () => undefined,
  }
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/** Values of the path parameters, if the path fits. */
function valuesOf({ segments }: Documented, path: string): (string | undefined)[] | undefined {
  const texts = path.slice(1).split('/')
  if (texts.length !== segments.length) return undefined
  const values = segments.map((own, index) => {
    const given = texts[index] ?? ''
    if (own.length === 1) return (decode(given) ?? given) === own[0] ? [] : undefined
    return matchNaively(own, given)
  })
  return values.every((each) => each !== undefined) ? values.flat() : undefined
}

/** Whether a request has the pairs with a value, and how many pairs it has. */
function pairsOf({ query }: Documented, given: URLSearchParams): number | undefined {
  const pairs = [...new URLSearchParams(query.replace(/#.*/, ''))]
  const has = ([name, value]: [string, string]) =>
    value.startsWith('{') ? given.has(name) : given.getAll(name).includes(value)
  return pairs.every((pair) => pair[1].startsWith('{') || has(pair)) ? pairs.filter(has).length : undefined
}

/** Literal before literal characters before a parameter, from left to right, as text that sorts in this order. */
function rankOf({ segments }: Documented): string {
  const rank = (texts: string[]) => {
    if (texts.length === 1) return '0'
    return texts.join('/') === '/' ? 'z' : String.fromCharCode('y'.charCodeAt(0) - texts.join('').length)
  }
  return segments.map(rank).join('')
}

/** The best of all documented paths that fit, by trying all of them. */
function model(all: readonly Documented[], { path, query, method, server }: Called) {
  const given = new URLSearchParams(query)
  const fitting = all.flatMap((each, index) => {
    const values = server !== undefined && each.servers.includes(server) ? valuesOf(each, path) : undefined
    const pairs = pairsOf(each, given)
    return values && pairs !== undefined ? [{ each, index, values, pairs, rank: rankOf(each) }] : []
  })
  const having = fitting.filter(({ each }) => each.method === method || (method === 'HEAD' && each.method === 'GET'))
  const order = ({ rank, pairs, each }: (typeof fitting)[number]) =>
    `${rank} ${9 - pairs} ${Number(each.method !== method)}`
  const sorted = having.toSorted((one, other) =>
    order(one) < order(other) ? -1 : order(one) > order(other) ? 1 : one.index - other.index,
  )
  const best = sorted.filter((one) => sorted[0] && order(one) === order(sorted[0]))
  const isValid = ({ each, values }: (typeof fitting)[number]) =>
    values.every((value) => value !== undefined && patterns[each.valid].test(value))
  const found = best.find(isValid) ?? best[0]
  const allowed = new Set<string>(fitting.map(({ each }) => each.method))
  if (allowed.size > 0) allowed.add('OPTIONS')
  if (allowed.has('GET')) allowed.add('HEAD')
  return {
    id: found && String(found.index),
    path: found && Object.entries(toNamed(namesOf(found.each, found.index), found.values)),
    allow: [...allowed].sort().join(', '),
  }
}

function operationAt(...segments: string[][]): Documented {
  return { segments, query: '', method: 'GET', servers: ['production'], valid: 'any' }
}

function toNamed(keys: readonly string[], values: readonly (string | undefined)[]): Record<string, string | undefined> {
  const named: Record<string, string | undefined> = Object.create(null)
  for (const [index, name] of keys.entries()) named[name] = values[index]
  return named
}

describe('the router', () => {
  it('finds what trying all documented paths finds', () => {
    check(
      fc.tuple(documented, fc.array(calls, { minLength: 1, maxLength: 10 })),
      ([all, requests]) => {
        const router = openRouter(contractOf(all), false)
        for (const call of requests) {
          const expected = model(all, call)
          const found = router.route({ ...requestOf(call.method, call.path), server: call.server, query: call.query })
          if (expected.id !== undefined) {
            expect(isRoute(found) && found.operation.id).toBe(expected.id)
            expect(isRoute(found) && Object.entries(found.path)).toStrictEqual(expected.path)
          } else if (expected.allow === '') {
            expect(found instanceof Refusal && found.reason).toBe('not_found')
          } else if (call.method === 'OPTIONS') {
            expect(found).toStrictEqual({ status: 204, headers: { Allow: expected.allow } })
          } else {
            expect(found instanceof Refusal && found.reason).toBe('method_not_allowed')
            expect(found instanceof Refusal && found.headers).toStrictEqual({ Allow: expected.allow })
          }
        }
      },
      1500,
    )
  })

  it('decodes any text that a path parameter was encoded from', () => {
    const router = openRouter(contractOf([operationAt(['a'], ['', ''])]), false)
    check(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
      const found = router.route(requestOf('GET', `/a/${encodeURIComponent(value)}`))
      expect(isRoute(found) && Object.values(found.path)).toStrictEqual([value])
    })
  })

  it('answers a preflight with the methods of the path', () => {
    const router = openRouter(contractOf([operationAt(['a'])]), true)
    const headers: Record<string, string> = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
    const found = router.route({ ...requestOf('OPTIONS', '/a'), header: (name) => headers[name] })
    expect(found).toMatchObject({ status: 204, headers: { 'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS, PUT' } })
  })

  it('answers a preflight even if OPTIONS is documented', () => {
    const router = openRouter(contractOf([{ ...operationAt(['a']), method: 'OPTIONS' }]), true)
    const headers: Record<string, string> = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
    expect(isRoute(router.route(requestOf('OPTIONS', '/a')))).toBe(true)
    expect(router.route({ ...requestOf('OPTIONS', '/a'), header: (name) => headers[name] })).toMatchObject({
      status: 204,
    })
  })

  it('prefers a documented HEAD to the GET of the same path', () => {
    const [get, head] = [operationAt(['a'], ['', '']), { ...operationAt(['a'], ['', '']), method: 'HEAD' as const }]
    for (const [all, id] of [
      [[get, head], '1'],
      [[head, get], '0'],
      [[get], '0'],
    ] as const) {
      const found = openRouter(contractOf(all), false).route(requestOf('HEAD', '/a/1'))
      expect(isRoute(found) && found.operation.id).toBe(id)
    }
  })

  it('names the base that is missing, or the closest path', () => {
    const router = openRouter(contractOf([operationAt(['counters'])]), false)
    const messageOf = (path: string, server: string | undefined) => {
      const found = router.route({ ...requestOf('GET', path), server })
      return found instanceof Refusal ? found.message : undefined
    }
    expect(messageOf('/counters', undefined)).toBe(
      'No such path: /counters; the base /production/v1 is missing: try /production/v1/counters',
    )
    expect(messageOf('/countrs', 'production')).toBe('No such path: /countrs; the closest known path is /counters')
  })
})
