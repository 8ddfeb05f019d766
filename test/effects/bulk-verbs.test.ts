// A verb behind a collection, with the keys of records: it is done to each of them, and the answer counts them.
import { expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

const ids = object({ 'ids!': list(integer) })
const keys = object({ 'visitIds!': list(integer), note: text })

it.each([
  ['POST /visits/bulk-cancel', ids, object({ 'affected!': integer }), '{"affected":2}'],
  ['POST /visits/cancel-many', keys, object({ data: object({ cancelled: integer, updated: integer }) }), '"updated":2'],
  ['PATCH /visits/cancel', keys, integer, '200 2'],
  ['POST /visits/bulk/cancel', ids, list(named('Visit')), '"status":"cancelled"},{"id":2'],
])('%s', async (operation, body, answer, shown) => {
  const document = toDocument(
    {
      'POST /visits': { body: object({ 'guest!': text }), 201: named('Visit') },
      'GET /visits': { 200: list(named('Visit')) },
      'GET /visits/{visitId}': { 200: named('Visit') },
      [operation]: { body, 200: answer },
    },
    { Visit: object({ 'id!': integer, 'guest!': text, 'status!': oneOfTexts('planned', 'cancelled') }) },
  )
  const sandbox = await openSketch(document)
  for (const guest of ['a', 'b', 'c']) await ask(sandbox, `POST /visits {"guest":"${guest}"}`)
  const name = body === ids ? 'ids' : 'visitIds'
  expect(await ask(sandbox, `${operation} {"${name}":[1,2,99]}`)).toContain(shown)
  expect(await ask(sandbox, 'GET /visits')).toContain(
    '[{"id":3,"guest":"c","status":"planned"},{"id":2,"guest":"b","status":"cancelled"},{"id":1,"guest":"a","status":"cancelled"}]',
  )
})
