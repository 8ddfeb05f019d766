// Lists of a record that are the records below it: `items` of an order, and `/orders/{orderId}/items`.
import { it } from 'vitest'
import { runScript, type Script } from '../support/script.js'
import { flag, integer, list, named, object, oneOfTexts, type Schema, text, toDocument } from '../support/sketch.js'

interface Names {
  path?: string
  property?: string
  key?: string
  /** What the list of an order says of an item. */
  item?: Schema
}

function orders(
  { path = 'items', property = path, key = 'id', item = named('Item') }: Names = {},
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
      Order: object({ 'id!': integer, name: text, [property]: list(item) }),
      Item: object({ [`${key}!`]: integer, title: text, ...also }),
    },
  )
}

/** A list that creations have, and records do not. */
const threads = toDocument(
  {
    'GET /threads': { 200: list(named('Thread')) },
    'POST /threads': { body: object({ title: text, messages: list(named('NewMessage')) }), 201: named('Thread') },
    'GET /threads/{thread_id}': { 200: named('Thread') },
    'PATCH /threads/{thread_id}': { body: object({ title: text }), 200: named('Thread') },
    'GET /threads/{thread_id}/messages': { 200: list(named('Message')) },
    'POST /threads/{thread_id}/messages': { body: named('NewMessage'), 201: named('Message') },
    'GET /threads/{thread_id}/messages/{message_id}': { 200: named('Message') },
    'DELETE /threads/{thread_id}/messages/{message_id}': { 204: null },
  },
  {
    Thread: object({ 'id!': integer, title: text }),
    Message: object({ 'id!': integer, body: text, status: oneOfTexts('new', 'read'), thread_id: integer }),
    NewMessage: object({ 'body!': text, status: { ...oneOfTexts('new', 'read'), default: 'new' } }),
  },
)

/** A list in an object around it, which requests send without the object. */
const carts = toDocument(
  {
    'GET /carts': { 200: list(named('Cart')) },
    'POST /carts': { body: object({ name: text, lines: list(object({ title: text })) }), 201: named('Cart') },
    'GET /carts/{cartId}': { 200: named('Cart') },
    'GET /carts/{cartId}/lines': { 200: list(named('Line')) },
    'POST /carts/{cartId}/lines': { body: object({ title: text }), 201: named('Line') },
    'DELETE /carts/{cartId}/lines/{lineId}': { 204: null },
  },
  {
    Cart: object({
      'id!': integer,
      name: text,
      lines: object({ 'data!': list(named('Line')), 'total_count!': integer }),
    }),
    Line: object({ 'id!': integer, title: text }),
  },
)

/** A creation whose body has nothing but a list. */
const wrapped = (property: string) =>
  toDocument(
    {
      'GET /members': { 200: list(named('Member')) },
      'POST /members': { body: object({ name: text }), 201: named('Member') },
      'GET /members/{memberId}': { 200: named('Member') },
      'GET /members/{memberId}/tags': { 200: object({ tags: list(named('Tag')) }) },
      'POST /members/{memberId}/tags': {
        id: 'createMemberTag',
        body: object({ [property]: list(object({ title: text })), is_syncing: flag }),
        204: null,
      },
      'GET /members/{memberId}/tags/{tagId}': { 200: named('Tag') },
    },
    { Member: object({ 'id!': integer, name: text }), Tag: object({ 'id!': integer, title: text }) },
  )

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
    name: 'a list that only creations have, whose records begin as if they were created alone',
    document: threads,
    steps: `
      POST /threads {"title":"a","messages":[{"body":"x"},{"body":"y","status":"read"}]} -> 201 {"id":1,"title":"a"}
      GET /threads/1/messages -> 200 [{"id":2,"body":"y","status":"read","thread_id":1},{"id":1,"body":"x","status":"new","thread_id":1}]
      POST /threads/1/messages {"body":"z"} -> 201 {"id":3,"body":"z","status":"new","thread_id":1}
      DELETE /threads/1/messages/1 -> 204
      GET /threads/1/messages -> 200 [{"id":3,"body":"z","status":"new","thread_id":1},{"id":2,"body":"y","status":"read","thread_id":1}]
      POST /threads {"title":"b"} -> 201 {"id":2,"title":"b"}
      GET /threads/2/messages -> 200 []
      PATCH /threads/2 {"title":"c"} -> 200 {"id":2,"title":"c"}
      GET /threads/1/messages/3 -> 200 {"id":3,"body":"z","status":"new","thread_id":1}
    `,
  },
  {
    name: 'a list in an object with the number of its items',
    document: carts,
    steps: `
      POST /carts {"name":"a","lines":[{"title":"x"}]} -> 201 {"id":1,"name":"a","lines":{"data":[{"id":1,"title":"x"}],"total_count":1}}
      GET /carts/1/lines -> 200 [{"id":1,"title":"x"}]
      POST /carts/1/lines {"title":"y"} -> 201 {"id":2,"title":"y"}
      GET /carts/1 -> 200 {"id":1,"name":"a","lines":{"data":[{"id":1,"title":"x"},{"id":2,"title":"y"}],"total_count":2}}
      DELETE /carts/1/lines/1 -> 204
      GET /carts/1 -> 200 {"id":1,"name":"a","lines":{"data":[{"id":2,"title":"y"}],"total_count":1}}
      POST /carts {"name":"b"} -> 201 {"id":2,"name":"b","lines":{"data":[],"total_count":0}}
    `,
  },
  {
    name: 'a list that describes records in another way',
    document: orders({ item: object({ 'id!': integer, 'title!': oneOfTexts('short') }) }),
    steps: `
      POST /orders {"name":"a"} -> 201 {"id":1,"name":"a","items":[]}
      POST /orders/1/items {"title":"x"} -> 201 {"id":1,"title":"x"}
      GET /orders/1/items -> 200 [{"id":1,"title":"x"}]
      GET /orders/1 -> 200 {"id":1,"name":"a","items":[{"id":1,"title":"short"}]}
      DELETE /orders/1/items/1 -> 204
      GET /orders/1 -> 200 {"id":1,"name":"a","items":[]}
    `,
  },
  {
    name: 'a creation that takes its records in a list',
    document: wrapped('tags'),
    steps: `
      POST /members {"name":"a"} -> 201 {"id":1,"name":"a"}
      POST /members {"name":"b"} -> 201 {"id":2,"name":"b"}
      POST /members/1/tags {"tags":[{"title":"x"},{"title":"y"}]} -> 204
      GET /members/1/tags -> 200 {"tags":[{"id":2,"title":"y"},{"id":1,"title":"x"}]}
      GET /members/2/tags -> 200 {"tags":[]}
    `,
  },
  {
    name: 'a creation that has another list beside its record',
    document: wrapped('remarks'),
    steps: `
      POST /members {"name":"a"} -> 201 {"id":1,"name":"a"}
      POST /members/1/tags {"remarks":[{"title":"x"},{"title":"y"}]} -> 204
      GET /members/1/tags -> 200 {"tags":[{"id":1}]}
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
