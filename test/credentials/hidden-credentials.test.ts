/** Credentials that a request sends are in no output, whatever the scheme, and valid or not. */
import { join } from 'node:path'
import { type LogEntry, startServer } from 'petstore-sandbox/node'
import { beforeAll, describe, expect, it } from 'vitest'
import { observe } from '../support/observe.js'
import { writeFolder } from '../support/serving.js'

const secret = 's3cret/k+y=of a "customer"'
const plain = 's3cret-of-a-customer'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const jwt = `eyJhbGciOiJub25lIn0.${Buffer.from('{"client_id":"shop"}').toString('base64url')}.c2VjcmV0`
const encoded = encodeURIComponent(secret)

interface Sent {
  path: string
  headers?: Record<string, string>
  body?: string
  /** What no output may have. */
  hidden: readonly string[]
}

const form = (fields: Record<string, string>) => ({
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})
const json = (value: unknown) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) })

/** The forms of a secret that are looked for. */
const formsOf = (text: string) => [
  text,
  encodeURIComponent(text),
  base64(text).replace(/=+$/, ''),
  JSON.stringify(text).slice(1, -1),
]

const cases: Record<string, Sent> = {
  'a key in a header': { path: '/header', headers: { 'X-Key': secret }, hidden: formsOf(secret) },
  'a key in the query': { path: `/query?api+key=${encoded}`, hidden: formsOf(secret) },
  'a key in a cookie': { path: '/cookie', headers: { Cookie: `session=${plain}` }, hidden: formsOf(plain) },
  'a short key': { path: '/header', headers: { 'X-Key': 'q7' }, hidden: ['q7'] },
  'user and password': {
    path: '/basic',
    headers: { Authorization: `Basic ${base64(`ana:${secret}`)}` },
    hidden: [...formsOf(secret), base64(`ana:${secret}`)],
  },
  'Basic with a key as the user': {
    path: '/basic',
    headers: { Authorization: `Basic ${base64(`${plain}:`)}` },
    hidden: [...formsOf(plain), base64(`${plain}:`)],
  },
  'a short user and password': {
    path: '/basic',
    headers: { Authorization: `Basic ${base64('ana:q7')}` },
    hidden: ['q7', base64('ana:q7')],
  },
  'a short user': {
    path: '/basic',
    headers: { Authorization: `Basic ${base64('q7x:')}` },
    hidden: ['q7x', base64('q7x:')],
  },
  'Basic that is not Base64': { path: '/basic', headers: { Authorization: `Basic ${plain}` }, hidden: formsOf(plain) },
  'a token': { path: '/bearer', headers: { Authorization: `Bearer ${jwt}` }, hidden: [jwt] },
  'a token of OpenID Connect': { path: '/oidc', headers: { Authorization: `bearer ${plain}` }, hidden: formsOf(plain) },
  'a token of OAuth 2.0': { path: '/oauth', headers: { Authorization: `Bearer ${plain}` }, hidden: formsOf(plain) },
  'a token of an unknown scheme': {
    path: '/token',
    headers: { Authorization: `Token token="${plain}"` },
    hidden: formsOf(plain),
  },
  'two keys': {
    path: '/both',
    headers: { 'X-Key': plain, 'X-Second': 'another-s3cret' },
    hidden: [plain, 'another-s3cret'],
  },
  'a refused key': { path: '/header', headers: { 'X-Key': `no-such-key-${plain}` }, hidden: [plain] },
  'a refused token': { path: '/bearer', headers: { Authorization: `Bearer no-such-key-${plain}` }, hidden: [plain] },
  'credentials of a scheme that is not asked for': {
    path: '/header',
    headers: { Authorization: `Basic ${base64(`ana:${secret}`)}` },
    hidden: [...formsOf(secret), base64(`ana:${secret}`)],
  },
  'two Authorization headers': {
    path: '/bearer',
    headers: { Authorization: `Bearer ${plain}, Basic ${base64('ana:another-s3cret')}` },
    hidden: [plain, 'another-s3cret', base64('ana:another-s3cret')],
  },
  'a key that no scheme describes': { path: `/open?api_key=${encoded}`, hidden: formsOf(secret) },
  'a key in the path': { path: `/open/${encoded}`, headers: { 'X-Key': secret }, hidden: formsOf(secret) },
  'a key that is repeated in the query': {
    path: `/header?unknown=${encoded}&${plain}=1`,
    headers: { 'X-Key': secret, 'X-Second': plain },
    hidden: [...formsOf(secret), plain],
  },
  'a key that is repeated in a body': {
    ...json({ name: secret, size: plain }),
    path: '/notes',
    hidden: [plain, ...formsOf(secret)],
  },
  'a key in the name of a property with a dot': {
    ...json({ name: 'a', sizes: { [`${plain}.x`]: 'x' } }),
    path: `/notes?api_key=${plain}`,
    hidden: [plain],
  },
  'a password in a URL': {
    ...json({ name: `https://ana:${plain}@service.example/` }),
    path: '/notes',
    hidden: formsOf(plain),
  },
  'a client_secret of JSON': { ...json({ client_secret: secret, name: 'a' }), path: '/notes', hidden: formsOf(secret) },
  'a client_secret of JSON that is cut': {
    ...json({}),
    body: `{"client_secret": "${plain}`,
    path: '/notes',
    hidden: formsOf(plain),
  },
  'a password as JSON in a form': {
    ...form({ payload: JSON.stringify({ newPassword: 's3cret/"k"+y' }), name: 's3cret/"k"+y' }),
    path: '/notes',
    hidden: formsOf('s3cret/"k"+y'),
  },
  'a short password that a message quotes': {
    ...json({ name: 'a', password: 'hunter2', size: 'hunter2' }),
    path: '/notes',
    hidden: ['hunter2'],
  },
  'a password of a multipart form': {
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: `--b\r\nContent-Disposition: form-data; name="password"\r\nContent-Type: text/plain\r\n\r\n${plain}\r\n--b--`,
    path: `/notes?again=${plain}`,
    hidden: [plain],
  },
  'a password of XML': {
    headers: { 'Content-Type': 'application/xml' },
    body: `<user><password><![CDATA[${plain}]]></password></user>`,
    path: `/notes?again=${plain}`,
    hidden: [plain],
  },
  'a part of a token': {
    path: `/open/${jwt.split('.')[1]}`,
    headers: { Authorization: `Bearer ${jwt}` },
    hidden: jwt.split('.').slice(0, 2),
  },
  'a token in a header of a vendor': {
    path: `/open/${plain}`,
    headers: { 'X-Vendor-Token': plain },
    hidden: [plain],
  },
  'a key beside escapes that are no text': {
    path: `/open/%c0%80%ed%a0%80?k=${encoded}`,
    headers: { 'X-Key': secret },
    hidden: formsOf(secret),
  },
  'a property of the format password': { ...json({ name: 'a', pin: plain }), path: '/notes', hidden: [plain] },
  'a password that a JSON Patch adds': {
    ...json({ name: plain, size: [{ op: 'add', path: '/password', value: plain }] }),
    path: '/notes',
    hidden: [plain],
  },
  'a password as a named value': {
    ...json({ size: { name: 'password', value: plain } }),
    path: '/notes',
    hidden: [plain],
  },
  'passwords in an array': { ...json({ password: [plain], size: plain }), path: '/notes', hidden: [plain] },
  'a password in an object': { ...json({ password: { value: plain } }), path: '/notes', hidden: [plain] },
  'a password in an element of XML': {
    headers: { 'Content-Type': 'application/xml' },
    body: `<user><password><v>${plain}</v></password></user>`,
    path: '/notes',
    hidden: [plain],
  },
  'a password of YAML': {
    headers: { 'Content-Type': 'application/yaml' },
    body: 'name: a\npassword: hunterzebra\n',
    path: '/notes',
    hidden: ['hunterzebra'],
  },
  'a private key': {
    headers: { 'Content-Type': 'text/plain' },
    body: `-----BEGIN PRIVATE KEY-----\n${plain.replaceAll('-', '+')}\n-----END PRIVATE KEY-----`,
    path: '/notes',
    hidden: [plain.replaceAll('-', '+')],
  },
  'an authorization of JSON': {
    ...json({ authorization: `Bearer ${plain}`, size: plain }),
    path: '/notes',
    hidden: [plain],
  },
  'the confirmation of a password': { ...json({ password_confirmation: plain }), path: '/notes', hidden: [plain] },
  'the id of a session': { ...json({ sessionId: plain }), path: '/notes', hidden: [plain] },
  'an authorization of the query': { path: `/open?authorization=Bearer%20${plain}`, hidden: [plain] },
  'a signature of the query': { path: `/open?sig=${plain}`, hidden: [plain] },
  'a key of the query': { path: `/open?key=${plain}`, hidden: [plain] },
  'a documented key in brackets': { path: `/query?api+key[]=${plain}`, hidden: [plain] },
  'a documented key after a semicolon': { path: `/query?a=b;api%20key=${plain}`, hidden: [plain] },
  'a session in the path': { path: `/open;jsessionid=${plain}`, hidden: [plain] },
  'a key of functions': { path: '/open', headers: { 'X-Functions-Key': plain }, hidden: [plain] },
  'a token as a protocol of a socket': {
    path: '/open',
    headers: { 'Sec-WebSocket-Protocol': `bearer, ${plain}` },
    hidden: [plain],
  },
  'a client_secret at the token endpoint': {
    ...form({ grant_type: secret, client_id: 'shop', client_secret: secret }),
    path: `/oauth/token?client_secret=${encoded}`,
    hidden: formsOf(secret),
  },
  'a client by Basic at the token endpoint': {
    ...form({ grant_type: `${plain}-x` }),
    path: `/oauth/token?${plain}`,
    hidden: formsOf(plain),
  },
}
const repeated = cases['a key that is repeated in a body'] as Sent
repeated.headers = { ...repeated.headers, 'X-Key': secret, 'X-Second': plain }
const atToken = cases['a client by Basic at the token endpoint'] as Sent
atToken.headers = { ...atToken.headers, Authorization: `Basic ${base64(`shop:${plain}`)}` }

const required: Record<string, readonly object[]> = {
  '/header': [{ header: [] }],
  '/query': [{ query: [] }],
  '/cookie': [{ cookie: [] }],
  '/basic': [{ basic: [] }],
  '/bearer': [{ bearer: [] }],
  '/token': [{ token: [] }],
  '/oidc': [{ oidc: [] }],
  '/oauth': [{ oauth: [] }],
  '/both': [{ header: [], second: [] }],
  '/open': [],
}
const object = { content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } } }
const note = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    size: { type: 'integer' },
    sizes: { type: 'object', additionalProperties: { type: 'integer' } },
    pin: { type: 'string', format: 'password', minLength: 30 },
  },
}
const noteBody = { content: { 'application/json': { schema: note } } }
const bodyTypes = ['application/json', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data']
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Secured', version: '1' },
  servers: [{ url: 'https://api.service.example/v1' }],
  paths: {
    ...Object.fromEntries(
      Object.entries(required).map(([path, security]) => [
        path,
        {
          get: {
            security,
            responses: { 200: { description: 'ok', ...object }, 401: { description: 'No', ...object } },
          },
        },
      ]),
    ),
    '/notes': {
      post: {
        requestBody: { required: true, content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: note }])) },
        responses: { 201: { description: 'ok', ...noteBody }, 400: { description: 'No', ...object } },
      },
    },
  },
  components: {
    securitySchemes: {
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      second: { type: 'apiKey', in: 'header', name: 'X-Second' },
      query: { type: 'apiKey', in: 'query', name: 'api key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      basic: { type: 'http', scheme: 'basic' },
      bearer: { type: 'http', scheme: 'bearer' },
      token: { type: 'http', scheme: 'Token' },
      oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://api.service.example/oidc' },
      oauth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://api.service.example/v1/oauth/token', scopes: {} } },
      },
    },
  },
})

let spec = ''

beforeAll(async () => {
  spec = join(await writeFolder({ 'openapi.json': document }), 'openapi.json')
})

/** All outputs of a sandbox that got a request, by name. */
async function outputsOf({ path, headers = {}, body }: Sent): Promise<Record<string, string>> {
  const entries: LogEntry[] = []
  const server = await startServer({ port: 0, spec, onExchange: (entry) => void entries.push(entry) })
  try {
    const init = { headers, ...(body !== undefined && { method: 'POST', body }) }
    await (await fetch(`${server.url}/v1${path}`, init)).text()
    const log = JSON.stringify(entries)
    const read = async (about: string) => (await fetch(`${server.url}/_sandbox/${about}`)).text()
    const stream = await fetch(`${server.url}/_sandbox/exchanges/stream?after=0`)
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let events = ''
    // The token endpoint has no exchanges.
    const isKept = !path.startsWith('/oauth/token')
    while (isKept && !events.includes('id: 1\n')) events += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    return {
      log,
      exchanges: await read('exchanges'),
      HAR: await read('exchanges.har'),
      stream: events,
    }
  } finally {
    await server.close()
  }
}

describe.each(Object.entries(cases))('%s', (_, sent) => {
  let outputs: Record<string, string>

  beforeAll(async () => {
    outputs = await outputsOf(sent)
  })

  it.each(['log', 'exchanges', 'HAR', 'stream'])('is not in the output: %s', (name) => {
    const shown = outputs[name] ?? ''
    const inside = sent.hidden.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)])
    expect(
      inside.filter((form) => shown.includes(form)),
      shown,
    ).toEqual([])
  })
})

describe('the report of run', () => {
  let report: string

  beforeAll(async () => {
    const sent = Object.values(cases).map(({ path, headers = {}, body }) => ({
      path,
      headers: { Authorization: null, ...headers },
      ...(body !== undefined && { method: 'POST', body }),
    }))
    const { stderr, ...others } = await observe(sent, ['--spec', spec, '--fail-on', 'never'])
    report = stderr + JSON.stringify(others)
  })

  it.each(Object.entries(cases))('does not have %s', (_, { hidden }) => {
    expect(
      hidden.filter((form) => report.includes(form)),
      report,
    ).toEqual([])
  })
})

describe('a body of 100,000 characters that is made to be slow', () => {
  const pieces = ['eyJ-', 'token>', 'token="', 'token=a&', '://a', 'a-', 'password\\', 'x', '\\u0041']

  it.each(pieces)('is shown in time: %j', async (piece) => {
    const body = JSON.stringify({ name: piece.repeat(100_000 / piece.length) })
    const headers = { 'Content-Type': 'application/json', 'X-Key': plain }
    const outputs = await outputsOf({ path: '/notes', headers, body, hidden: [] })
    expect(outputs['exchanges']).toContain('"status":201')
  })
})

it('lets other requests come between the descriptions of exchanges that take long', async () => {
  const server = await startServer({ port: 0, spec })
  try {
    const headers = { 'Content-Type': 'application/json' }
    const body = `{"name":"${'%252541'.repeat(140_000)}","token":"${plain}"}`
    for (let count = 0; count < 5; count++) await fetch(`${server.url}/v1/notes`, { method: 'POST', headers, body })
    let isListed = false
    let isAnswered = false
    const list = fetch(`${server.url}/_sandbox/exchanges`).then(async (response) => {
      isListed = true
      return response.text()
    })
    await fetch(`${server.url}/_sandbox/health`)
    isAnswered = !isListed
    expect(await list).not.toContain(plain)
    expect(isAnswered).toBe(true)
  } finally {
    await server.close()
  }
})

it('hides a text as a whole that would take too long to search', async () => {
  const body = JSON.stringify({ name: `${'%252541'.repeat(140_000)} %70assword%3D${plain}` })
  const { exchanges = '' } = await outputsOf({ ...json({}), path: '/notes', body, hidden: [] })
  expect(JSON.parse(exchanges)[0].request.body).toBe('[hidden]')
})

it.each(['authorization', 'documented', 'A password is required'])('shows ordinary words: %j', async (words) => {
  const { exchanges } = await outputsOf({ ...json({ name: words, size: 'password' }), path: '/notes', hidden: [] })
  expect(exchanges).toContain(words)
})

describe.each(['id', 'true', '1', 'name'])('a key that is the word %j', (key) => {
  let shown: string

  beforeAll(async () => {
    const sent = { ...json({ id: true, name: `the ${key}` }), path: `/notes?id=7`, hidden: [] }
    const { exchanges = '' } = await outputsOf({ ...sent, headers: { ...sent.headers, 'X-Key': key } })
    shown = JSON.stringify(JSON.parse(exchanges)[0].request)
  })

  it('is hidden where it is sent', () => {
    expect(shown).toContain('{"name":"X-Key","value":"[hidden]"}')
  })

  it('leaves names and other values', () => {
    expect(shown).toContain('id=7')
    expect(shown).toContain(String.raw`{\"id\":true,\"name\":\"the `)
  })
})

it('shows the keys that the sandbox makes itself', async () => {
  const headers = { 'X-Key': 'sandbox-ana', Authorization: `Basic ${base64('sandbox-ana:')}` }
  const { exchanges } = await outputsOf({ path: '/header', headers, hidden: [] })
  expect(exchanges).toContain(`Basic ${base64('sandbox-ana:')}`)
})

it('hides a token that a callback URL has', async () => {
  const url = { type: 'string' }
  const schema = { type: 'object', properties: { url } }
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    paths: {
      '/orders': {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 201: { description: 'ok', content: { 'application/json': { schema } } } },
          callbacks: { done: { '{$request.body#/url}': { post: { responses: { 200: { description: 'ok' } } } } } },
        },
      },
    },
  })
  const entries: LogEntry[] = []
  const folder = await writeFolder({ 'openapi.json': text })
  const server = await startServer({
    port: 0,
    spec: join(folder, 'openapi.json'),
    onExchange: (entry) => void entries.push(entry),
  })
  try {
    const body = JSON.stringify({ url: `http://elsewhere.example/done?access_token=${plain}` })
    await fetch(`${server.url}/orders`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    await server.sandbox.exchanges.wait({ sent: true })
    const shown = await (await fetch(`${server.url}/_sandbox/exchanges`)).text()
    expect(entries.map(({ target }) => target)).toContain('http://elsewhere.example/done?access_token=[hidden]')
    expect(shown).toContain('/done?access_token=[hidden]')
    expect(shown).not.toContain(plain)
  } finally {
    await server.close()
  }
})
