import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Method, Operation, RequestContract } from '../../src/contract/contract.js'
import { Refusal } from '../../src/sandbox/outcome.js'
import type { SandboxRequest } from '../../src/sandbox/request.js'
import { createRouter, isRoute } from '../../src/sandbox/route.js'
import { check } from './support/check.js'
import { contract as counters } from './support/worlds.js'

const methods: readonly Method[] = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']
const literals = ['a', 'b', 'c d', '__proto__', 'constructor', 'a/b', 'é', '%']
const parameters = ['id', '__proto__', 'constructor', 'toString']

/** Parts of a documented path; no two paths differ in the names of their parameters only. */
const part = fc.oneof(
  fc.constantFrom(...literals.filter((text) => !text.includes('/'))),
  fc.constant({ parameter: true }),
)
const documented = fc.uniqueArray(
  fc.record({
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    method: fc.constantFrom(...methods),
    servers: fc.constantFrom<string[]>(['production'], ['staging'], ['production', 'staging']),
  }),
  { selector: ({ parts, method }) => JSON.stringify([parts, method]), minLength: 1, maxLength: 8 },
)
type Documented = typeof documented extends fc.Arbitrary<(infer T)[]> ? T : never

const segment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...literals).map(encodeURIComponent) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('%61', '%5f_proto__', 'A', '', '%', '%zz', '%ff', '%2F', '..', '{id}', '12', 'é'),
  },
)
const calls = fc.record({
  path: fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
  method: fc.constantFrom(...methods, 'TRACE', '__proto__', 'constructor', 'get'),
  server: fc.constantFrom('production', 'staging', undefined),
})

function pathOf({ parts }: Documented): string {
  return parts.map((each, index) => (typeof each === 'string' ? `/${each}` : `/{${parameters[index]}}`)).join('')
}

function contractOf(all: readonly Documented[]): RequestContract {
  const operations = all.map(
    (each): Operation => ({
      id: JSON.stringify(each),
      method: each.method,
      path: pathOf(each),
      servers: each.servers,
      parameters: [],
      security: [],
      responses: [],
      lifecycle: { deprecated: false },
      effect: { kind: 'undescribed' },
    }),
  )
  return { ...counters, operations }
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

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The best of all documented paths that fit: literal before parameter, from left to right. */
function model(
  all: readonly Documented[],
  { path, method, server }: { path: string; method: string; server: string | undefined },
) {
  const segments = path.slice(1).split('/')
  const fits = ({ parts, servers }: Documented) =>
    server !== undefined &&
    servers.includes(server) &&
    parts.length === segments.length &&
    parts.every((each, index) => {
      const text = segments[index] ?? ''
      return typeof each === 'string' ? decode(text) === each : text !== ''
    })
  const rank = ({ parts }: Documented) => parts.map((each) => (typeof each === 'string' ? '0' : '1')).join('')
  const fitting = all.filter(fits).sort((one, other) => (rank(one) < rank(other) ? -1 : 1))
  const best = fitting.filter((each) => rank(each) === rank(fitting[0] ?? each))
  const found =
    best.find((each) => each.method === method) ??
    (method === 'HEAD' ? best.find((each) => each.method === 'GET') : undefined)
  const allowed = new Set<string>(best.map((each) => each.method))
  if (allowed.size > 0) allowed.add('OPTIONS')
  if (allowed.has('GET')) allowed.add('HEAD')
  const values = found?.parts.flatMap((each, index) =>
    typeof each === 'string' ? [] : [[parameters[index], decode(segments[index] ?? '')] as const],
  )
  return { id: found && JSON.stringify(found), values, allow: [...allowed].sort().join(', ') }
}

describe('the router', () => {
  it('finds what trying all documented paths finds', () => {
    check(
      fc.tuple(documented, fc.array(calls, { minLength: 1, maxLength: 10 })),
      ([all, requests]) => {
        const router = createRouter(contractOf(all), false)
        for (const call of requests) {
          const expected = model(all, call)
          const found = router.route({ ...requestOf(call.method, call.path), server: call.server })
          if (expected.id !== undefined) {
            expect(isRoute(found) && found.operation.id).toBe(expected.id)
            expect(isRoute(found) && Object.entries(found.path)).toStrictEqual(
              expected.values?.map((pair) => [...pair]),
            )
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
      400,
    )
  })

  it('decodes any text that a path parameter was encoded from', () => {
    const router = createRouter(
      contractOf([{ parts: ['a', { parameter: true }], method: 'GET', servers: ['production'] }]),
      false,
    )
    check(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const found = router.route(requestOf('GET', `/a/${encodeURIComponent(text)}`))
      expect(isRoute(found) && Object.entries(found.path)).toStrictEqual([['__proto__', text]])
    })
  })

  it('answers a preflight with the methods of the path', () => {
    const router = createRouter(contractOf([{ parts: ['a'], method: 'GET', servers: ['production'] }]), true)
    const headers: Record<string, string> = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
    const found = router.route({ ...requestOf('OPTIONS', '/a'), header: (name) => headers[name] })
    expect(found).toMatchObject({ status: 204, headers: { 'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS, PUT' } })
  })

  it('names the base that is missing, or the closest path', () => {
    const router = createRouter(contractOf([{ parts: ['counters'], method: 'GET', servers: ['production'] }]), false)
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
