/** Tokens in the answers of a login that the document describes itself. */
import { createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'

const text: Part = { type: 'string' }
const object = (properties: Part): Part => ({ type: 'object', required: Object.keys(properties), properties })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })

const user = object({ password: text, email: text })
const note = object({ title: text })
const login = (answer: Part, others: Part = {}): Part => ({
  post: { security: [], requestBody: { required: true, ...json(user) }, responses: ok(answer), ...others },
})
const document = documentOf(
  {
    '/login': login(object({ token: text, expires_in: { type: 'integer' } })),
    '/auth/login': login(object({ data: object({ accessToken: text, refresh_token: text }) })),
    '/oauth/token': {
      post: {
        security: [],
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { grant_type: text, client_id: text, client_secret: text } },
            },
          },
        },
        responses: ok(object({ access_token: text, token_type: text, expires_in: { type: 'integer' } })),
      },
    },
    '/short': login(object({ token: { ...text, maxLength: 8 } })),
    '/keys': { post: { responses: ok(object({ token: text })) } },
    '/notes': {
      get: { responses: ok({ type: 'array', items: note }) },
      post: { requestBody: { required: true, ...json(note) }, responses: ok(note) },
    },
  },
  { security: [{ account: [] }], components: { securitySchemes: { account: { type: 'http', scheme: 'bearer' } } } },
)

const ana = { email: 'ana@shop.example', password: 'x' }
const bob = { email: 'bob@shop.example', password: 'y' }

describe.each(doors)('a login through %s', (door) => {
  const open = async () => {
    const connection = await openDocument(door, document)
    return async (request: string, sent?: unknown, header?: [name: string, value: string]) => {
      const [method = '', target = ''] = request.split(' ')
      const headers = [...(sent ? [['Content-Type', 'application/json'] as const] : []), ...(header ? [header] : [])]
      const { text } = await receive(connection, {
        method,
        target,
        headers,
        ...(sent ? { body: JSON.stringify(sent) } : {}),
      })
      return JSON.parse(text)
    }
  }
  const bearer = (token: string): [string, string] => ['Authorization', `Bearer ${token}`]

  it('gives each user a token of their own for the same data', async () => {
    const send = await open()
    const [first, second] = [await send('POST /login', ana), await send('POST /login', bob)]
    expect(first.token).not.toBe(second.token)
    await send('POST /notes', { title: 'n' }, bearer(first.token))
    expect(await send('GET /notes', undefined, bearer(second.token))).toEqual([{ title: 'n' }])
    // Each request gets another one, as where a service exchanges tokens.
    expect((await send('POST /login', { ...ana, password: 'y' })).token).not.toBe(first.token)
    const [, claims = ''] = first.token.split('.')
    expect(JSON.parse(atob(claims))).toMatchObject({ sub: ana.email, exp: 3600 })
  })

  it('gives a token for the world that a header names, also one in an object of the answer', async () => {
    const send = await open()
    const { data } = await send('POST /auth/login', ana, ['Sandbox-World', 'other'])
    await send('POST /notes', { title: 'n' }, bearer(data.accessToken))
    const lists = await Promise.all(['other', 'sandbox'].map((world) => send('GET /notes', undefined, bearer(world))))
    expect([lists, data.refresh_token.split('.').length]).toEqual([[[{ title: 'n' }], []], 1])
  })

  it('gives each client of a documented token endpoint the world of its id, by the body or by Basic', async () => {
    const connection = await openDocument(door, document)
    const form = ['Content-Type', 'application/x-www-form-urlencoded'] as const
    const tokenOf = async (body: string, ...headers: (readonly [string, string])[]) => {
      const sent = { method: 'POST', target: '/oauth/token', headers: [form, ...headers], body }
      const { access_token, ...others } = JSON.parse((await receive(connection, sent)).text)
      expect(others).toEqual({ token_type: 'Bearer', expires_in: 3600 })
      return access_token
    }
    const client = await tokenOf('grant_type=client_credentials&client_id=shop&client_secret=x')
    const basic = await tokenOf('grant_type=client_credentials', ['Authorization', `Basic ${btoa('depot:x')}`])
    for (const [token, world] of [
      [client, 'shop'],
      [basic, 'depot'],
    ]) {
      await receive(connection, { method: 'GET', target: '/notes', headers: [bearer(token)] })
      expect(connection.sandbox.journal.list().at(-1)?.key).toBe(world)
    }
  })

  it('keeps to the schema, and to operations that need no credentials', async () => {
    const send = await open()
    expect((await send('POST /short', ana)).token.length).toBeLessThanOrEqual(8)
    expect((await send('POST /keys', undefined, bearer('sandbox'))).token.split('.')).toHaveLength(1)
  })
})

it('does not disclose a key that the request does not have', async () => {
  const { contract } = await compileOnce(document)
  const sandbox = createSandbox({ contract, apiKeys: ['my-own-key'] })
  const send = (headers: Record<string, string>, target = '/login') =>
    sandbox.fetch(
      new Request(`http://shop.example${target}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(target === '/login' ? ana : { title: 'n' }),
      }),
    )
  for (const [header, status] of [
    ['Bearer junk', 401],
    ['Bearer my-own-key', 200],
  ] as const) {
    const { token } = (await (await send({ Authorization: header })).json()) as { token: string }
    expect(atob(token.split('.')[1] ?? '').includes('my-own-key')).toBe(status === 200)
    expect((await send({ Authorization: `Bearer ${token}` }, '/notes')).status).toBe(status)
  }
})
