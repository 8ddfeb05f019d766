/** What reads or fills documented paths: checks, effects, links, handlers for MSW and the curl line. */
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createSandbox } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeExampleCurl } from '../../src/entries/examples/example-request.js'
import { compileOnce } from '../support/compile-once.js'
import { observe } from '../support/observe.js'
import { documentOf } from '../support/path-documents.js'
import { type Alter, hold, provide, withHeaders } from '../support/providers.js'
import { writeFolder } from '../support/serving.js'

const integer = { type: 'integer', minimum: 1 }
const word = { type: 'string', pattern: '^[a-z]+$' }

const ok = { responses: { 200: { description: 'ok' } } }
const answer = (schema: object) => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
})

/** Collects the targets of the requests to a provider. */
function collectTargets(): [targets: Set<string>, note: Alter] {
  const targets = new Set<string>()
  const note: Alter = (asked, next) => {
    targets.add(asked.target)
    return next()
  }
  return [targets, note]
}

describe('check', () => {
  const text = documentOf({
    'GET /accounts/{id}.json': { id: integer },
    'GET /compare/{base}...{head}': { base: word, head: word },
    'GET /report({id})': { id: integer },
    'GET /jobs/{id}:{verb}?beta=true&force': { id: integer, verb: word },
    'GET /search?q={q}': {},
    'GET /undeclared/{name}': {},
    'GET /ignored#part': { other: integer },
    'GET /found{?q}': {},
  })

  it('sends requests that fit the documented paths, and finds nothing in a provider that keeps them', async () => {
    const [targets, note] = collectTargets()
    const url = await provide({ text, base: '' }, note)
    const { findings, notes } = await hold(url, { text })
    expect(findings).toEqual([])
    expect(notes).toEqual([])
    // Each text is also sent with quotes, as a NUL and very long.
    const isUsual = (target: string) => !/O'Brien|%00|long%20long|^\/search\?q=/.test(target)
    expect([...targets].filter(isUsual).sort()).toMatchInlineSnapshot(`
      [
        "/accounts/1.json",
        "/accounts/2000000011.json",
        "/compare/harbor...harbor",
        "/compare/no-such-record-7f3a9c...no-such-record-7f3a9c",
        "/found",
        "/ignored",
        "/jobs/1:harbor?beta=true&force",
        "/jobs/2000000011:no-such-record-7f3a9c?beta=true&force",
        "/report(1)",
        "/report(2000000011)",
        "/search",
        "/undeclared/no-such-record-7f3a9c",
        "/undeclared/string",
      ]
    `)
  })

  it('sends a query of the path once, even if it is a declared parameter', async () => {
    const [targets, note] = collectTargets()
    const beta = { name: 'beta', in: 'query', required: true, schema: { type: 'string', enum: ['true', 'false'] } }
    const paths = { '/jobs?beta=true': { get: { parameters: [beta], ...ok } } }
    const document = documentOf({}, { paths })
    expect((await hold(await provide({ text: document, base: '' }, note), { text: document })).findings).toEqual([])
    expect([...targets]).toEqual(['/jobs?beta=true'])
  })

  it('finds the record of a path below one with a query', async () => {
    const user = { type: 'object', properties: { id: { type: 'integer' } } }
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
    const paths = {
      '/users?v=1': { get: answer({ type: 'array', items: user }) },
      '/users/{id}?v=1': { parameters: [id], get: answer(user) },
      '/users/{id}/posts': { parameters: [id], get: ok },
    }
    const document = documentOf({}, { paths })
    const [targets, note] = collectTargets()
    await hold(await provide({ text: document, base: '', scenario: { users: [{ id: 77 }] } }, note), { text: document })
    expect([...targets]).toContain('/users/77/posts')
  })

  it('accepts a link to a successor whose path is percent-encoded', async () => {
    const old = { ...ok, deprecated: true, 'x-successor': { operationId: 'next' } }
    const paths = { '/old': { get: old }, '/a b?c=d#e': { get: { ...ok, operationId: 'next' } } }
    const document = documentOf({}, { paths })
    expect((await hold(await provide({ text: document, base: '' }), { text: document })).findings).toEqual([])
    const other: Alter = async (_, next) => withHeaders(await next(), { link: '</b>; rel="successor-version"' })
    const { findings } = await hold(await provide({ text: document, base: '' }, other), { text: document })
    expect(findings.map(({ at }) => at)).toEqual(['Link'])
  })

  it('judges the answers of a path without a leading slash', async () => {
    const paths = { pets: { get: answer({ type: 'array' }) } }
    const servers = [{ url: 'https://service.example' }]
    const unslashed = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, servers, paths })
    const url = await provide({ text: unslashed, base: '' }, async () => Response.json({}))
    const { findings } = await hold(url, { text: unslashed })
    expect(findings.map(({ rule }) => rule)).toContain('response-schema')
  })

  it('judges the answers of each of them', async () => {
    const broken: Alter = async (_, next) => new Response('no JSON', { status: (await next()).status })
    const url = await provide({ text, base: '' }, broken)
    const { findings } = await hold(url, { text })
    expect(new Set(findings.map(({ path }) => path)).size).toBe(8)
  })
})

describe('run', () => {
  it('reads the values of parameters, and finds no fault with a documented query', async () => {
    const folder = await writeFolder({
      'document.json': documentOf({
        'GET /compare/{base}...{head}': { base: { type: 'string', enum: ['a', 'b'] }, head: word },
        'GET /jobs?action=start': {},
        'DELETE /accounts/{id}.json': { id: integer },
      }),
    })
    const { findings, coverage } = await observe(
      [{ path: '/compare/a...b' }, { path: '/jobs?action=start' }, { path: '/accounts/7.json' }],
      ['--spec', `${folder}/document.json`],
    )
    expect(findings.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['undocumented-method /accounts/{id}.json'])
    const gaps = coverage.operations.map(({ points }) => points.filter(({ isMet }) => !isMet).map(({ gap }) => gap))
    expect(gaps.slice(0, 2)).toEqual([['never sent base=b'], []])
  })
})

describe('an effect', () => {
  const record = { type: 'object', properties: { id: { type: 'integer' } } }
  const body = { requestBody: { content: { 'application/json': { schema: record } } } }

  async function effectsOf(paths: object): Promise<Record<string, string>> {
    const { contract } = await compileOnce(documentOf({}, { paths }))
    return Object.fromEntries(contract.operations.map(({ id, effect }) => [id, effect.kind]))
  }

  it('is inferred for a parameter with an extension or a verb', async () => {
    const item = { get: answer(record), put: { ...answer(record), ...body }, delete: answer(record) }
    expect(
      await effectsOf({ '/xs/{id}.json': item, '/xs/{id}:cancel': { post: { ...answer(record), ...body } } }),
    ).toEqual({
      'GET /xs/{id}.json': 'read',
      'PUT /xs/{id}.json': 'replace',
      'DELETE /xs/{id}.json': 'remove',
      'POST /xs/{id}:cancel': 'action',
    })
  })

  it('is inferred for a path with a query, unless another operation differs only in the query', async () => {
    const create = { ...answer(record), ...body }
    expect(
      await effectsOf({
        '/files?beta=true': { get: answer({ type: 'array', items: record }), post: create },
        '/files/{id}?beta=true': { get: answer(record) },
        '/jobs?action=start': { post: create },
        '/jobs?action=stop': { post: create },
        '/notes': { post: create },
        '/notes?action=remove': { post: create },
      }),
    ).toEqual({
      'GET /files?beta=true': 'list',
      'POST /files?beta=true': 'create',
      'GET /files/{id}?beta=true': 'read',
      'POST /jobs?action=start': 'example',
      'POST /jobs?action=stop': 'example',
      'POST /notes': 'create',
      'POST /notes?action=remove': 'example',
    })
  })
})

it('a link to a successor has its query, and no fragment', async () => {
  const linkTo = async (path: string) => {
    const old = { ...ok, deprecated: true, 'x-successor': { operationId: 'next' } }
    const paths = { '/old': { get: old }, [path]: { get: { ...ok, operationId: 'next' } } }
    const { contract } = await compileOnce(documentOf({}, { paths }))
    return contract.operations[0]?.lifecycle.successor?.link
  }
  expect(await Promise.all(['/a?b=c d&e#f', '/a#b', '/a{?b}', '/a/{b', '/a.{b}'].map(linkTo))).toEqual([
    '/a?b=c%20d&e',
    '/a',
    '/a',
    '/a/%7Bb',
    undefined,
  ])
})

it.each([
  [['GET /a/{b}.json', 'GET /c?d=e'], '/c?d=e'],
  [['GET /a#b'], '/a'],
  [['GET /a?b=c#d'], '/a?b=c'],
  [['GET /a/{b', 'GET /c'], '/a/{b'],
])('the curl line for %j asks for %s', async (operations, target) => {
  const { contract, document } = await compileOnce(documentOf(Object.fromEntries(operations.map((each) => [each, {}]))))
  const line = await writeExampleCurl(createSandbox({ contract }), async () => document, 'http://host')
  // Braces are patterns for curl.
  expect(line).toBe(`curl ${target.includes('{') ? '--globoff ' : ''}"http://host${target}"`)
})

describe('handlers for MSW', () => {
  const server = setupServer()

  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  async function textFrom(document: string, address: string): Promise<string> {
    const { contract } = await compileOnce(document)
    server.use(
      ...createHandlers({ contract }).handlers,
      http.all('*', () => HttpResponse.text('another handler')),
    )
    return (await fetch(address)).text()
  }

  it.each([
    ['/a.json', true],
    ['/.json', false],
    ['/a.jsonx', false],
    ['/a/b', false],
    ['/x/1-2', true],
    ['/x/1-2-3', true],
    ['/x/-2', false],
    ['/x/1-', false],
    ['/y/1...2.3', true],
    ['/y/1..2', false],
    ['/z/ab', true],
    ['/z/a', false],
    ['/é/x', true],
    ['/b', true],
    ['/b?c=d', true],
    // A slash at the end does not change a path.
    ['/x/1-2/', true],
    ['/x/1-2//', false],
    [`/x/${'-x'.repeat(5000)}//`, false],
  ])('at the root of an origin answer %s: %s', async (path, isOurs) => {
    const documented = ['/{a}.json', '/x/{a}-{b}', '/y/{a}...{b}', '/z/{a}{b}', '/é/{a}', '/b?c=d#e']
    const document = documentOf(Object.fromEntries(documented.map((each) => [`GET ${each}`, {}])))
    expect((await textFrom(document, `https://quickstart.petstore.example${path}`)) !== 'another handler').toBe(isOurs)
  })

  it('leave out a server whose address no request can have', async () => {
    const servers = [{ url: 'https://{host}:{port}' }, { url: '{scheme}://{host}' }, { url: 'https://a.example/v1' }]
    const document = documentOf({ 'GET /a': {} }, { servers })
    expect(await textFrom(document, 'https://a.example/v1/a')).toBe('{"operation":"GET /a"}')
    expect(await textFrom(document, 'https://host/a')).toBe('another handler')
  })
})
