/** Providers that return keys which no address can carry: `check` judges them and comes to its end. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../support/providers.js'
import { runWarm } from '../support/warm.js'

const id = { type: 'string' }
const record = { type: 'object', required: ['id', 'text'], properties: { id, text: { type: 'string' } } }
const content = { 'application/json': { schema: record } }
const list = { 'application/json': { schema: { type: 'array', items: record } } }
const parameters = [{ name: 'id', in: 'path', required: true, schema: id }]
const body = { required: true, content }
const read = { responses: { 200: { description: 'Fine', content }, 404: { description: 'No' } } }
const filter = [{ name: 'text', in: 'query', schema: { type: 'string' } }]
const document = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  servers: [{ url: 'https://notes.example/api' }],
  paths: {
    '/notes': {
      get: { parameters: filter, responses: { 200: { description: 'Fine', content: list } } },
      post: { requestBody: body, responses: { 201: { description: 'Fine', content }, 400: { description: 'Bad' } } },
    },
    '/notes/{id}': { parameters, get: read, put: { ...read, requestBody: body }, delete: read },
  },
}

const keys = [
  '\ud800',
  'a\udfffb',
  '\udc00\ud800',
  '',
  '.',
  '..',
  'a/b',
  '%',
  '%zz',
  '?',
  '#',
  '\0',
  '\r\n',
  'é',
  '🐕',
  'x'.repeat(20_000),
]
const others = [null, 1, true, [], {}, ['\ud800'], { '\ud800': 1 }]

let spec: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-keys-'))
  spec = join(folder, 'notes.json')
  await writeFile(spec, JSON.stringify(document))
})

afterAll(() => rm(folder, { recursive: true }))

describe('a provider that returns', () => {
  it.each([...keys, ...others].map((key) => [JSON.stringify(key).slice(0, 30), key]))(
    'the key %s is judged',
    async (_, key) => {
      const url = await listen((request, response) => {
        const isList = request.url?.split('?')[0] === '/api/notes' && request.method === 'GET'
        const note = { id: key, text: key }
        const headers = { 'Content-Type': 'application/json' }
        request.resume()
        response.writeHead(request.method === 'POST' ? 201 : 200, headers).end(JSON.stringify(isList ? [note] : note))
      })
      const { code, stdout, stderr } = await runWarm(['check', `${url}/api`, '--spec', spec])
      expect(stderr).toBe('')
      expect(stdout).toMatch(/^petstore-sandbox: FAILED: /m)
      expect(code).toBe(1)
    },
  )
})
