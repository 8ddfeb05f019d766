// What parameters of the query give to records.
import { it } from 'vitest'
import { runScript } from '../support/script.js'
import { flag, integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

it('keep what the verb of an action sets', () =>
  runScript({
    name: 'a parameter of the name of the state',
    document: toDocument(
      {
        'GET /orders': { 200: list(named('Order')) },
        'POST /orders': { body: object({ status: oneOfTexts('open', 'shipped') }), 201: named('Order') },
        'GET /orders/{orderId}': { 200: named('Order') },
        'POST /orders/{orderId}/ship': { query: ['status'], 200: named('Order') },
      },
      { Order: object({ 'id!': integer, status: oneOfTexts('open', 'shipped') }) },
    ),
    steps: `
      POST /orders {"status":"open"} -> 201 {"id":1,"status":"open"}
      POST /orders/1/ship -> 200 {"id":1,"status":"shipped"}
    `,
  }))

it('are taken by a removal that only marks a record', () =>
  runScript({
    name: 'a reason in the query',
    document: toDocument(
      {
        'GET /orders': { query: ['include_archived'], 200: list(named('Order')) },
        'POST /orders': { body: object({ note: text }), 201: named('Order') },
        'GET /orders/{orderId}': { 200: named('Order') },
        'DELETE /orders/{orderId}': { summary: 'Archives an order', query: ['reason'], 200: named('Order') },
      },
      { Order: object({ 'id!': integer, note: text, reason: text, archived: flag }) },
    ).replaceAll(
      '"name":"include_archived","in":"query","schema":{"type":"string"}',
      '"name":"include_archived","in":"query","schema":{"type":"boolean"}',
    ),
    steps: `
      POST /orders {"note":"a"} -> 201 {"id":1,"note":"a","archived":false}
      DELETE /orders/1?reason=lost -> 200 {"id":1,"note":"a","reason":"lost","archived":true}
    `,
  }))
