/** Providers of members, by a sandbox, that accept some values only once, each in its own way. */
import { json } from './provider-faults.js'
import { type Alter, type Asked, provide, type Service } from './providers.js'
import { type JsonObject, readObject } from './read-json.js'

export interface MembersOptions {
  /** Properties of a new member. All of them are required. */
  properties: JsonObject
  /** Schema of an id that callers choose. @default the service chooses it */
  id?: JsonObject
  /** Statuses of refusals that are documented besides 401, 404, 415 and 422. */
  documented?: readonly number[]
}

/** A document with all operations on members. */
export function membersOf({ properties: others, id, documented = [] }: MembersOptions): Service {
  const properties = id ? { id, ...others } : others
  const written = { type: 'object', required: Object.keys(properties), properties }
  const stored = {
    type: 'object',
    required: [...new Set(['id', ...written.required])],
    properties: { id: { type: 'string', format: 'uuid', readOnly: true }, ...properties },
  }
  const content = (schema: unknown) => ({ 'application/json': { schema } })
  const problem = {
    type: 'object',
    required: ['code', 'message', 'status'],
    properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
  }
  const refusals = Object.fromEntries(
    [401, 404, 415, 422, ...documented].map((status) => [status, { description: 'No', content: content(problem) }]),
  )
  const answers = (status: number, schema: unknown) => ({
    responses: { [status]: { description: 'Fine', content: content(schema) }, ...refusals },
  })
  const body = { required: true, content: content(written) }
  const patch = {
    required: true,
    content: { 'application/merge-patch+json': { schema: { type: 'object', properties } } },
  }
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Members', version: '1' },
    servers: [{ url: 'https://members.example/api' }],
    security: [{ key: [] }],
    paths: {
      '/members': {
        get: {
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } }],
          ...answers(200, { type: 'array', items: stored }),
        },
        post: { requestBody: body, ...answers(201, stored) },
      },
      '/members/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: id ?? { type: 'string', format: 'uuid' } }],
        get: answers(200, stored),
        put: { requestBody: body, ...answers(200, stored) },
        patch: { requestBody: patch, ...answers(200, stored) },
        delete: { responses: { 204: { description: 'Gone' }, ...refusals } },
      },
    },
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  })
  return { text, base: '/api', scenario: {} }
}

export interface UniqueOptions {
  /** Texts of which no two members may have the same. Undefined for none. */
  identify(member: JsonObject): readonly (string | undefined)[]
  /** Answer to a member that has a text of another one: a refusal, that member, or that member changed. @default 409 */
  answers?: number | 'existing' | 'changed'
  /** A text remains taken after its member was removed. @default false */
  remembers?: boolean
}

const isAuthorized = ({ headers }: Asked) => headers['authorization'] === 'Bearer sandbox'

/** Refuses what a member has already. */
export function unique({ identify, answers = 409, remembers = false }: UniqueOptions): Alter {
  /** By path. */
  const members = new Map<string, JsonObject>()
  const former: JsonObject[] = []
  return async (asked, next) => {
    const { method, path, body } = asked
    const given = isAuthorized(asked) && /^P/.test(method) ? parse(body) : undefined
    if (given) {
      const member = method === 'PATCH' ? { ...members.get(path), ...given } : given
      const others = [...members].filter(([each]) => each !== path)
      const texts = identify(member).map((text, place) => `${place} ${text}`)
      const isTaken = (other: JsonObject) =>
        identify(other).some((text, place) => text !== undefined && texts[place] === `${place} ${text}`)
      const [same] = others.find(([, other]) => isTaken(other)) ?? []
      if (same !== undefined || former.some(isTaken)) {
        if (typeof answers === 'number' || same === undefined || method !== 'POST') {
          return refuse(typeof answers === 'number' ? answers : 422)
        }
        const existing = await next(
          answers === 'existing' ? { method: 'GET', target: same, body: '' } : { method: 'PUT', target: same },
        )
        if (existing.ok) members.set(same, readObject(await existing.clone().json()))
        return new Response(await existing.text(), {
          status: existing.ok ? 201 : existing.status,
          headers: existing.headers,
        })
      }
    }
    const answer = await next()
    const answered = answer.ok && answer.status !== 204 ? parse(await answer.clone().text()) : undefined
    if (method === 'DELETE' && answer.ok) {
      const removed = members.get(path)
      if (removed && remembers) former.push(removed)
      members.delete(path)
    } else if (given && answered) members.set(method === 'POST' ? `/members/${answered['id']}` : path, answered)
    return answer
  }
}

export function refuse(status: number, code = 'duplicate'): Response {
  return new Response(JSON.stringify({ code, message: 'No', status }), { status, headers: json })
}

/** One change after the other: the first one is asked first. */
export function chain(...alters: readonly Alter[]): Alter {
  const [first, ...others] = alters
  if (!first) return (_, next) => next()
  return (asked, next) =>
    first(asked, async (changed) =>
      chain(...others)({ ...asked, ...changed }, (again) => next({ ...changed, ...again })),
    )
}

export function provideMembers(service: Service, ...alters: readonly Alter[]): Promise<string> {
  return provide(service, chain(...alters))
}

function parse(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
