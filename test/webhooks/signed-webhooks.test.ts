/** Signatures of callbacks and webhooks, as their receivers verify them. */
import { createHmac } from 'node:crypto'
import { createSandbox, type SandboxOptions } from 'petstore-sandbox'
import { Webhook } from 'standardwebhooks'
import { expect, it, vi } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { hookDocument, orderSchema, sending } from '../support/webhook-document.js'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
const hmac = (text: string, hash = 'sha256') => createHmac(hash, key).update(text)

interface Received {
  headers: Record<string, string>
  body: string
}

/** @param parameters of the callback */
async function receive(
  parameters: object[],
  { statuses = [200], ...options }: SandboxOptions & { statuses?: number[] } = {},
) {
  const item = sending(orderSchema) as { post: object }
  const described = { post: { ...item.post, parameters } }
  const { contract } = await compileOnce(
    hookDocument({ create: { callbacks: { done: { 'http://receiver.example/hook': described } } } }),
  )
  const received: Received[] = []
  const sandbox = createSandbox({
    contract,
    webhookSecret: secret,
    async fetch(_, { headers, body }) {
      received.push({ headers: Object.fromEntries(new Headers(headers)), body: String(body) })
      return new Response('', { status: statuses[received.length - 1] ?? 200 })
    },
    ...options,
  })
  const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
  await sandbox.fetch('https://orders.example/v1/orders', { method: 'POST', headers, body: '{"item":"Lamp"}' })
  const exchange = await sandbox.exchanges.wait({ sent: true })
  return { sandbox, received, exchange }
}

it('sends headers that a verifier of Standard Webhooks accepts', async () => {
  const { received } = await receive([])
  const [{ headers, body } = { headers: {}, body: '' }] = received
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(headers['webhook-id']).toBe(headers['sandbox-delivery'])
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
})

it('takes a secret that is not Base64 as the key itself', async () => {
  const { received } = await receive([], { webhookSecret: 'a secret' })
  const [{ headers, body } = { headers: {}, body: '' }] = received
  expect(new Webhook('a secret', { format: 'raw' }).verify(body, headers)).toEqual(JSON.parse(body))
})

it('signs each attempt again, with the same id', async () => {
  const { sandbox, received } = await receive([], { statuses: [503, 200] })
  await sandbox.clock.advance(60_000)
  await expect.poll(() => received.length).toBe(2)
  for (const { headers, body } of received) new Webhook(secret).verify(body, headers)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

it.each<[name: string, described: object, write: (body: string) => string]>([
  ['X-Hub-Signature-256', {}, (body) => `sha256=${hmac(body).digest('hex')}`],
  ['X-Hub-Signature', { example: 'sha1=1f5ad1' }, (body) => `sha1=${hmac(body, 'sha1').digest('hex')}`],
  ['X-Signature', { description: 'Hex of HMAC' }, (body) => hmac(body).digest('hex')],
  ['X-Shop-Hmac-Sha256', { description: 'In Base64' }, (body) => hmac(body).digest('base64')],
  ['Signature', { description: 'SHA-512' }, (body) => hmac(body, 'sha512').digest('hex')],
])('signs in the documented header %s', async (name, described, write) => {
  const parameter = { in: 'header', name, ...described, schema: { type: 'string' } }
  for (const required of [true, false]) {
    const { received } = await receive([{ ...parameter, required }])
    expect(received[0]?.headers[name.toLowerCase()]).toBe(write(received[0]?.body ?? ''))
  }
})

it('signs the time in a documented header with both', async () => {
  const schema = { type: 'string', example: 't=1492774577,v1=5257a869e7' }
  const { received } = await receive([{ in: 'header', name: 'Pay-Signature', schema }])
  const [{ headers, body } = { headers: {} as Received['headers'], body: '' }] = received
  const [, at = '', signature] = /^t=(\d+),v1=(\w+)$/.exec(headers['pay-signature'] ?? '') ?? []
  expect(signature).toBe(hmac(`${at}.${body}`).digest('hex'))
})

it('signs nothing without a secret, and only headers that are a signature', async () => {
  const timestamp = {
    in: 'header',
    name: 'X-Signature-Timestamp',
    required: true,
    schema: { type: 'string', const: '1' },
  }
  const { webhookSecret: _, ...unsigned } = { webhookSecret: secret }
  const plain = await receive([timestamp], { ...unsigned, webhookSecret: undefined } as unknown as SandboxOptions)
  expect(Object.keys(plain.received[0]?.headers ?? {}).filter((each) => each.startsWith('webhook-'))).toEqual([])
  const signed = await receive([timestamp])
  expect(signed.received[0]?.headers['x-signature-timestamp']).toBe('1')
})

it('shows the headers in the journal, and never the secret', async () => {
  const { exchange, sandbox } = await receive([])
  expect(exchange.request.headers).toContain('webhook-signature')
  expect(JSON.stringify([exchange, await sandbox.exchanges.list({})])).not.toContain(secret.slice(6))
})

it.each(['', 'whsec_', 'whsec_not base64!'])('refuses the secret "%s"', async (webhookSecret) => {
  const message = 'webhookSecret must not be empty, and must have Base64 after "whsec_"'
  await expect(receive([], { webhookSecret })).rejects.toThrow(message)
  // The bundled document sends nothing.
  expect(() => createSandbox({ webhookSecret })).toThrow(message)
})

it('says what is missing in a page without Web Crypto', () => {
  vi.stubGlobal('crypto', {})
  expect(() => createSandbox({ webhookSecret: secret })).toThrow('open this page by https')
  vi.unstubAllGlobals()
})
