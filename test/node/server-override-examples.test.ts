/** The small services of examples/overrides do what their table says. */
import { join } from 'node:path'
import { startServer } from 'petstore-sandbox/node'
import { expect, it } from 'vitest'
import { root } from '../support/launch.js'

type Step = readonly [request: string, body: object | undefined, status: number, answer?: object]

const services: Record<string, readonly Step[]> = {
  card: [
    ['POST /payments', { amount: 5, card: '4000000000000002' }, 402, { code: 'card_declined' }],
    ['POST /payments', { amount: 5, card: '4242' }, 201, { amount: 5 }],
  ],
  roles: [
    ['POST /articles', { title: 'Rain' }, 403],
    ['POST /login', { name: 'ada', password: 'wrong' }, 401],
    ['POST /login', { name: 'ben', password: 'secret' }, 200, { role: 'reader' }],
    ['POST /articles', { title: 'Rain' }, 403],
    ['POST /login', { name: 'ada', password: 'secret' }, 200, { role: 'editor' }],
    ['POST /articles', { title: 'Rain' }, 201, { title: 'Rain' }],
  ],
  price: [
    ['POST /orders', { lines: [{ price: 4, quantity: 3 }] }, 201, { total: 12 }],
    ['POST /orders', { lines: [{ price: 40, quantity: 5 }] }, 201, { total: 180 }],
  ],
  job: [
    ['POST /renders', { source: 'broken.svg' }, 202, { state: 'working' }],
    ['GET /renders/1', undefined, 200, { state: 'working' }],
    ['GET /renders/1', undefined, 200, { state: 'failed', error: 'The source cannot be read' }],
    ['POST /renders', { source: 'tree.svg' }, 202, { state: 'working' }],
    ['GET /renders/2', undefined, 200, { state: 'working' }],
    ['GET /renders/2', undefined, 200, { state: 'done' }],
  ],
  stock: [
    ['POST /items', { stock: 1 }, 201, { id: 1, stock: 1 }],
    ['POST /sales', { item: 1 }, 201, { item: 1 }],
    ['GET /items/1', undefined, 200, { stock: 0 }],
    ['POST /sales', { item: 1 }, 409, { message: 'The item is sold out' }],
  ],
}

it.each(Object.keys(services))('the service %s does what its overrides say', async (name) => {
  const file = (extension: string) => join(root, `examples/overrides/services/${name}.${extension}`)
  const server = await startServer({ port: 0, spec: file('yaml'), overrides: file('js'), records: 0 })
  try {
    for (const [request, body, status, answer = {}] of services[name] ?? []) {
      const [method = '', path = ''] = request.split(' ')
      const sent = body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
      const response = await fetch(`${server.url}/v1${path}`, { method, ...sent })
      const received = await response.json()
      expect([request, response.status, received]).toEqual([request, status, expect.objectContaining(answer)])
    }
  } finally {
    await server.close()
  }
})
