/** Credentials of documents other than the bundled one: which are valid, and which world they open. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import type { Header } from '../support/raw-request.js'
import { doors, openSecured, securedDocument } from '../support/secured-document.js'

const authorization = (value: string): Header => ['Authorization', value]
const basic = (userAndPassword: string) => authorization(`Basic ${Buffer.from(userAndPassword).toString('base64')}`)
const jwt = (claims: object) => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'none' })}.${encode(claims)}.c2ln`
}
const digest = (nonce: string) =>
  authorization(`Digest realm="a, Bearer b", username="ana", nonce="${nonce}", uri="/v1/digest", response="0a1b"`)
const aws = (signature: string) =>
  authorization(
    `AWS4-HMAC-SHA256 Credential=AKIA1/20261122/eu/s3/aws4_request, SignedHeaders=host, Signature=${signature}`,
  )

interface Accepted {
  what: string
  path: string
  query?: string
  headers?: readonly Header[]
  world: string
}

const accepted: readonly Accepted[] = [
  { what: 'any bearer token', path: '/bearer', headers: [authorization('Bearer whatever')], world: 'whatever' },
  { what: 'the default key', path: '/bearer', headers: [authorization('bearer sandbox')], world: 'sandbox' },
  { what: 'a token of OAuth', path: '/oauth', headers: [authorization('Bearer t/0.k~1=')], world: 't/0.k~1=' },
  { what: 'a token of OpenID Connect', path: '/oidc', headers: [authorization('Bearer abc')], world: 'abc' },
  {
    what: 'the client of a JSON Web Token',
    path: '/bearer',
    headers: [authorization(`Bearer ${jwt({ client_id: 'shop', sub: 'ana', iat: 1 })}`)],
    world: 'shop',
  },
  {
    what: 'the subject of a JSON Web Token without a client',
    path: '/oidc',
    headers: [authorization(`Bearer ${jwt({ sub: 'ana', exp: 2 })}`)],
    world: 'ana',
  },
  { what: 'a broken JSON Web Token', path: '/bearer', headers: [authorization('Bearer eyJ.e.x')], world: 'eyJ.e.x' },
  { what: 'a user', path: '/basic', headers: [basic('ana:secret')], world: 'ana' },
  { what: 'the same user with another password', path: '/basic', headers: [basic('ana:x:y')], world: 'ana' },
  { what: 'a user in UTF-8', path: '/basic', headers: [basic('Žofie:é')], world: 'Žofie' },
  { what: 'a user without a password', path: '/basic', headers: [basic('ana:')], world: 'ana' },
  { what: 'a password without a user', path: '/basic', headers: [basic(':secret')], world: 'secret' },
  { what: 'the user of Digest', path: '/digest', headers: [digest('1')], world: 'ana' },
  { what: 'the user of Digest with another nonce', path: '/digest', headers: [digest('2')], world: 'ana' },
  ...[
    ['username="anna smith", nonce="1"', 'anna smith'],
    ['Username = anna , nonce=1', 'anna'],
    ['nonce="a, username=eve", username="anna, \\"x\\" smith"', 'anna, "x" smith'],
    ['realm="username=\\"eve\\"",username="a/b"', 'a/b'],
    ['xusername="eve", id="anna"', 'anna'],
    ['nonce="id=eve"', 'nonce="id=eve"'],
    ['username="anna" x', 'username="anna" x'],
    ['username="anna", username="eve"', 'username="anna", username="eve"'],
    ['username="anna', 'username="anna'],
    ['zone1,id=5', 'zone1,id=5'],
    ['id==', 'id=='],
    ['realm="a\\", Bearer b", id=c', 'c'],
  ].map(([credentials, world = '']) => ({
    what: `the parameters ${credentials}`,
    path: '/digest',
    headers: [authorization(`Digest ${credentials}`)],
    world,
  })),
  ...['zone1,id=5', 'username="eve"', 'a, credential=AKIA1/x'].flatMap((key) => [
    { what: `all of ${key}`, path: '/header', headers: [['X-Key', key] as const], world: key },
    { what: `all of ${key}`, path: '/query', query: `?api+key=${encodeURIComponent(key)}`, world: key },
    { what: `all of ${key}`, path: '/plain', headers: [authorization(key)], world: key },
  ]),
  { what: 'all of a token', path: '/bearer', headers: [authorization('Bearer a,id=5')], world: 'a,id=5' },
  {
    what: 'a token with a byte after it',
    path: '/bearer',
    headers: [authorization('Bearer abc\xa0')],
    world: 'abc\xa0',
  },
  { what: 'a user after a byte order mark', path: '/basic', headers: [basic('\ufeffana:x')], world: '\ufeffana' },
  { what: 'another scheme of HTTP', path: '/token', headers: [authorization('token abc')], world: 'abc' },
  { what: 'a key in a header', path: '/header', headers: [['x-key', 'my key']], world: 'my key' },
  { what: 'a key in the query', path: '/query', query: '?api+key=a%20b', world: 'a b' },
  {
    what: 'a key that a header has as bytes of UTF-8',
    path: '/header',
    headers: [['X-Key', 'Ã\u0080']],
    world: 'Ã\u0080',
  },
  { what: 'a key in a cookie', path: '/cookie', headers: [['Cookie', 'a=1; session=abc; b=2']], world: 'abc' },
  { what: 'a key in Authorization', path: '/plain', headers: [authorization('my-key')], world: 'my-key' },
  { what: 'the same key after Bearer', path: '/plain', headers: [authorization('Bearer my-key')], world: 'my-key' },
  { what: 'the same key after Basic', path: '/plain', headers: [authorization('basic my-key')], world: 'my-key' },
  { what: 'a signed request', path: '/plain', headers: [aws('1')], world: 'AKIA1' },
  { what: 'the next signed request', path: '/plain', headers: [aws('2')], world: 'AKIA1' },
  { what: 'no client certificate', path: '/certificate', world: 'sandbox' },
  { what: 'a key without the client certificate', path: '/certificate-and-key', headers: [['X-Key', 'k']], world: 'k' },
  { what: 'nothing for an unknown type', path: '/strange', world: 'sandbox' },
  { what: 'nothing for an undefined scheme', path: '/undefined', world: 'sandbox' },
  { what: 'the first alternative', path: '/either', headers: [['X-Key', 'a'], authorization('Bearer b')], world: 'a' },
  { what: 'the second alternative', path: '/either', headers: [['X-Key', ''], authorization('Bearer b')], world: 'b' },
  {
    what: 'the first of two required',
    path: '/both',
    headers: [
      ['X-Second', 'b'],
      ['X-Key', 'a'],
    ],
    world: 'a',
  },
  { what: 'one header for two schemes', path: '/one-place', headers: [authorization('Bearer a')], world: 'a' },
  { what: 'nothing where nothing is required', path: '/open', world: 'sandbox' },
  { what: 'credentials that are not required', path: '/open', headers: [basic('ana:x')], world: 'ana' },
  { what: 'optional credentials', path: '/optional', headers: [['X-Second', 'b']], world: 'b' },
  { what: 'the name of a world', path: '/open', headers: [['Sandbox-World', 'team one']], world: 'team one' },
  {
    what: 'credentials before the name of a world',
    path: '/optional',
    headers: [
      ['Sandbox-World', 'a'],
      ['X-Key', 'b'],
    ],
    world: 'b',
  },
  {
    what: 'the first credentials of the document',
    path: '/open',
    query: '?api+key=c',
    headers: [
      ['Cookie', 'session=d'],
      ['X-Key', 'a'],
    ],
    world: 'a',
  },
  {
    what: 'the name of a world instead of unknown credentials',
    path: '/open',
    headers: [
      ['X-Key', 'no-such-key-1'],
      ['Sandbox-World', 'a'],
    ],
    world: 'a',
  },
  { what: 'an empty key where none is required', path: '/open', headers: [['X-Key', '']], world: 'sandbox' },
  { what: 'nobody with unknown credentials', path: '/open', headers: [['X-Key', 'no-such-key-1']], world: '' },
  {
    what: 'nobody with an unknown token',
    path: '/optional',
    headers: [authorization('Bearer no-such-key-1')],
    world: '',
  },
  {
    what: 'no name of a world where a key is required',
    path: '/header',
    headers: [
      ['X-Key', 'a'],
      ['Sandbox-World', 'b'],
    ],
    world: 'a',
  },
]

interface Refused {
  what: string
  path: string
  query?: string
  headers?: readonly Header[]
  challenge: string
  says: string
}

const bearer = 'Bearer realm="Secured"'
const invalidToken = `${bearer}, error="invalid_token"`
const apiKey = 'ApiKey realm="Secured"'
const sendBearer = 'send the header "Authorization: Bearer sandbox"'
const sendKey = 'send the header "X-Key: sandbox"'
const missing = 'An API key is required: '
const invalid = 'This API key is not valid here: '

const refused: readonly Refused[] = [
  { what: 'no token', path: '/oauth', challenge: bearer, says: missing + sendBearer },
  {
    what: 'another scheme',
    path: '/bearer',
    headers: [authorization('Token abc')],
    challenge: bearer,
    says: `The Authorization header must begin with "Bearer": ${sendBearer}`,
  },
  {
    what: 'an unknown token',
    path: '/oidc',
    headers: [authorization('Bearer no-such-key-1')],
    challenge: invalidToken,
    says: invalid + sendBearer,
  },
  {
    what: 'an empty token',
    path: '/bearer',
    headers: [authorization('Bearer ')],
    challenge: invalidToken,
    says: invalid + sendBearer,
  },
  {
    what: 'two Authorization headers',
    path: '/bearer',
    headers: [authorization('Bearer a'), authorization('Bearer b')],
    challenge: invalidToken,
    says: `A request must have only one Authorization header: ${sendBearer}`,
  },
  {
    what: 'an empty user and password',
    path: '/basic',
    headers: [basic(':')],
    challenge: 'Basic realm="Secured"',
    says: `${invalid}send the header "Authorization: Basic c2FuZGJveDo="`,
  },
  {
    what: 'no Digest',
    path: '/digest',
    challenge: 'Digest realm="Secured"',
    says: `${missing}send the header "Authorization: Digest sandbox"`,
  },
  { what: 'no key', path: '/header', challenge: apiKey, says: missing + sendKey },
  { what: 'an empty key', path: '/header', headers: [['X-Key', '']], challenge: apiKey, says: invalid + sendKey },
  {
    what: 'no key in the query',
    path: '/query',
    challenge: apiKey,
    says: `${missing}send the query parameter "api key" with the value sandbox`,
  },
  {
    what: 'no cookie',
    path: '/cookie',
    headers: [['Cookie', 'other=1']],
    challenge: apiKey,
    says: `${missing}send the cookie parameter "session" with the value sandbox`,
  },
  {
    what: 'one of two required keys',
    path: '/both',
    headers: [['X-Key', 'a']],
    challenge: apiKey,
    says: `${missing}${sendKey} and the header "X-Second: sandbox"`,
  },
  {
    what: 'an invalid second alternative',
    path: '/either',
    headers: [authorization('Bearer no-such-key')],
    challenge: invalidToken,
    says: invalid + sendBearer,
  },
  ...[
    { what: 'a user without a colon', path: '/basic', headers: [basic('ana')] },
    { what: 'Basic without Base64', path: '/basic', headers: [authorization('Basic {me}')] },
    { what: 'Basic of two words', path: '/basic', headers: [authorization('Basic YW5h Ong=')] },
    { what: 'a user with a control character', path: '/basic', headers: [basic('a\0na:x')] },
    { what: 'a password with a control character', path: '/basic', headers: [basic('ana:\x7f')] },
    { what: 'a password that ends with a line', path: '/basic', headers: [basic('ana:x\r\n')] },
  ].map((each) => ({
    ...each,
    challenge: 'Basic realm="Secured"',
    says: `${invalid}send the header "Authorization: Basic c2FuZGJveDo="`,
  })),
  ...[
    { what: 'a token of two words', path: '/bearer', headers: [authorization('Bearer ana x')] },
    { what: 'a token with a tab', path: '/oidc', headers: [authorization('Bearer a\tb')] },
    ...[
      { sub: '\0shared' },
      { client_id: 'a\x1f' },
      { azp: '\nb' },
      { client_id: 'shop', sub: 'a\x7fb' },
      { sub: '\ud800' },
    ].map((claims) => ({
      what: `a JSON Web Token with ${JSON.stringify(claims)}`,
      path: '/bearer',
      headers: [authorization(`Bearer ${jwt(claims)}`)],
    })),
  ].map((each) => ({ ...each, challenge: invalidToken, says: invalid + sendBearer })),
  ...['%00abc', 'abc%0A', '%1F', 'a%7Fb', '%09', '%ff', 'a%EF%BF%BD', '%ED%A0%80'].map((key) => ({
    what: `the forbidden character of ${key}`,
    path: '/query',
    query: `?api+key=${key}`,
    challenge: apiKey,
    says: `${invalid}send the query parameter "api key" with the value sandbox`,
  })),
  { what: 'a tab in a key', path: '/header', headers: [['X-Key', 'a\tb']], challenge: apiKey, says: invalid + sendKey },
  {
    what: 'a tab in the credentials of another scheme',
    path: '/digest',
    headers: [authorization('Digest username="a\tb"')],
    challenge: 'Digest realm="Secured"',
    says: `${invalid}send the header "Authorization: Digest sandbox"`,
  },
  {
    what: 'a tab in a cookie',
    path: '/cookie',
    headers: [['Cookie', 'session=a\tb']],
    challenge: apiKey,
    says: `${invalid}send the cookie parameter "session" with the value sandbox`,
  },
  ...['/open', '/optional'].flatMap((path) => [
    {
      what: 'a token with a tab',
      path,
      headers: [authorization('Bearer a\tb'), ['Sandbox-World', 'a'] as const],
      challenge: invalidToken,
      says: invalid + sendBearer,
    },
    {
      what: 'two headers',
      path,
      headers: [authorization('Bearer a'), authorization('Bearer b')],
      challenge: invalidToken,
      says: `A request must have only one Authorization header: ${sendBearer}`,
    },
  ]),
  { what: 'no key besides the certificate', path: '/certificate-and-key', challenge: apiKey, says: missing + sendKey },
]

describe.each(doors)('through %s', (door) => {
  it.each(accepted)('$path accepts $what', async ({ path, query = '', headers = [], world }) => {
    const { sandbox, send } = await openSecured(door)
    const { status } = await send({ method: 'GET', target: `/v1${path}${query}`, headers })
    expect([status, sandbox.journal.list().at(-1)?.key]).toEqual([200, world])
  })

  it.each(refused)('$path refuses $what', async ({ path, query = '', headers = [], challenge, says }) => {
    const { send } = await openSecured(door)
    const response = await send({ method: 'GET', target: `/v1${path}${query}`, headers })
    expect(response.status).toBe(401)
    expect(response.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'www-authenticate': challenge,
    })
    expect(JSON.parse(new TextDecoder().decode(response.body)).detail).toBe(says)
  })

  const listed: readonly (Omit<Accepted, 'world' | 'what'> & { world: string | undefined })[] = [
    { path: '/bearer', headers: [authorization('Bearer two')], world: 'two' },
    { path: '/bearer', headers: [authorization('Bearer sandbox')], world: undefined },
    { path: '/basic', headers: [basic('one:')], world: 'one' },
    { path: '/basic', headers: [basic('ana:two')], world: 'ana' },
    { path: '/basic', headers: [basic('ana:three')], world: undefined },
    { path: '/plain', headers: [authorization('Bearer one')], world: 'one' },
    { path: '/query', query: '?api+key=three', world: undefined },
    { path: '/open', headers: [['X-Key', 'three']], world: '' },
    { path: '/optional', headers: [['X-Key', 'three']], world: '' },
    { path: '/open', headers: [basic('ana:three')], world: '' },
    { path: '/open', headers: [['X-Key', 'a\tb']], world: undefined },
    {
      path: '/open',
      headers: [
        ['X-Key', 'three'],
        ['Sandbox-World', 'two'],
      ],
      world: 'two',
    },
    { path: '/open', headers: [['Sandbox-World', 'three']], world: 'three' },
    { path: '/basic', headers: [basic('no-such-key:two')], world: undefined },
  ]

  it.each(listed)(
    '$path with listed keys: $headers $query opens $world',
    async ({ path, query = '', headers = [], world }) => {
      const { sandbox, send } = await openSecured(door, { apiKeys: ['one', 'two'] })
      const { status } = await send({ method: 'GET', target: `/v1${path}${query}`, headers })
      expect([status, sandbox.journal.list().at(-1)?.key]).toEqual([world === undefined ? 401 : 200, world])
    },
  )
})

describe.each(doors)('with listed keys, through %s', (door) => {
  const notes = { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } }
  const content = (schema: object) => ({ content: { 'application/json': { schema } } })
  const document = JSON.parse(securedDocument)
  const text = JSON.stringify({
    ...document,
    paths: {
      '/notes': {
        get: { responses: { 200: { description: 'ok', ...content(notes) } } },
        post: {
          requestBody: { required: true, ...content(notes.items) },
          responses: { 201: { description: 'ok', ...content(notes.items) } },
        },
      },
      '/open': {
        get: { security: [], responses: { 200: { description: 'ok', ...content(notes) } }, operationId: 'open' },
      },
    },
    security: [{ basic: [] }, { bearer: [] }, { query: [] }],
  })
  const tokenOf = (client: string, key: string) => (send: Send) =>
    send(
      'POST',
      '/oauth/token',
      [['Content-Type', 'application/x-www-form-urlencoded'], basic(`${client}:${key}`)],
      'grant_type=client_credentials',
    ).then(({ access_token: token }) => [authorization(`Bearer ${token}`)])
  type Send = (
    method: string,
    path: string,
    headers: readonly Header[],
    body?: string,
  ) => Promise<Record<string, unknown>>
  const sent =
    (...headers: Header[]) =>
    async () =>
      headers

  const ways: [what: string, headersOf: (send: Send) => Promise<readonly Header[]>, names: (string | undefined)[]][] = [
    ['a key', sent(authorization('Bearer k1')), ['k1', undefined]],
    ['another key', sent(authorization('Bearer k2')), ['k2', undefined]],
    ['a user with a key', sent(basic('otto:k1')), ['otto', 'k1']],
    ['the user with another key', sent(basic('otto:k2')), ['otto', 'k2']],
    ['another user', sent(basic('anna:k1')), ['anna', 'k1']],
    ['a user with the name of a key', sent(basic('k1:k2')), ['k1', 'k2']],
    ['a token for a client', tokenOf('shop', 'k1'), ['shop', 'k1']],
    ['a token for the client by another key', tokenOf('shop', 'k2'), ['shop', 'k2']],
  ]

  it('keeps what each user has stored with each key apart', async () => {
    const connection = await openSecured(door, { apiKeys: ['k1', 'k2'] }, text)
    const send: Send = async (method, path, headers, body) => {
      const answer = await connection.send({
        method,
        target: `/v1${path}`,
        headers,
        ...(body !== undefined && { body }),
      })
      return JSON.parse(new TextDecoder().decode(answer.body))
    }
    const names = () => {
      const { key, apiKey } = connection.sandbox.journal.list().at(-1) ?? {}
      return [key, apiKey]
    }
    for (const [what, headersOf, known] of ways) {
      const headers = await headersOf(send)
      expect(await send('GET', '/notes', headers)).toEqual([])
      expect(names()).toEqual(known)
      await send('POST', '/notes', [...headers, ['Content-Type', 'application/json']], JSON.stringify({ title: what }))
    }
    for (const [what, headersOf] of ways)
      expect(await send('GET', '/notes', await headersOf(send))).toEqual([{ title: what }])
    // The same worlds by other ways.
    for (const [headers, what] of [
      [basic('k1:'), 'a key'],
      [basic('k1:x'), 'a key'],
      [basic(':k2'), 'another key'],
      [basic('k2:k2'), 'another key'],
      [basic('shop:k2'), 'a token for the client by another key'],
    ] as const)
      expect(await send('GET', '/notes', [headers])).toEqual([{ title: what }])
    for (const [key, apiKey] of [['otto'], ['otto', 'k2'], ['k2'], ['k1', 'k2']] as const)
      expect(await connection.sandbox.world(key, apiKey).collection('notes').size()).toBe(1)
    expect(await connection.sandbox.world('otto', 'k2').collection('notes').list()).toEqual([
      expect.objectContaining({ title: 'the user with another key' }),
    ])
    // Who only names a user opens another world.
    await send('GET', '/open', [['Sandbox-World', 'otto']])
    expect(names()).toEqual(['otto', ''])
    expect(() => connection.sandbox.world('otto', 'k3')).toThrow('Invalid key "otto"; use "k1"')
  })
})

describe.each(doors)('a listed key that looks like something else, through %s', (door) => {
  const text = jwt({ sub: 'ana' })
  it.each([text, 'zone1,id=5', 'username="eve"', 'a:b', 'sbx_YWJjLmFuYQ'])('%s names one world', async (key) => {
    const { sandbox, send } = await openSecured(door, { apiKeys: ['k1', key, 'b', 'ana'] })
    const cookie = ['Cookie', `session=${key}`] as const
    for (const [path, headers] of [
      ['/bearer', [authorization(`Bearer ${key}`)]],
      ['/token', [authorization(`Token ${key}`)]],
      ['/plain', [authorization(`Bearer ${key}`)]],
      ['/plain', [authorization(key)]],
      ['/basic', [basic(key.includes(':') ? key : `${key}:`)]],
      ['/header', [['X-Key', key]]],
      ['/cookie', [cookie]],
      ['/open', [['Sandbox-World', key]]],
    ] as const) {
      const { status } = await send({ method: 'GET', target: `/v1${path}`, headers })
      const { key: user, apiKey } = sandbox.journal.list().at(-1) ?? {}
      expect([path, status, user, apiKey]).toEqual([path, 200, key, undefined])
    }
    expect(sandbox.world(key).key).toBe(key)
  })
})

it.each(doors)('a name in Sandbox-World that no user may have gets 400, through %s', async (door) => {
  for (const apiKeys of [undefined, ['one', 'two']]) {
    const { sandbox, send } = await openSecured(door, { ...(apiKeys && { apiKeys }) })
    for (const name of ['no-such-key-1', 'a\tb', 'a\ufffd'].filter(
      (each) => door !== 'http' || !each.includes('\ufffd'),
    )) {
      const headers: Header[] = [['Sandbox-World', name]]
      const answer = await send({ method: 'GET', target: '/v1/open', headers }).catch(() => ({ status: 400 }))
      expect([name, answer.status]).toEqual([name, 400])
      if (!name.includes('\ufffd')) expect(sandbox.journal.list().at(-1)?.key).toBeUndefined()
      expect(() => sandbox.world(name)).toThrow('Invalid key')
      await expect(sandbox.world('one').fork(name)).rejects.toThrow('Invalid key')
    }
  }
})

it.each([
  { what: 'that requires it', target: '/v1/query?api+key=ana', notes: [] },
  { what: 'that requires another one', target: '/v1/header?api+key=ana', notes: [] },
  {
    what: 'that requires none',
    target: '/v1/open?api+key=ana&colour=red',
    notes: ['unknown query parameter "colour"'],
  },
  { what: 'whose key is in a header', target: '/v1/header?X-Key=ana', notes: ['unknown query parameter "X-Key"'] },
])('knows the query parameter of a key, at an operation $what: $target', async ({ target, notes }) => {
  const { sandbox, send } = await openSecured('handle')
  await send({ method: 'GET', target, headers: [['X-Key', 'ana']] })
  expect(sandbox.journal.list()[0]?.notes).toEqual(notes)
})

it('allows every header of the schemes and Sandbox-World in a preflight', async () => {
  const { send } = await openSecured('http')
  const requested = 'authorization, sandbox-world, x-key'
  const { status, headers } = await send({
    method: 'OPTIONS',
    target: '/v1/header',
    headers: [
      ['Origin', 'http://page.example'],
      ['Access-Control-Request-Method', 'GET'],
      ['Access-Control-Request-Headers', requested],
    ],
  })
  expect([status, headers['access-control-allow-headers']]).toEqual([204, requested])
})

it('notes what requests need not have', async () => {
  const { notes } = await compileDocument(securedDocument)
  expect(notes().map(({ message, instead }) => `${message}: ${instead}`)).toEqual([
    'The security scheme "nobody" is not defined in components.securitySchemes: it is not required',
    'Client certificates are not checked: requests without one are accepted',
    '"strange" is not a type of security scheme: it is not required',
  ])
})

it.each([
  [
    { type: 'apiKey', in: 'body', name: 'X' },
    { kind: 'apiKey', in: 'header', name: 'X' },
  ],
  [
    { type: 'ApiKey', in: 'Query', name: 'x' },
    { kind: 'apiKey', in: 'query', name: 'x' },
  ],
  [{ type: 'apiKey', in: 'header' }, undefined],
  [{ type: 'http' }, { kind: 'bearer' }],
  [
    { type: 'http', scheme: 'HOBA' },
    { kind: 'http', scheme: 'HOBA' },
  ],
  [{ type: 'basic' }, { kind: 'basic' }],
  [{}, undefined],
])('reads the security scheme %j as %j', async (scheme, kind) => {
  const document = JSON.parse(securedDocument)
  const text = JSON.stringify({
    ...document,
    components: { securitySchemes: { ...document.components.securitySchemes, header: scheme } },
  })
  const { contract } = await compileDocument(text)
  expect(contract.schemes['header']).toEqual(kind)
  const open = contract.operations.find(({ path }) => path === '/header')
  expect(open?.security).toEqual(kind ? [['header']] : [])
})

it('gives a world to each client name', async () => {
  const { contract } = await compileDocument(securedDocument)
  const sandbox = createSandbox({ contract })
  expect(sandbox.keyRule).toBe('any')
  expect(sandbox.world('Žofie').key).toBe('Žofie')
  expect(() => sandbox.world('')).toThrow('Invalid key ""')
  for (const key of [5, null, {}, ['a'], true]) expect(() => sandbox.world(key as never)).toThrow('Invalid key')
  expect(sandbox.world(jwt({ client_id: 'shop', sub: 'ana' })).key).toBe('shop')
  expect(createSandbox({ contract, apiKeys: ['a'] }).keyRule).toBe('listed')
  expect(createSandbox().keyRule).toBe('named')
})

it('requires only the first of two schemes for one header', async () => {
  const document = JSON.parse(securedDocument)
  document.paths['/both'].get.security = [{ basic: [], header: [], bearer: [] }]
  const { contract, notes } = await compileDocument(JSON.stringify(document))
  expect(contract.operations.find(({ path }) => path === '/both')?.security).toEqual([['basic', 'header']])
  expect(notes().map(({ message, instead }) => `${message}: ${instead}`)).toContain(
    '"bearer" and "basic" require different credentials in one place (header authorization): "bearer" is not required',
  )
})
