// Creations that are known by what they answer.
import { expect, it } from 'vitest'
import { openSketch, runScript } from '../support/script.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

const walk = object({ 'id!': integer, title: text, shop_id: integer })
const title = object({ title: text })
const read = { 'GET /walks': { 200: list(named('Walk')) }, 'GET /walks/{id}': { 200: named('Walk') } }

it.each([
  [
    'a PUT that only says that something was created, below what has no path',
    { 'PUT /shops/{id}/walks': { body: title, 201: named('Walk') } },
    'PUT /shops/7/walks {"title":"a"} -> 201 {"id":1,"title":"a","shop_id":7}',
    '{"id":1,"title":"a","shop_id":7}',
  ],
  [
    'a POST of a variant that answers with the key',
    { 'POST /walks/guided': { body: title, 201: object({ id: integer }) } },
    'POST /walks/guided {"title":"a"} -> 201 {"id":1}',
    '{"id":1,"title":"a"}',
  ],
  [
    'a POST that answers with a list of what was created, beside one of what was changed',
    {
      'POST /walks': {
        body: title,
        201: object({ createdWalks: list(named('Walk')), updatedWalks: list(named('Walk')) }),
      },
    },
    'POST /walks {"title":"a"} -> 201 {"createdWalks":[{"id":1,"title":"a"}],"updatedWalks":[]}',
    '{"id":1,"title":"a"}',
  ],
])('%s', async (name, operations, made, shown) => {
  const document = toDocument({ ...operations, ...read }, { Walk: walk })
  const steps = `
    ${made}
    GET /walks/1 -> 200 ${shown}
    GET /walks -> 200 [${shown}]
  `
  await runScript({ name, document, steps })
})

it('a POST of a record that has a list, although its noun is also a verb', async () => {
  const search = object({ 'id!': integer, title: text, 'rules!': list(object({ field: text })) })
  const document = toDocument(
    {
      'GET /searches': { 200: list(named('Search')) },
      'POST /searches': { id: 'post-search', summary: 'Create a new search', body: title, 200: named('Search') },
      'GET /searches/{id}': { 200: named('Search') },
    },
    { Search: search },
  )
  const steps = `
    POST /searches {"title":"a"} -> 200 {"id":1,"title":"a","rules":[]}
    GET /searches/1 -> 200 {"id":1,"title":"a","rules":[]}
  `
  await runScript({ name: 'search', document, steps })
})

it.each([
  ['anything', { 404: null }, '404', '404'],
  ['what exists only', {}, '200 {"id":9,"title":"c"}', '200 {"id":9,"title":"c"}'],
])('a POST that updates what exists, and with an unknown key %s', async (name, others, unknown, read) => {
  const body = object({ id: integer, 'title!': text })
  const document = toDocument(
    {
      'GET /walks': { 200: list(named('Walk')) },
      'POST /walks': { summary: 'Post a new walk or update an existing one', body, 200: named('Walk'), ...others },
      'GET /walks/{id}': { 200: named('Walk'), 404: null },
    },
    { Walk: object({ 'id!': integer, 'title!': text }) },
  )
  const steps = `
    POST /walks {"title":"a"} -> 200 {"id":1,"title":"a"}
    POST /walks {"id":1,"title":"b"} -> 200 {"id":1,"title":"b"}
    GET /walks -> 200 [{"id":1,"title":"b"}]
    POST /walks {"id":9,"title":"c"} -> ${unknown}
    GET /walks/9 -> ${read}
  `
  await runScript({ name, document, steps })
})

it('a POST above the path of a record tells its address, of which it sends a part', async () => {
  const label = object({ 'kind!': text, 'value!': text })
  const document = JSON.parse(
    toDocument(
      {
        'GET /labels': { 200: list(named('Label')) },
        'POST /labels': { body: label, 201: named('Label') },
        'GET /labels/{kind}': { 200: list(named('Label')) },
        'GET /labels/{kind}/{value}': { 200: named('Label') },
      },
      { Label: label },
    ),
  )
  document.paths['/labels'].post.responses['201'].headers = { Location: { schema: { type: 'string' } } }
  for (const path of ['/labels/{kind}', '/labels/{kind}/{value}'])
    for (const parameter of document.paths[path].parameters ?? document.paths[path].get.parameters)
      parameter.schema = text
  const sandbox = await openSketch(JSON.stringify(document))
  const answer = await sandbox.fetch('https://api.example/labels', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'team', value: 'blue' }),
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([201, '/labels/team/blue'])
})

it('a POST whose answer of another schema shows the status that was sent, and not a sample of it', () =>
  runScript({
    name: 'a summary',
    document: toDocument(
      {
        'GET /letters': { 200: list(named('Letter')) },
        'POST /letters': { body: object({ status: text, title: text }), 201: named('Receipt') },
        'GET /letters/{letterId}': { 200: named('Letter') },
        'GET /parcels': { 200: list(named('Parcel')) },
        'POST /parcels': { body: object({ title: text }), 201: named('ParcelReceipt') },
        'GET /parcels/{parcelId}': { 200: named('Parcel') },
      },
      {
        Letter: object({ 'letterId!': text, status: text, title: text }),
        Receipt: object({
          'letterId!': text,
          status: { ...text, example: 'sent' },
        }),
        Parcel: object({ 'parcelId!': text, status: text, title: text }),
        ParcelReceipt: object({ 'parcelId!': text, status: { ...text, example: 'ok' } }),
      },
    ),
    steps: `
      POST /letters {"status":"draft","title":"a"} -> 201 {"letterId":"1","status":"draft"}
      POST /parcels {"title":"a"} -> 201 {"parcelId":"1","status":"ok"}
    `,
  }))
