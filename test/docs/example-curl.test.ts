/** The curl line of the banner and the page, for documents of all kinds. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ServerOptions, startServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeFolder } from '../support/serving.js'
import { serveWarm as serve } from '../support/warm.js'

const string = { type: 'string' }
const record = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer' }, title: { type: 'string' } },
}
const answer = (schema: object) => ({ 200: { description: 'ok', content: { 'application/json': { schema } } } })
const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })
const sentAs = (type: string, schema: object) => ({ required: true, content: { [type]: { schema } } })
const fields = {
  type: 'object',
  required: ['name', 'age'],
  properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer', minimum: 1 } },
  additionalProperties: false,
}
const list = { get: { responses: answer({ type: 'array', items: record }) } }
const add = { post: { requestBody: body(record), responses: answer(record) } }
const item = {
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
  get: { responses: answer(record) },
}
const object = answer({ type: 'object', required: ['done'], properties: { done: { type: 'boolean' } } })

interface Shown {
  what: string
  paths: object
  others?: object
  options?: ServerOptions
  /** What the line contains. */
  line: RegExp
  /** What it prints. */
  prints: RegExp
}

const keyIn = (place: string, name: string) => ({ type: 'apiKey', in: place, name })
const secured = (...schemes: readonly object[]) => ({
  security: [Object.fromEntries(schemes.map((_, index) => [`k${index}`, []]))],
  components: { securitySchemes: Object.fromEntries(schemes.map((scheme, index) => [`k${index}`, scheme])) },
})

const shown: readonly Shown[] = [
  {
    what: 'the list that has records',
    paths: { '/health': { get: { responses: object } }, '/xs': { ...list, ...add } },
    line: /^curl "[^"]+\/xs"$/,
    prints: /^\[\{"id":1,/,
  },
  {
    what: 'a list below a record that exists and has some',
    paths: {
      '/as': { get: { deprecated: true, ...list.get } },
      '/as/{a}/xs': {
        parameters: [{ name: 'a', in: 'path', required: true, schema: { type: 'string' } }],
        ...list,
      },
      '/as/{a}': {
        parameters: [{ name: 'a', in: 'path', required: true, schema: { type: 'string' } }],
        get: { deprecated: true, responses: answer(record) },
      },
    },
    line: /^curl "[^"]+\/as\/\d+\/xs"$/,
    prints: /^\[\{"id":\d+,"title":"/,
  },
  {
    what: 'another request that reads, if the list is empty',
    paths: { '/xs': { ...list, ...add }, '/health': { get: { responses: object } } },
    options: { records: 0 },
    line: /\/xs"$/,
    prints: /^\[\]$/,
  },
  {
    what: 'a record that exists',
    paths: { '/xs': { post: add.post }, '/xs/{id}': item },
    line: /\/xs\/\d+"$/,
    prints: /^\{"id":\d+,"title":/,
  },
  {
    what: 'required parameters in all places',
    paths: {
      '/xs/{name}/status': {
        get: {
          parameters: [
            { name: 'name', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-f]{4}-\\d$' } },
            { name: 'mode', in: 'query', required: true, schema: { enum: ["it's a & b", 'c'] } },
            { name: 'X-Trace', in: 'header', required: true, schema: string, example: 'trace 1' },
            { name: 'session', in: 'cookie', required: true, schema: { type: 'integer', minimum: 5 } },
            { name: 'other', in: 'query', schema: string },
          ],
          responses: object,
        },
      },
    },
    line: /X-Trace: trace 1.*Cookie: session=5.*xs\/[a-f]{4}-\d\/status\?mode=it/,
    prints: /^\{"done":true\}$/,
  },
  {
    what: 'a body with what shells would expand',
    paths: {
      '/xs': {
        post: {
          requestBody: body({
            type: 'object',
            required: ['text', 'count'],
            properties: { text: { enum: ['it\'s "$HOME" `id` !! \\ é'] }, count: { type: 'integer', minimum: 3 } },
          }),
          responses: object,
        },
      },
    },
    line: /--data-raw '\{"text":"it'\\''s/,
    prints: /^\{"done":false\}$/,
  },
  {
    what: 'a form',
    paths: { '/xs': { post: { requestBody: sentAs('application/x-www-form-urlencoded', fields), responses: object } } },
    line: /^curl -H "Content-Type: application\/x-www-form-urlencoded" --data-raw "/,
    prints: /^\{"done":false\}$/,
  },
  {
    what: 'a multipart body with a file',
    paths: {
      '/xs': {
        post: {
          requestBody: sentAs('multipart/form-data', {
            ...fields,
            required: [...fields.required, 'file', 'owner', 'tags'],
            properties: {
              ...fields.properties,
              file: { type: 'string', format: 'binary' },
              owner: { type: 'object', required: ['id'], properties: { id: { enum: [7] } } },
              tags: { type: 'array', minItems: 2, items: { enum: ['@a;b', 'c"d\\e'] } },
            },
          }),
          responses: object,
        },
      },
    },
    line: /^curl --form-string .*name=.* -F .*file=.*filename=/,
    prints: /^\{"done":false\}$/,
  },
  {
    what: 'a text',
    paths: {
      '/xs': { post: { requestBody: sentAs('text/plain', { type: 'string', minLength: 3 }), responses: object } },
    },
    line: /^curl -H "Content-Type: text\/plain" --data-raw "[^"]{3,}"/,
    prints: /^\{"done":true\}$/,
  },
  {
    what: 'bytes',
    paths: { '/xs': { put: { requestBody: sentAs('image/*', {}), responses: object } } },
    line: /^curl -X PUT -H "Content-Type: image\/png" --data-raw "/,
    prints: /^\{"done":false\}$/,
  },
  {
    what: 'a key in the query',
    paths: { '/xs': list },
    others: secured(keyIn('query', 'api key')),
    line: /\/xs\?api%20key=sandbox"$/,
    prints: /^\[/,
  },
  {
    what: 'two keys in a cookie and a header',
    paths: { '/xs': list },
    others: secured(keyIn('cookie', 'session'), keyIn('header', 'X-App')),
    line: /-H "X-App: sandbox" -H "Cookie: session=sandbox"/,
    prints: /^\[/,
  },
  {
    what: 'Basic authentication',
    paths: { '/xs': list },
    others: secured({ type: 'http', scheme: 'basic' }),
    line: /"Authorization: Basic c2FuZGJveDo="/,
    prints: /^\[/,
  },
  {
    what: 'two schemes of one header',
    paths: { '/xs': list },
    others: secured({ type: 'oauth2', flows: {} }, { type: 'openIdConnect' }),
    line: /^curl -H "Authorization: Bearer sandbox" "[^"]+"$/,
    prints: /^\[/,
  },
  {
    what: 'a listed key',
    paths: { '/xs': list },
    others: secured({ type: 'oauth2', flows: {} }),
    options: { apiKeys: ['my-key'] },
    line: /"Authorization: Bearer my-key"/,
    prints: /^\[/,
  },
]

describe('the curl line of the inspector', () => {
  it.each(shown)('asks for $what, and works in a shell', async ({ paths, others = {}, options = {}, line, prints }) => {
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...others })
    const folder = await writeFolder({ 'openapi.json': text })
    const server = await startServer({ port: 0, spec: join(folder, 'openapi.json'), ...options })
    onTestFinished(() => server.close())
    const about = await (await fetch(`${server.url}/_sandbox/about`)).json()
    const command = String((about as { curl: unknown }).curl)
    expect(command).toMatch(line)
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `${command.replace(/^curl /, 'curl -sS --fail-with-body ')}`,
    ])
    expect(stdout).toMatch(prints)
  })
})

describe('the banner of another document', () => {
  const banners = [
    [{}, [], 'No key is needed; with a header "Sandbox-World: <any name>" you see other data.'],
    [secured(keyIn('header', 'X')), [], 'Any key works, such as "sandbox"; another key sees other data.'],
    [secured(keyIn('header', 'X')), ['--api-key', 'a'], 'The key "a" works; no other key does.'],
    [secured({ type: 'oauth2' }), [], /Tokens are issued at http:\S+\/_sandbox\/oauth\/token/],
  ] as const

  it.each(banners)('%j with %j says which keys work', async (others, args, says) => {
    const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/xs': list }, ...others }
    const folder = await writeFolder({ 'openapi.json': JSON.stringify(document) })
    const { stdout } = await serve(['--spec', 'openapi.json', ...args], { cwd: folder })
    if (typeof says === 'string') expect(stdout()).toContain(says)
    else expect(stdout()).toMatch(says)
  })
})
