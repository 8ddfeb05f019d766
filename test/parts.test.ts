// Lists of a record that are the records below it: `items` of an order, and `/orders/{orderId}/items`.
import { it } from 'vitest'
import { runScript, type Script } from './support/script.js'
import { integer, list, named, object, type Schema, text, toDocument } from './support/sketch.js'

interface Names {
  path?: string
  property?: string
  key?: string
}

function orders(
  { path = 'items', property = path, key = 'id' }: Names = {},
  also: Record<string, Schema> = {},
): string {
  const below = `/orders/{orderId}/${path}`
  return toDocument(
    {
      'GET /orders': { 200: list(named('Order')) },
      'POST /orders': { body: object({ name: text, [property]: list(object({ title: text })) }), 201: named('Order') },
      'GET /orders/{orderId}': { 200: named('Order') },
      'PATCH /orders/{orderId}': { body: object({ [property]: list(named('Item')) }), 200: named('Order') },
      'DELETE /orders/{orderId}': { 204: null },
      [`GET ${below}`]: { 200: list(named('Item')) },
      [`POST ${below}`]: { body: object({ title: text }), 201: named('Item') },
      [`GET ${below}/{itemId}`]: { 200: named('Item') },
      [`PATCH ${below}/{itemId}`]: { body: object({ title: text }), 200: named('Item') },
      [`DELETE ${below}/{itemId}`]: { 204: null },
    },
    {
      Order: object({ 'id!': integer, name: text, [property]: list(named('Item')) }),
      Item: object({ [`${key}!`]: integer, title: text, ...also }),
    },
  )
}

const scripts: Script[] = [
  {
    name: 'a record that is added, changed and removed below its owner',
    document: orders(),
    steps: `
      POST /orders {"name":"a"} -> 201 {"id":1,"name":"a","items":[]}
      POST /orders {"name":"b"} -> 201
      POST /orders/1/items {"title":"x"} -> 201 {"id":1,"title":"x"}
      POST /orders/1/items {"title":"y"} -> 201 {"id":2,"title":"y"}
      GET /orders/1 -> 200 {"id":1,"name":"a","items":[{"id":1,"title":"x"},{"id":2,"title":"y"}]}
      PATCH /orders/1/items/1 {"title":"z"} -> 200 {"id":1,"title":"z"}
      GET /orders/1 -> 200 {"id":1,"name":"a","items":[{"id":1,"title":"z"},{"id":2,"title":"y"}]}
      DELETE /orders/1/items/1 -> 204
      GET /orders/1 -> 200 {"id":1,"name":"a","items":[{"id":2,"title":"y"}]}
      GET /orders/2 -> 200 {"id":2,"name":"b","items":[]}
    `,
  },
  {
    name: 'a list that creates records below its owner',
    document: orders(),
    steps: `
      POST /orders {"name":"a","items":[{"title":"x"},{"title":"y"}]} -> 201 {"id":1,"name":"a","items":[{"id":1,"title":"x"},{"id":2,"title":"y"}]}
      GET /orders/1/items/2 -> 200 {"id":2,"title":"y"}
      PATCH /orders/1 {"items":[{"id":2,"title":"z"}]} -> 200 {"id":1,"name":"a","items":[{"id":2,"title":"z"}]}
      GET /orders/1/items -> 200 [{"id":2,"title":"z"}]
      GET /orders/1/items/1 -> 404
      DELETE /orders/1 -> 204
      GET /orders/1/items -> 404
    `,
  },
  {
    name: 'names in another spelling, and a key with another name',
    document: orders({ path: 'line-items', property: 'lineItems', key: 'itemId' }),
    steps: `
      POST /orders {"lineItems":[{"title":"x"}]} -> 201 {"id":1,"lineItems":[{"itemId":1,"title":"x"}]}
      POST /orders/1/line-items {"title":"y"} -> 201 {"itemId":2,"title":"y"}
      GET /orders/1 -> 200 {"id":1,"lineItems":[{"itemId":1,"title":"x"},{"itemId":2,"title":"y"}]}
      GET /orders/1/line-items/1 -> 200 {"itemId":1,"title":"x"}
    `,
  },
  {
    name: 'a list with another name is only a list',
    document: orders({ path: 'items', property: 'remarks' }),
    steps: `
      POST /orders {"remarks":[]} -> 201 {"id":1,"remarks":[]}
      POST /orders/1/items {"title":"y"} -> 201
      GET /orders/1 -> 200 {"id":1,"remarks":[]}
    `,
  },
]

it.each(scripts)('follows $name', runScript)
