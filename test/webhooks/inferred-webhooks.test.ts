/** After which operations webhooks are sent that no rule names. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { documentOf, type Part } from '../support/one-operation.js'

const text: Part = { type: 'string' }
const order: Part = { type: 'object', properties: { id: text, state: text } }
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const responses: Part = { 200: { description: 'ok', ...json(order) } }
const id: Part = { name: 'id', in: 'path', required: true, schema: text }
const item: Part = { type: 'object', properties: { id: text, title: text } }

const documentWith = (name: string, others: Part = {}) =>
  documentOf(
    {
      '/orders': {
        get: {
          operationId: 'list',
          responses: { 200: { description: 'ok', ...json({ type: 'array', items: order }) } },
        },
        post: { operationId: 'create', requestBody: json(order), responses },
      },
      '/orders/{id}': {
        parameters: [id],
        get: { operationId: 'read', responses },
        patch: { operationId: 'update', requestBody: json(order), responses },
        delete: { operationId: 'remove', responses: { 204: { description: 'ok' } } },
      },
      '/orders/{id}/ship': {
        parameters: [id],
        delete: { operationId: 'unship', responses },
        post: { operationId: 'ship', responses, description: 'Sends `parcel.sent`.' },
      },
      '/order-items': {
        get: {
          operationId: 'items',
          responses: { 200: { description: 'ok', ...json({ type: 'array', items: item }) } },
        },
        post: {
          operationId: 'addItem',
          requestBody: json(item),
          responses: { 201: { description: 'ok', ...json(item) } },
        },
      },
    },
    {
      webhooks: { [name]: { post: { requestBody: json(order), responses: { 200: { description: 'ok' } } } } },
      ...others,
    },
  )

async function operationsOf(name: string, others: Part = {}): Promise<string[]> {
  const { contract } = await compileDocument(documentWith(name, others))
  return (contract.webhooks ?? []).flatMap(({ on }) => on)
}

describe('a webhook without a rule is sent after what its name or a description says', () => {
  it.each([
    ['order.created', ['create']],
    ['newOrder', ['create']],
    ['order-updated', ['update']],
    ['orderDeleted', ['remove']],
    ['order.shipped', ['ship']],
    ['on_order_ship', ['ship']],
    ['order_item.added', ['addItem']],
    ['parcel.sent', ['ship']],
    ['order', []],
    ['order.paid', []],
    ['customer.created', []],
    ['order.note.created', []],
    ['sent', []],
  ])('%s: %j', async (name, expected) => {
    expect(await operationsOf(name)).toEqual(expected)
  })

  it.each([
    ['Sent after `addItem` has succeeded.', ['addItem']],
    ['Sent after POST /orders/{id}/ship.', ['ship']],
    ['Sent after something.', []],
  ])('or its own description: %s %j', async (description, expected) => {
    const responses = { 200: { description: 'ok' } }
    const webhooks = { moved: { post: { description, requestBody: json(order), responses } } }
    expect(await operationsOf('moved', { webhooks })).toEqual(expected)
  })

  it('unless a rule names others', async () => {
    expect(await operationsOf('order.created', { 'x-sandbox-webhooks': { 'order.created': 'ship' } })).toEqual(['ship'])
  })

  it.each([undefined, 'https://shop.example/hook'])('only with an address: %s', async (webhookUrl) => {
    const { contract } = await compileDocument(documentWith('order.created'))
    const sent: string[] = []
    const fetch = async (url: string) => {
      sent.push(url)
      return new Response()
    }
    const sandbox = createSandbox({ contract, fetch, ...(webhookUrl && { webhookUrl }) })
    const headers = { 'Content-Type': 'application/json' }
    await sandbox.fetch('http://shop.example/orders', { method: 'POST', headers, body: '{"state":"open"}' })
    if (webhookUrl) await sandbox.exchanges.wait({ sent: true })
    expect(sent).toEqual([webhookUrl].filter(Boolean))
    expect(await sandbox.exchanges.list({ sent: true })).toHaveLength(sent.length)
  })
})
