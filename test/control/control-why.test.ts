/** The control API says why an exchange is as it is: also of callbacks, of repeated requests and of what has not changed. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startServer } from 'petstore-sandbox/node'
import { expect, it, onTestFinished } from 'vitest'
import { writeFolder } from '../support/serving.js'

const Order = { type: 'object', properties: { id: { type: 'integer', readOnly: true }, hook: { type: 'string' } } }
const content = { 'application/json': { schema: Order } }
const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } })
const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      post: {
        operationId: 'createOrder',
        parameters: [header('Idempotency-Key')],
        requestBody: { content },
        responses: { '201': { description: '', content } },
        callbacks: {
          created: {
            '{$request.body#/hook}': { post: { requestBody: { content }, responses: { '200': { description: '' } } } },
          },
        },
      },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        operationId: 'getOrder',
        responses: { '200': { description: '', headers: { ETag: { schema: { type: 'string' } } }, content } },
      },
      put: {
        operationId: 'putOrder',
        parameters: [header('If-Match')],
        requestBody: { content },
        responses: { '200': { description: '', content } },
      },
    },
  },
}

it('says why', async () => {
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end())).listen(
    0,
    '127.0.0.1',
  )
  onTestFinished(() => void receiver.close())
  await new Promise((resolve) => receiver.once('listening', resolve))
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const folder = await writeFolder({ 'orders.json': JSON.stringify(document) })
  const server = await startServer({ spec: `${folder}/orders.json`, port: 0, records: 0 })
  onTestFinished(() => server.close())
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: object) => {
    const type: Record<string, string> = body ? { 'Content-Type': 'application/json' } : {}
    const init = { method, headers: { ...type, ...headers }, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${server.url}${path}`, init)
    await response.arrayBuffer()
    return response
  }
  const once = { 'Idempotency-Key': 'k' }
  await send('POST', '/orders', once, { hook })
  await server.sandbox.exchanges.wait({ sent: true })
  await send('POST', '/orders', once, { hook })
  const tag = (await send('GET', '/orders/1')).headers.get('etag') ?? ''
  await send('GET', '/orders/1', { 'If-None-Match': tag })
  await send('PUT', '/orders/1', { 'If-Match': '"x"' }, { hook })
  const { id } = (await server.sandbox.exchanges.list()).at(-1) ?? { id: 0 }
  await send('POST', '/orders', {}, { hook: 'http://192.0.2.1/hook' })
  await server.sandbox.exchanges.wait({ sent: true, after: id })

  // A delay decides about nothing.
  await server.sandbox.faults.add({ operation: 'createOrder', times: 1, delayMs: 1 })
  await send('POST', '/orders', {}, { hook: 5 })
  await server.sandbox.faults.add({ operation: 'createOrder', times: 1, delayMs: 1, status: 503 })
  await send('POST', '/orders', {}, { hook })

  const exchanges = await (await fetch(`${server.url}/_sandbox/exchanges`)).json()
  const told = exchanges.map(({ why }: { why: { step: string; text: string } }) => `${why.step}: ${why.text}`)
  expect(told).toEqual([
    'apply: create of orders: it adds a record to /orders',
    'send: The callback created of createOrder, attempt 1',
    'apply: Answered like the first request with the idempotency key "k"',
    'apply: read of orders: it returns the record of {id}',
    'apply: Nothing has changed since the version that the request names',
    `apply: If-Match: "x" does not hold: the current ETag is ${tag}`,
    'apply: create of orders: it adds a record to /orders',
    expect.stringMatching(/^send: The callback created of createOrder.*: .*192\.0\.2\.1/),
    'validate: hook must be a string (got 5)',
    expect.stringMatching(/^fault: Fault .*: status 503, 1 ms later$/),
  ])
})

const patchable = {
  openapi: '3.1.0',
  info: { title: 'Works', version: '1' },
  paths: {
    '/works': {
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Work' } } },
        },
        responses: { '201': { description: '' } },
      },
    },
    '/works/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        responses: {
          '200': {
            description: '',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Work' } } },
          },
        },
      },
      patch: {
        requestBody: {
          content: {
            'application/merge-patch+json': { schema: { $ref: '#/components/schemas/Work' } },
            'application/json-patch+json': {
              schema: {
                type: 'array',
                items: { type: 'object', properties: { op: { enum: ['replace', 'test'] }, path: { type: 'string' } } },
              },
            },
          },
        },
        responses: { '200': { description: '' } },
      },
    },
  },
  components: {
    schemas: {
      Work: {
        oneOf: [
          { type: 'object', required: ['pages'], properties: { id: { type: 'integer' }, pages: { type: 'integer' } } },
          {
            type: 'object',
            required: ['minutes'],
            properties: { id: { type: 'integer' }, minutes: { type: 'integer' } },
          },
        ],
      },
    },
  },
}
const [json, patch] = ['application/json', 'application/json-patch+json']
const patchBody = '/paths/~1works~1{id}/patch/requestBody/content/application~1json-patch+json'

it.each([
  ['bad JSON', 'POST', '/works', json, '{', '/paths/~1works/post/requestBody/content/application~1json'],
  ['no body', 'POST', '/works', json, '', '/paths/~1works/post/requestBody/content/application~1json'],
  ['another media type', 'POST', '/works', 'text/csv', 'a', '/paths/~1works/post/requestBody'],
  ['a wrong operation', 'PATCH', '/works/1', patch, '[{"op":"x"}]', `${patchBody}/schema/items/properties/op/enum`],
  [
    'an operation that cannot be applied',
    'PATCH',
    '/works/1',
    patch,
    '[{"op":"test","path":"/a","value":1}]',
    `${patchBody}/schema/items/properties/path`,
  ],
])('shows the part of the document that a request violates with %s', async (_, method, path, type, body, pointer) => {
  const folder = await writeFolder({ 'works.json': JSON.stringify(patchable) })
  const server = await startServer({ spec: `${folder}/works.json`, port: 0, records: 1 })
  onTestFinished(() => server.close())
  await fetch(`${server.url}${path}`, { method, headers: { 'Content-Type': type }, body })
  const [exchange] = (await (await fetch(`${server.url}/_sandbox/exchanges`)).json()) as { why: { pointer: string } }[]
  expect(exchange?.why.pointer).toBe(pointer)
})
