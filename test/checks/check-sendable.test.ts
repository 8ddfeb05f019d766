/** A check sends only what can be sent: of bounded size, in a form that headers and cookies can carry. */
import { expect, it } from 'vitest'
import type { ProviderRequest } from '../../src/checks/provider/requests/request-draft.js'
import { hold, listen } from '../support/providers.js'

function documentOf({ parameters = [], body }: { parameters?: object[]; body?: object }): string {
  const responses = { 200: { description: 'OK' }, 400: { description: 'Refused' } }
  const requestBody = { required: true, content: { 'application/json': { schema: body } } }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://things.example' }],
    paths: {
      '/things': {
        get: { operationId: 'readThings', parameters, responses },
        ...(body ? { post: { operationId: 'sendThings', requestBody, responses } } : {}),
      },
    },
  })
}

async function requestsOf(text: string, status = 400) {
  const sent: ProviderRequest[] = []
  const { notes } = await hold(
    'http://things.example',
    { text },
    {
      key: '',
      async sendRequest(request) {
        sent.push(request)
        return { status, headers: {}, text: '' }
      },
    },
  )
  return { sent, notes }
}

it.each<[string, object]>([
  ['maxLength 2147483647', { type: 'string', maxLength: 2147483647 }],
  ['minLength 1000000', { type: 'string', minLength: 1e6 }],
  ['maxItems 2147483647', { type: 'array', items: { type: 'string' }, maxItems: 2147483647 }],
  ['minItems 1000000', { type: 'array', items: { type: 'string' }, minItems: 1e6 }],
  ['maxProperties 2147483647', { type: 'object', additionalProperties: true, maxProperties: 2147483647 }],
  ['minProperties 1000000', { type: 'object', additionalProperties: true, minProperties: 1e6 }],
])('leaves %s out of its bodies and parameters, and says so', async (words, schema) => {
  const text = documentOf({
    parameters: [{ name: 'a', in: 'query', schema }],
    body: { type: 'object', required: ['a'], properties: { a: schema } },
  })
  const { sent, notes } = await requestsOf(text)
  expect(notes).toContain(`readThings has bounds that are too large to be tested: ${words}`)
  expect(notes).toContain(`sendThings has bounds that are too large to be tested: ${words}`)
  expect(sent.length).toBeGreaterThan(0)
  for (const { url, body = '' } of sent) {
    expect(url.length).toBeLessThan(8000)
    expect(body.length).toBeLessThan(200_000)
  }
})

it('sends more than 60,000 characters for such a bound in a body, and not in a parameter', async () => {
  const schema = { type: 'string', maxLength: 60_000 }
  const text = documentOf({ parameters: [{ name: 'a', in: 'query', schema }], body: schema })
  const { sent } = await requestsOf(text, 200)
  const lengths = sent.map(({ body = '' }) => body.length - '""'.length)
  expect(lengths).toContain(60_001)
  for (const { url } of sent) expect(url.length).toBeLessThan(8000)
})

it('sends no value that a parameter inherits from its objects', async () => {
  const names = ['toString', 'constructor', 'hasOwnProperty', '__proto__']
  const places = ['query', 'header', 'cookie']
  const parameters = places.flatMap((place) =>
    names.map((name) => ({ name, in: place, schema: { type: 'string', maxLength: 3 } })),
  )
  const { sent } = await requestsOf(documentOf({ parameters }))
  const written = JSON.stringify(sent.map(({ url, headers }) => [url, headers]))
  expect(decodeURIComponent(sent[0]?.url ?? '')).toBe('http://things.example/things')
  expect(written).not.toContain('function')
  expect(written).not.toContain('native')
  expect(written).not.toContain('[object')
  // Each parameter is sent with a value of its own.
  for (const name of names) expect(written).toContain(`?${name}=`)
})

it('sends in headers and cookies only what they can carry, and no header of the connection', async () => {
  const schemas = {
    list: { type: 'array', items: { type: 'string' } },
    object: { type: 'object', properties: { a: { type: 'string' } } },
    text: { type: 'string' },
  }
  const names = ['Content-Length', 'Transfer-Encoding', 'Connection', 'Expect', 'not a token', 'Zoë']
  const parameters = ['header', 'cookie'].flatMap((place) => [
    ...Object.entries(schemas).map(([name, schema]) => ({ name: `x-${name}`, in: place, schema })),
    ...names.map((name) => ({ name, in: place, schema: { type: 'string' } })),
  ])
  const seen = new Set<string>()
  const origin = await listen((request, response) => {
    for (const name of Object.keys(request.headers)) seen.add(name)
    response.writeHead(200).end()
  })
  const { findings, notes } = await hold(origin, { text: documentOf({ parameters }) }, { key: '' })
  expect(findings.filter(({ rule }) => rule === 'no-answer')).toEqual([])
  expect(notes).toEqual([])
  expect([...seen]).toEqual(expect.arrayContaining(['x-list', 'x-text', 'cookie']))
  expect([...seen]).not.toContain('expect')
})

it('makes a note of a request that cannot be sent, and no finding', async () => {
  const text = documentOf({ parameters: [{ name: 'x-text', in: 'header', schema: { type: 'string' } }] })
  const origin = await listen((_, response) => void response.writeHead(200).end())
  const parsed = JSON.parse(text)
  parsed.security = [{ key: [] }]
  parsed.components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'no token' } } }
  const { findings, notes } = await hold(origin, { text: JSON.stringify(parsed) })
  expect(findings.filter(({ rule }) => rule === 'no-answer')).toEqual([])
  expect(notes.join()).toMatch(
    /requests were not sent: readThings cannot be sent such a request \(a client can't choose the header "no token"\)/,
  )
})
