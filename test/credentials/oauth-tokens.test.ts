/** The token endpoint of OAuth 2.0 (RFC 6749). */
import { createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import type { Connection, Header, RawResponse } from '../support/raw-request.js'
import { doors, openSecured, securedDocument } from '../support/secured-document.js'

const form: Header = ['Content-Type', 'application/x-www-form-urlencoded']
const basic = (userAndPassword: string): Header => ['Authorization', `Basic ${btoa(userAndPassword)}`]
const bearer = (token: string): Header => ['Authorization', `Bearer ${token}`]

const endpoint = '/_sandbox/oauth/token'
/** MSW answers below the documented address only. */
const pathFor = (door: string) => (door === 'msw' ? `/v1${endpoint}` : endpoint)

async function request(
  { send }: Connection,
  target: string,
  body: string,
  headers: readonly Header[] = [],
): Promise<RawResponse & { json: Record<string, unknown> }> {
  const response = await send({ method: 'POST', target, headers: [form, ...headers], body })
  return { ...response, json: JSON.parse(new TextDecoder().decode(response.body)) }
}

async function worldOf({ send, sandbox }: Connection, target: string, header: Header): Promise<string | undefined> {
  const { status } = await send({ method: 'GET', target, headers: [header] })
  return status === 200 ? sandbox.journal.list().at(-1)?.key : `status ${status}`
}

const granted: readonly { what: string; body: string; headers?: readonly Header[]; world: string }[] = [
  { what: 'Basic', body: 'grant_type=client_credentials', headers: [basic('shop:x')], world: 'shop' },
  { what: 'the body', body: 'grant_type=client_credentials&client_id=shop&client_secret=x', world: 'shop' },
  { what: 'an id alone', body: 'grant_type=client_credentials&client_id=shop', world: 'shop' },
  {
    what: 'an encoded id',
    body: 'grant_type=client_credentials',
    headers: [basic('my+%C5%BDshop:x')],
    world: 'my Žshop',
  },
  { what: 'a user and password', body: 'grant_type=password&username=ana&password=x', world: 'ana' },
  { what: 'a client and a user', body: 'grant_type=password&username=ana&password=x&client_id=shop', world: 'shop' },
]

const refused = (error: string, status = 400) => {
  return (what: string, body: string, ...headers: Header[]) => ({ what, body, headers, status, error })
}
const invalidRequest = refused('invalid_request')
const invalidClient = refused('invalid_client', 401)
const clientCredentials = 'grant_type=client_credentials'

const badRequests = [
  invalidRequest('an empty body', ''),
  invalidRequest('no grant type', 'client_id=a'),
  invalidRequest('an empty grant type', 'grant_type=&client_id=a'),
  invalidRequest('a name given twice', 'grant_type=password&client_id=a&client_id=b'),
  invalidRequest('no password', 'grant_type=password&username=ana'),
  invalidRequest('two ways to authenticate', `${clientCredentials}&client_secret=b`, basic('a:b')),
  refused('unsupported_grant_type')('another flow', 'grant_type=authorization_code&code=1'),
  refused('invalid_scope')('a wrong scope', `${clientCredentials}&client_id=a&scope=%22`),
  invalidClient('no client', clientCredentials),
  invalidClient('an empty client', clientCredentials, basic(':')),
  invalidClient('Basic without Base64', clientCredentials, ['Authorization', 'Basic {}']),
  invalidClient('an unknown client', `${clientCredentials}&client_id=no-such-key`),
  invalidClient('Basic without a colon', `${clientCredentials}&client_id=a`, ['Authorization', 'Basic YQ==']),
  invalidClient('Basic of two words', `${clientCredentials}&client_id=a`, ['Authorization', 'Basic YTpi YQ==']),
  invalidClient('a client with a control character', `${clientCredentials}&client_id=%00shared&client_secret=x`),
  invalidClient('a secret with a control character', `${clientCredentials}&client_id=a&client_secret=%7F`),
  invalidClient('an encoded control character', clientCredentials, basic('a%0A:x')),
  invalidClient('a user with a control character', 'grant_type=password&username=a%00&password=x'),
  invalidClient('a password with a control character', 'grant_type=password&username=a&password=%1F&client_id=b'),
  refused('invalid_grant')('an unknown user', 'grant_type=password&username=no-such-key&password=x'),
]

describe.each(doors)('through %s', (door) => {
  it.each(granted)('gives a token for $what', async ({ body, headers = [], world }) => {
    const connection = await openSecured(door)
    const answer = await request(connection, pathFor(door), body, headers)
    expect([answer.status, answer.headers]).toEqual([
      200,
      { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' },
    ])
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^[\w.~+/-]+=*$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'read write',
    })
    const token = String(answer.json['access_token'])
    expect(token).not.toContain(world)
    expect(await worldOf(connection, '/v1/oauth', bearer(token))).toBe(world)
    expect(await worldOf(connection, '/v1/plain', bearer(token))).toBe(world)
  })

  it.each(badRequests)('refuses $what', async ({ body, headers = [], status, error }) => {
    const answer = await request(await openSecured(door), pathFor(door), body, headers)
    expect([answer.status, answer.json['error']]).toEqual([status, error])
    expect(answer.json['error_description']).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="OAuth 2.0"' : undefined)
  })

  it('opens the world that Basic authentication with the same id opens', async () => {
    const connection = await openSecured(door)
    const { json } = await request(connection, pathFor(door), 'grant_type=client_credentials', [basic('shop:x')])
    const worlds = [
      await worldOf(connection, '/v1/oauth', bearer(String(json['access_token']))),
      await worldOf(connection, '/v1/basic', basic('shop:x')),
    ]
    expect(worlds).toEqual(['shop', 'shop'])
  })

  it('gives a token of any length for the same world', async () => {
    const connection = await openSecured(door)
    const client = 'c'.repeat(7000)
    const { json } = await request(connection, pathFor(door), `grant_type=client_credentials&client_id=${client}`)
    expect(await worldOf(connection, '/v1/oauth', bearer(String(json['access_token'])))).toBe(client)
  })

  it('gives the scope that is asked for', async () => {
    const body = 'grant_type=client_credentials&client_id=a&scope=read+other%3Aall'
    expect((await request(await openSecured(door), pathFor(door), body)).json['scope']).toBe('read other:all')
  })

  it('answers at the documented address too', async () => {
    const connection = await openSecured(door)
    const { status, json } = await request(connection, '/v1/oauth/token', 'grant_type=client_credentials&client_id=a')
    expect([status, json['token_type']]).toEqual([200, 'Bearer'])
  })

  it('answers 405 to another method, and 400 to another content type', async () => {
    const { send } = await openSecured(door)
    const read = await send({ method: 'GET', target: pathFor(door) })
    expect([read.status, read.headers['allow']]).toEqual([405, 'POST'])
    const headers: Header[] = [['Content-Type', 'application/json']]
    const sent = await send({ method: 'POST', target: pathFor(door), headers, body: '{"grant_type":"password"}' })
    expect([sent.status, JSON.parse(new TextDecoder().decode(sent.body)).error]).toEqual([400, 'invalid_request'])
  })
})

it('reads a form of many names in linear time', async () => {
  const { send } = await openSecured('fetch')
  const names = Array.from({ length: 13_000 }, (_, index) => index.toString(36)).join('&')
  const body = `grant_type=client_credentials&client_id=shop&${names}`
  const before = process.cpuUsage()
  for (let count = 0; count < 4; count++)
    expect((await send({ method: 'POST', target: endpoint, headers: [form], body })).status).toBe(200)
  // Comparing all names with one another took five times as long.
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
})

describe('with listed keys', () => {
  const options = { apiKeys: ['one', 'two'] }

  it.each([
    ['client_id=ana&client_secret=two', 200],
    ['client_id=one&client_secret=x', 200],
    ['client_id=ana&client_secret=three', 401],
    ['client_id=ana', 401],
  ])('the client %s gets %i', async (client, status) => {
    const answer = await request(
      await openSecured('http', options),
      endpoint,
      `grant_type=client_credentials&${client}`,
    )
    expect(answer.status).toBe(status)
  })

  it('accepts a token as long as its key is listed, also after a restart', async () => {
    const first = await openSecured('fetch', options)
    const { json } = await request(first, endpoint, 'grant_type=client_credentials&client_id=ana&client_secret=two')
    const token = bearer(String(json['access_token']))
    expect(await worldOf(first, '/v1/oauth', token)).toBe('ana')
    expect(await worldOf(await openSecured('http', options), '/v1/oauth', token)).toBe('ana')
    expect(await worldOf(await openSecured('http', { apiKeys: ['two'] }), '/v1/oauth', token)).toBe('ana')
    expect(await worldOf(await openSecured('http', { apiKeys: ['one'] }), '/v1/oauth', token)).toBe('status 401')
  })
})

it('survives a restart', async () => {
  const { json } = await request(await openSecured('fetch'), endpoint, 'grant_type=client_credentials&client_id=shop')
  const token = bearer(String(json['access_token']))
  expect(await worldOf(await openSecured('http'), '/v1/oauth', token)).toBe('shop')
})

it('answers pages of other origins at the documented address only', async () => {
  const { send } = await openSecured('http')
  const origin: Header = ['Origin', 'http://page.example']
  const preflight: Header[] = [origin, ['Access-Control-Request-Method', 'POST']]
  const answers = await Promise.all(
    ['/v1/oauth/token', endpoint].map((target) => send({ method: 'OPTIONS', target, headers: preflight })),
  )
  expect(answers.map(({ status, headers }) => [status, headers['access-control-allow-origin']])).toEqual([
    [204, 'http://page.example'],
    [405, undefined],
  ])
})

it('leaves the path to an operation that has it', async () => {
  const document = JSON.parse(securedDocument)
  const post = {
    security: [],
    responses: { 200: { description: 'ok', content: { 'application/json': { example: 7 } } } },
  }
  const text = JSON.stringify({ ...document, paths: { ...document.paths, '/oauth/token': { post } } })
  const { send } = await openSecured('fetch', {}, text)
  const { status, body } = await send({ method: 'POST', target: '/v1/oauth/token', headers: [form], body: 'a=b' })
  expect([status, new TextDecoder().decode(body)]).toEqual([200, '7'])
})

it('is not there for the bundled document', async () => {
  const sandbox = createSandbox()
  const init = { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a' }) }
  expect((await sandbox.fetch(`http://127.0.0.1${endpoint}`, init)).status).toBe(404)
  expect(sandbox.tokenPath).toBeUndefined()
})
