/** Paths as documents write them: which operation answers a request, through every transport. */
import type { HttpHandler } from 'msw'
import { setupServer } from 'msw/node'
import type { SandboxOptions } from 'petstore-sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { inProcess } from '../support/in-process.js'
import { createMswTransport } from '../support/msw-transport.js'
import { documentOf, type Operations, split } from '../support/path-documents.js'
import type { Connection } from '../support/raw-request.js'
import { writeFolder } from '../support/serving.js'
import { openHttp } from '../support/transports.js'

interface PathCase {
  /** A sentence about the visible behavior. */
  name: string
  /** Operations with the schemas of their path parameters, or operations whose parameters are not declared. */
  operations: Operations | readonly string[]
  /** The operation that answers a request, or a status with the value of its `Allow` header. */
  requests: readonly (readonly [request: string, answer: string])[]
}

const integer = { type: 'integer' }
const text = { type: 'string' }
/** A parameter that has one valid value, so that another split of the path is refused. */
const only = (value: string) => ({ type: 'string', enum: [value] })

const cases: readonly PathCase[] = [
  {
    name: 'a parameter before a literal suffix takes everything up to the end',
    operations: { 'GET /Accounts/{Sid}.json': { Sid: only('AC1.json') } },
    requests: [
      ['GET /Accounts/AC1.json.json', 'GET /Accounts/{Sid}.json'],
      ['GET /Accounts/AC1%2Ejson.json', 'GET /Accounts/{Sid}.json'],
      ['GET /Accounts/.json', '404'],
      ['GET /Accounts/AC1', '404'],
      ['GET /Accounts/AC1.jsonx', '404'],
      ['POST /Accounts/AC1.json', '405 GET, HEAD, OPTIONS'],
    ],
  },
  {
    name: 'a parameter after literal text takes the rest',
    operations: ['GET /thumbnail.{extension}', 'POST /items:{verb}'],
    requests: [
      ['GET /thumbnail.jpg', 'GET /thumbnail.{extension}'],
      ['GET /thumbnail.tar.gz', 'GET /thumbnail.{extension}'],
      ['GET /thumbnail.', '404'],
      ['POST /items:batchDelete', 'POST /items:{verb}'],
      ['POST /items', '404'],
    ],
  },
  {
    name: 'parameters from the left take as little as possible, and the last one takes the rest',
    operations: {
      'GET /range/{from}-{to}': { from: only('x'), to: only('y-z') },
      'GET /compare/{base}...{head}': { base: only('v1.0'), head: only('.v1.1') },
      'GET /pair/{one}{other}': { one: only('a'), other: only('bc') },
      'GET /tile/{x}-{y}.{format}': { x: only('1'), y: only('2-3'), format: only('png.gz') },
    },
    requests: [
      ['GET /range/x-y-z', 'GET /range/{from}-{to}'],
      ['GET /compare/v1.0....v1.1', 'GET /compare/{base}...{head}'],
      ['GET /pair/abc', 'GET /pair/{one}{other}'],
      ['GET /tile/1-2-3.png.gz', 'GET /tile/{x}-{y}.{format}'],
      ['GET /range/x-', '404'],
      ['GET /range/-y', '404'],
      ['GET /pair/a', '404'],
    ],
  },
  {
    name: 'a percent-encoded separator is part of a value, unless nothing else fits',
    operations: {
      'GET /pair/{one}:{other}': { one: only('a:b/c'), other: only('d') },
      'POST /items/{id}:cancel': { id: only('5') },
    },
    requests: [
      ['GET /pair/a%3Ab%2Fc:d', 'GET /pair/{one}:{other}'],
      ['POST /items/5:cancel', 'POST /items/{id}:cancel'],
      ['POST /items/%35:cancel', 'POST /items/{id}:cancel'],
    ],
  },
  {
    name: 'a parameter in parentheses is one',
    operations: { 'GET /report({id})': { id: integer }, "GET /users('{name}')/mail": { name: only("o'neill") } },
    requests: [
      ['GET /report(7)', 'GET /report({id})'],
      ['GET /report()', '404'],
      ["GET /users('o'neill')/mail", "GET /users('{name}')/mail"],
    ],
  },
  {
    name: 'the more literal path answers',
    operations: [
      'GET /{id}',
      'GET /{id}.json',
      'GET /{id}.geo.json',
      'GET /a.json',
      'GET /{a}/b',
      'GET /x.{b}/{c}',
      'GET /{a}/{b}',
    ],
    requests: [
      ['GET /5', 'GET /{id}'],
      ['GET /5.json', 'GET /{id}.json'],
      ['GET /5.geo.json', 'GET /{id}.geo.json'],
      ['GET /a.json', 'GET /a.json'],
      ['GET /%61.json', 'GET /a.json'],
      // The part of a path that is further left counts more.
      ['GET /x.y/b', 'GET /x.{b}/{c}'],
      ['GET /x.y/c', 'GET /x.{b}/{c}'],
      ['GET /y/b', 'GET /{a}/b'],
      ['GET /y/c', 'GET /{a}/{b}'],
    ],
  },
  {
    name: 'a more literal path without the method does not hide one that has it',
    operations: ['GET /a/{x}', 'POST /a/{y}', 'PUT /a/new', 'DELETE /a/{z}.json', 'GET /{p}/{q}'],
    requests: [
      ['GET /a/1', 'GET /a/{x}'],
      ['POST /a/1', 'POST /a/{y}'],
      ['POST /a/new', 'POST /a/{y}'],
      ['GET /a/new', 'GET /a/{x}'],
      ['PUT /a/new', 'PUT /a/new'],
      ['DELETE /a/1.json', 'DELETE /a/{z}.json'],
      ['GET /a/1.json', 'GET /a/{x}'],
      ['PUT /a/1', '405 GET, HEAD, OPTIONS, POST'],
      ['DELETE /a/new', '405 GET, HEAD, OPTIONS, POST, PUT'],
      ['PATCH /a/1.json', '405 DELETE, GET, HEAD, OPTIONS, POST'],
      ['POST /b/1', '405 GET, HEAD, OPTIONS'],
    ],
  },
  {
    name: 'of paths that are equal but for names, the one whose parameters accept the values answers',
    operations: {
      'GET /users/{id}': { id: integer },
      'GET /users/{name}': { name: { type: 'string', pattern: '^[a-z]+$' } },
      'GET /tags/{id}': { id: integer },
      'GET /tags/{slug}': { slug: text },
      'DELETE /tags/{slug}': { slug: text },
      'GET /x/{a}-b/{c}': { a: integer, c: integer },
      'GET /x/1{d}b/{e}': { d: text, e: only('e') },
    },
    requests: [
      ['GET /users/7', 'GET /users/{id}'],
      ['GET /users/ada', 'GET /users/{name}'],
      // None accepts it: the first one refuses.
      ['GET /users/A7', '400'],
      ['GET /tags/7', 'GET /tags/{id}'],
      ['GET /tags/new', 'GET /tags/{slug}'],
      ['DELETE /tags/7', 'DELETE /tags/{slug}'],
      ['GET /x/1-b/7', 'GET /x/{a}-b/{c}'],
      ['GET /x/1-b/e', 'GET /x/1{d}b/{e}'],
    ],
  },
  {
    name: 'of paths that are equally literal, the first one answers',
    operations: ['POST /{x}-{y}', 'GET /{a}.{b}', 'GET /{a}-{b}', 'GET /{c}-{d}'],
    requests: [
      ['GET /1-2.3', 'GET /{a}.{b}'],
      ['GET /1-2', 'GET /{a}-{b}'],
      ['PUT /1-2.3', '405 GET, HEAD, OPTIONS, POST'],
    ],
  },
  {
    name: 'a query in a path is part of it',
    operations: [
      'GET /responses/{id}',
      'GET /responses/{id}?beta=true',
      'POST /jobs?action=start',
      'POST /jobs?action=stop&force',
      'GET /files?acl',
      'GET /found?q={q}',
      'GET /found?tag={tag}',
      'GET /search?{query}',
      'GET /seek{?q,page}',
    ],
    requests: [
      ['GET /responses/1', 'GET /responses/{id}'],
      ['GET /responses/1?beta=false', 'GET /responses/{id}'],
      ['GET /responses/1?x=y&beta=true', 'GET /responses/{id}?beta=true'],
      ['GET /responses/1?b%65ta=%74rue', 'GET /responses/{id}?beta=true'],
      ['POST /jobs?action=start', 'POST /jobs?action=start'],
      ['POST /jobs?action=stop&force', 'POST /jobs?action=stop&force'],
      ['POST /jobs?force=&action=stop', 'POST /jobs?action=stop&force'],
      ['POST /jobs?action=stop', '404'],
      ['POST /jobs', '404'],
      ['GET /jobs?action=start', '405 OPTIONS, POST'],
      ['GET /files?acl', 'GET /files?acl'],
      ['GET /files', '404'],
      ['GET /found?q=1', 'GET /found?q={q}'],
      ['GET /found?tag=1', 'GET /found?tag={tag}'],
      ['GET /found', 'GET /found?q={q}'],
      ['GET /search?a=b', 'GET /search?{query}'],
      ['GET /search', 'GET /search?{query}'],
      ['GET /seek?q=1', 'GET /seek{?q,page}'],
    ],
  },
  {
    name: 'a fragment only tells operations apart, and the first of a path answers',
    operations: ['POST /#Action=Create', 'POST /#Action=Remove', 'GET /x#one', 'PUT /x#two', 'GET /x?a=b#three'],
    requests: [
      ['POST /', 'POST /#Action=Create'],
      ['GET /x', 'GET /x#one'],
      ['PUT /x', 'PUT /x#two'],
      ['GET /x?a=b', 'GET /x?a=b#three'],
    ],
  },
  {
    name: 'a slash at the end does not change a path, and empty segments do',
    operations: ['GET /pets/', 'GET /dogs', 'GET /a//b', 'GET /{x}/{y}/', 'GET /'],
    requests: [
      ['GET /pets/', 'GET /pets/'],
      ['GET /pets', 'GET /pets/'],
      ['GET /dogs', 'GET /dogs'],
      ['GET /dogs/', 'GET /dogs'],
      ['GET /a//b', 'GET /a//b'],
      ['GET /a/b', 'GET /{x}/{y}/'],
      ['GET /1/2/', 'GET /{x}/{y}/'],
      ['GET /1//', '404'],
      ['GET /', 'GET /'],
    ],
  },
  {
    name: 'a path parameter that is not declared is a string',
    operations: { 'GET /a/{id}': {}, 'GET /b/{id}/{name}.{format}': { id: integer, format: only('md') } },
    requests: [
      ['GET /a/anything', 'GET /a/{id}'],
      ['GET /b/1/readme.md', 'GET /b/{id}/{name}.{format}'],
      ['GET /b/x/readme.md', '400'],
    ],
  },
  {
    name: 'a path parameter that the path does not have is ignored',
    operations: { 'GET /a': { id: integer }, 'GET /b/{id}': { id: integer, other: integer } },
    requests: [
      ['GET /a', 'GET /a'],
      ['GET /b/1', 'GET /b/{id}'],
      ['GET /b/x', '400'],
    ],
  },
  {
    name: 'braces without a partner are text',
    operations: ['GET /a/{b', 'GET /a/c}', 'GET /a/{}', 'GET /a/{{d}}'],
    requests: [
      ['GET /a/%7Bb', 'GET /a/{b'],
      ['GET /a/c%7D', 'GET /a/c}'],
      ['GET /a/%7B%7D', 'GET /a/{}'],
      ['GET /a/%7B5%7D', 'GET /a/{{d}}'],
    ],
  },
  {
    name: 'literal text is compared decoded',
    operations: ['GET /é/{a} b', 'GET /a%20b/{c}', 'GET /100%/{d}%', 'GET /__proto__/constructor'],
    requests: [
      ['GET /%C3%A9/x%20b', 'GET /é/{a} b'],
      ['GET /a%20b/x', 'GET /a%20b/{c}'],
      ['GET /100%25/5%25', 'GET /100%/{d}%'],
      ['GET /__proto__/constructor', 'GET /__proto__/constructor'],
    ],
  },
]

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const msw = createMswTransport({
  use: (...each: HttpHandler[]) => server.use(...each),
  resetHandlers: () => server.resetHandlers(),
})

/** Opens a connection to a sandbox that serves a document. */
type Open = (document: string) => Promise<Connection>

const opens: Record<string, Open> = Object.fromEntries([
  ...[...inProcess, msw].map(({ name, open }): [string, Open] => [
    name,
    async (document) => open({ contract: (await compileOnce(document)).contract } satisfies SandboxOptions),
  ]),
  [
    'http',
    async (document): Promise<Connection> => {
      const folder = await writeFolder({ 'document.json': document })
      return openHttp({ port: 0, spec: `${folder}/document.json`, records: 0 })
    },
  ] as const,
])

function toOperations(operations: PathCase['operations']): Operations {
  return Array.isArray(operations)
    ? Object.fromEntries(operations.map((operation) => [operation, {}]))
    : (operations as Operations)
}

describe.each(Object.entries(opens))('through %s', (transport, open) => {
  for (const { name, operations, requests } of cases) {
    it(name, async () => {
      const connection = await open(documentOf(toOperations(operations)))
      for (const [request, answer] of requests) {
        const [method, target] = split(request)
        // MSW passes on what is below no documented path.
        if (transport === 'msw' && answer === '404') continue
        const { status, headers, body } = await connection.send({ method, target })
        const { operation } = JSON.parse(new TextDecoder().decode(body))
        const refused = headers['allow'] === undefined ? String(status) : `${status} ${headers['allow']}`
        expect(operation ?? refused, request).toBe(answer)
      }
      await connection.close()
    })
  }
})
