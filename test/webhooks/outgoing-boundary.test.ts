// Whatever the texts and statuses of a document are, each answer is valid HTTP and the next request is answered.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../support/read-json.js'
import { type Answer, documentOf, type Served, serve } from '../support/serve-objects.js'

const object = { type: 'object', properties: { id: { type: 'integer' } } }
const json = { 'application/json': { schema: object } }

/** What a header can carry (RFC 9110, section 5.5). */
function expectSendable({ headers }: Answer): void {
  for (const [name, value] of Object.entries(headers)) expect(value, name).toMatch(/^[\x20-\x7e\t]*$/)
}

async function sendBoth(served: Served, target: string): Promise<Answer> {
  const answer = await served.send('GET', target)
  expectSendable(answer)
  const head = await served.send('HEAD', target)
  expect([head.status, head.text, head.headers['content-type']]).toEqual([
    answer.status,
    '',
    answer.headers['content-type'],
  ])
  return answer
}

describe('a link to a successor', () => {
  const successors = [
    ['/старый', '/%D1%81%D1%82%D0%B0%D1%80%D1%8B%D0%B9'],
    ['/a b', '/a%20b'],
    ['/a"b', '/a%22b'],
    ['/a<b', '/a%3Cb'],
    ['/a>b; rel="next', '/a%3Eb;%20rel=%22next'],
    ['/a\r\nSet-Cookie: b=c', '/a%0D%0ASet-Cookie:%20b=c'],
    ['/a\0b\x7f', '/a%00b%7F'],
    ['/😀', '/%F0%9F%98%80'],
    ['/a\\b^c|d`e', '/a%5Cb%5Ec%7Cd%60e'],
    ['/kept%20as%2Fit-is', '/kept%20as%2Fit-is'],
    ['/a%zz', '/a%25zz'],
    ['/a,b;c', '/a,b;c'],
  ] as const
  const paths = successors.flatMap(([path], index): [string, JsonObject][] => [
    [path, { get: { operationId: `next${index}`, responses: { '200': { description: 'ok' } } } }],
    [
      `/old/${index}`,
      {
        get: {
          deprecated: true,
          'x-successor': { operationId: `next${index}` },
          responses: { '200': { description: 'ok' } },
        },
      },
    ],
  ])
  const surrogate = '/\ud800'
  const served = serve(
    documentOf({
      ...Object.fromEntries(paths),
      [surrogate]: { get: { operationId: 'lone', responses: { '200': { description: 'ok' } } } },
      '/old/lone': {
        get: { deprecated: true, 'x-successor': { operationId: 'lone' }, responses: { '200': { description: 'ok' } } },
      },
    }),
  )

  it.each(successors.map(([path, link], index) => [path, link, index] as const))(
    'at %j leads there',
    async (_, link, index) => {
      const { status, headers } = await sendBoth(served, `/old/${index}`)
      expect(status).toBe(200)
      expect(headers['link']).toBe(`<${link}>; rel="successor-version"`)
      expect((await served.send('GET', link)).status).toBe(200)
    },
  )

  it('is sent for a path with a lone surrogate, that no address can have', async () => {
    expect((await sendBoth(served, '/old/lone')).headers['link']).toBe('</%EF%BF%BD>; rel="successor-version"')
  })
})

describe('a content type of the document', () => {
  const mediaTypes = [
    ['text/plain\r\nSet-Cookie: a=b', 'text/plain%0D%0ASet-Cookie: a=b'],
    ['text/é', 'text/%C3%A9'],
    ['text/plain; x="😀"', 'text/plain; x="%F0%9F%98%80"'],
    ['text/\0plain', 'text/%00plain'],
    ['text/\ud800', 'text/%EF%BF%BD'],
    ['application/é+json', 'application/%C3%A9+json'],
    ['application/x\r\nSet-Cookie: a=b+json', 'application/x%0D%0Aset-cookie: a=b+json'],
    ['*/*', 'application/json'],
    ['APPLICATION/JSON; q=1', 'application/json'],
  ] as const
  const isolation = {
    'content-security-policy': 'sandbox allow-scripts allow-forms allow-popups allow-downloads',
    'x-content-type-options': 'nosniff',
  }
  const responseOf = (mediaType: string) => ({
    '200': { description: 'ok', content: { [mediaType]: { schema: { type: 'string' }, example: 'x' } } },
  })
  const served = serve(
    documentOf(
      Object.fromEntries(
        mediaTypes.map(([mediaType], index) => [`/${index}`, { get: { responses: responseOf(mediaType) } }]),
      ),
    ),
  )

  it.each(mediaTypes.map(([mediaType, sent], index) => [mediaType, sent, index] as const))(
    'is sent where it is %j',
    async (_, sent, index) => {
      const { status, headers, text } = await sendBoth(served, `/${index}`)
      // Browsers sniff a text, and whatever is no media type.
      const isolated = sent === 'application/json' ? undefined : isolation
      expect([status, headers]).toEqual([200, { 'content-type': sent, ...isolated }])
      expect(text).toMatch(/^"?x"?$/)
    },
  )
})

describe('a status of the document', () => {
  const wrong = [1000, 99, 100, 199, 300, 600, 200.5, -1, 'abc', '', null, true, [], {}]
  const allowed = [200, 201, 204, 205, 226, 299, '203']
  const chosen = [...wrong, ...allowed].map((status, index): [string, JsonObject] => {
    const responses = { '2XX': { description: 'ok', 'x-sandbox-status': status, content: json } }
    return [`/chosen/${index}`, { get: { responses }, post: { requestBody: { content: json }, responses } }]
  })
  const documented = ['200', '203', '204', '205', '206', '299']
  const keyed = documented.flatMap((status): [string, JsonObject][] => {
    const responses = { [status]: { description: 'ok', content: json } }
    const requestBody = { content: json }
    const list = {
      '200': { description: 'ok', content: { 'application/json': { schema: { type: 'array', items: object } } } },
    }
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
    const item = { get: { responses }, put: { requestBody, responses }, patch: { requestBody, responses } }
    return [
      [`/all/xs${status}`, { get: { responses: list }, post: { requestBody, responses } }],
      [`/all/xs${status}/{id}`, { parameters, ...item, delete: { responses } }],
    ]
  })
  const forced = Object.fromEntries(
    ['200', '204', '205', '206', '304', '399', '599'].map((status) => [status, { description: 'ok', content: json }]),
  )
  const served = serve(
    documentOf(Object.fromEntries([...chosen, ...keyed, ['/forced', { get: { responses: forced } }]])),
  )

  it.each(wrong.map((status, index) => [status, index] as const))(
    '%j of x-sandbox-status is passed over',
    async (_, index) => {
      expect(await sendBoth(served, `/chosen/${index}`)).toMatchObject({ status: 200, text: '{"id":1}' })
      const created = await served.send('POST', `/chosen/${index}`, { body: {} })
      expect(created).toMatchObject({ status: 201, text: '{"id":1}' })
    },
  )

  it.each(allowed.map((status, index) => [status, index + wrong.length] as const))(
    '%j of x-sandbox-status is sent, with a body where it may have one',
    async (status, index) => {
      const hasBody = ![204, 205].includes(Number(status))
      const expected = { status: Number(status), headers: hasBody ? { 'content-type': 'application/json' } : {} }
      expect(await sendBoth(served, `/chosen/${index}`)).toEqual({ ...expected, text: hasBody ? '{"id":1}' : '' })
      const created = await served.send('POST', `/chosen/${index}`, { body: {} })
      expect(created).toEqual({ ...expected, text: hasBody ? '{"id":1}' : '' })
    },
  )

  it.each(documented)('%s is the answer to everything that is done to a record', async (status) => {
    const hasBody = !['204', '205'].includes(status)
    const expected = { status: Number(status), text: hasBody ? '{"id":1}' : '' }
    const item = `/all/xs${status}/1`
    expect(await served.send('POST', `/all/xs${status}`, { body: {} })).toMatchObject(expected)
    expect(await sendBoth(served, item)).toMatchObject(expected)
    expect(await served.send('PUT', item, { body: {} })).toMatchObject(expected)
    expect(await served.send('PATCH', item, { body: {} })).toMatchObject(expected)
    expect(await served.send('DELETE', item)).toMatchObject(expected)
    expect(await served.send('GET', `/all/xs${status}`)).toMatchObject({ status: 200, text: '[]' })
  })

  it.each([
    [204, ''],
    [205, ''],
    [206, '{"id":1}'],
    [304, ''],
    [399, '{"id":1}'],
    [599, /^\{"code":"status_599".*"status":599\}$/],
  ])('%s is sent where the caller asks for it', async (status, text) => {
    const headers = [['Prefer', `code=${status}`]] as const
    const answer = await served.send('GET', '/forced', { headers })
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe(text === '' ? undefined : 'application/json')
    expect(answer.text).toMatch(typeof text === 'string' ? new RegExp(`^${text}$`) : text)
    expect(await served.send('HEAD', '/forced', { headers })).toMatchObject({ status, text: '' })
  })

  it.each([100, 199, 302, 600, 1000, 'abc'])('%s that the caller asks for is passed over', async (code) => {
    const answer = await served.send('GET', '/forced', { headers: [['Prefer', `code=${code}`]] })
    expect(answer).toMatchObject({ status: 200, text: '{"id":1}' })
  })
})

describe('a name of a key', () => {
  const names = ['x y', 'ключ', 'a:b', 'a\r\nb: c', 'a"b', '😀', 'constructor', '__proto__', 'toString']
  const places = ['header', 'cookie', 'query']
  const securitySchemes = Object.fromEntries(
    names.flatMap((name, index) =>
      places.map((place) => [`${place}${index}`, { type: 'apiKey', in: place, name }] as const),
    ),
  )
  const paths = Object.keys(securitySchemes).map((scheme): [string, JsonObject] => [
    `/${scheme}`,
    { get: { security: [{ [scheme]: [] }], responses: { '200': { description: 'ok' } } } },
  ])
  const served = serve(documentOf(Object.fromEntries(paths), { components: { securitySchemes } }))

  it.each(names.map((name, index) => [name, index] as const))('may be %j', async (name, index) => {
    for (const place of places) {
      const refused = await sendBoth(served, `/${place}${index}`)
      expect([refused.status, refused.headers['www-authenticate']], place).toEqual([401, 'ApiKey realm="T"'])
    }
    expect((await served.send('GET', `/query${index}?${encodeURIComponent(name)}=sandbox`)).status).toBe(200)
  })
})

describe('the title in a challenge', () => {
  const title = 'A "quoted" \\ title\r\nSet-Cookie: a=b \0 ключ 😀 \ud800'
  const secured = { components: { securitySchemes: { k: { type: 'http', scheme: 'bearer' } } }, security: [{ k: [] }] }
  const paths = { '/xs': { get: { responses: { '200': { description: 'ok' } } } } }
  const served = serve(documentOf(paths, { ...secured, info: { title, version: '1' } }))

  it('is a quoted string of visible ASCII', async () => {
    const { status, headers } = await sendBoth(served, '/xs')
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="A quoted  titleSet-Cookie: a=b    "'])
  })
})

describe('a required header that belongs to the connection', () => {
  const names = 'Connection Content-Encoding Keep-Alive Proxy-Connection TE Trailer Transfer-Encoding Upgrade'.split(
    ' ',
  )
  const responsesOf = (name: string): JsonObject => {
    const header = { required: true, schema: { type: 'string' } }
    const headers = { [name]: { ...header, example: 'gzip' }, [name.toLowerCase()]: header, 'X-Other': header }
    return { '200': { description: 'ok', headers, content: json } }
  }
  const paths = names.map((name): [string, JsonObject] => [`/${name}`, { get: { responses: responsesOf(name) } }])
  const served = serve(documentOf(Object.fromEntries(paths)))

  it.each(names)('%s is left out', async (name) => {
    const { status, headers, text } = await sendBoth(served, `/${name}`)
    expect([status, headers, text]).toEqual([
      200,
      { 'content-type': 'application/json', 'x-other': 'string' },
      '{"id":1}',
    ])
  })
})
