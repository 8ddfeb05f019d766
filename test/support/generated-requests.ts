/** Generated requests, valid and broken. No number is beyond 2^53, where Prism loses digits. */
import fc from 'fast-check'
import { generateSync, type JsonSchema } from 'json-schema-faker'
import { petstore, schemaOf } from './prism-judge.js'

export interface Sent {
  /** Id of the operation. Undefined for an unknown path or method. */
  operation: string | undefined
  method: string
  path: string
  base: string
  key: string | undefined
  /** JSON text. */
  body?: string
  prefer?: number
  limit?: string
  status?: string
  id?: string
}

const newPet = schemaOf(petstore, 'NewPet')
const newMessage = schemaOf(petstore, 'NewMessage')

export function generated(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.nat().map((number) => generateSync(schema, { seed: number, optionalsProbability: 0.5 }))
}

export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, '', 0, 1.5, -7, true, 'sold', 'SOLD', [], {}, ['sold'], '7', 2 ** 53 - 1),
)

/** A generated body with one property replaced, removed or added. */
export const brokenPet: fc.Arbitrary<unknown> = fc
  .tuple(
    generated(newPet),
    fc.constantFrom('name', 'categoryId', 'status', 'id', 'colour'),
    fc.option(anyValue, { nil: undefined }),
  )
  .map(([pet, name, value]) => ({ ...(pet as object), [name]: value }))

/** JSON without numbers that a double cannot represent exactly. */
function isSmall(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) ? Number.isSafeInteger(value) : Math.abs(value) < 2 ** 32
  return typeof value !== 'object' || value === null || Object.values(value).every(isSmall)
}

const petBodies = fc.oneof(generated(newPet), generated(newPet), brokenPet, brokenPet, anyValue).filter(isSmall)
const messageBodies = fc.oneof(generated(newMessage), anyValue).filter(isSmall)

const bases = fc.constantFrom('/v1', '/staging/v1')
const keys = fc.constantFrom<string | undefined>(
  'sandbox',
  'sandbox',
  'sandbox',
  'sandbox-b',
  'sandbox-b',
  'x',
  '',
  undefined,
)
const prefers = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(400, 401, 404, 429, 500, 503) },
)
const common = { base: bases, key: keys, prefer: prefers }

const limits = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map(String),
  fc.integer({ min: -5, max: 120 }).map(String),
  fc.constantFrom('', '1.0', '1e1', '0x10', '+5', '05', 'abc', '1 '),
)
const statuses = fc.constantFrom('available', 'pending', 'sold', '', 'SOLD', 'gone')
const ids = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map(String),
  fc.constantFrom('abc', '1.0', '01', '-1', '%', '%zz', '%31', '9007199254740991'),
)

export const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>

export const requests: fc.Arbitrary<Sent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        ...common,
        limit: fc.option(limits, { nil: undefined }),
        status: fc.option(statuses, { nil: undefined }),
      })
      .map(({ limit, status, ...rest }) => {
        const query = new URLSearchParams(given({ limit, status }) as Record<string, string>)
        const path = query.size === 0 ? '/pets' : `/pets?${query}`
        return { operation: 'listPets', method: 'GET', path, ...rest, ...given({ limit, status }) } as Sent
      }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ ...common, body: petBodies }).map(({ body, ...rest }) => ({
      operation: 'createPet',
      method: 'POST',
      path: '/pets',
      body: JSON.stringify(body) ?? '',
      ...rest,
    })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ ...common, id: ids })
      .map(({ id, ...rest }) => ({ operation: 'getPet', method: 'GET', path: `/pets/${id}`, id, ...rest })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record(common)
      .map((rest) => ({ operation: 'listStoreOrders', method: 'GET', path: '/store/orders', ...rest })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ ...common, body: messageBodies }).map(({ body, ...rest }) => ({
      operation: 'sendMessage',
      method: 'POST',
      path: '/messages',
      body: JSON.stringify(body) ?? '',
      ...rest,
      base: '',
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ ...common, method: fc.constantFrom('PUT', 'PATCH', 'DELETE') })
      .map(({ method, ...rest }) => ({ operation: undefined, method, path: '/pets', ...rest, prefer: undefined })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ ...common, path: fc.constantFrom('/pet', '/pets/1/2', '/pets/', '/', '/%zz', '/messages') })
      .map((rest) => ({ operation: undefined, method: 'GET', ...rest, prefer: undefined })),
  },
)
