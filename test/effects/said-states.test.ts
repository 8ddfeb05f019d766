// What the summary of an operation says of the state of a record: which one it needs, and that it only goes out of use.
import { expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { flag, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

const sent = object({ title: text, status: oneOfTexts('draft', 'published'), is_active: flag })
const survey = object({ 'id!': { type: 'integer' }, ...(sent['properties'] as Record<string, typeof text>) })

async function open(update: string, remove: string) {
  const operations = {
    'GET /surveys': { 200: list(named('Survey')) },
    'POST /surveys': { body: sent, 201: named('Survey') },
    'GET /surveys/{id}': { 200: named('Survey'), 404: null },
    'PUT /surveys/{id}': { summary: update, body: sent, 200: named('Survey'), 409: null },
    'DELETE /surveys/{id}': { summary: remove, 204: null },
  }
  const sandbox = await openSketch(toDocument(operations, { Survey: survey }))
  await ask(sandbox, 'POST /surveys {"title":"Old","status":"published","is_active":true}')
  await ask(sandbox, 'POST /surveys {"title":"New","status":"draft","is_active":true}')
  return (request: string) => ask(sandbox, request)
}

it.each([
  { update: 'Update a draft survey', status: 409 },
  { update: 'Update a survey', status: 200 },
  { update: 'Update a survey, for example as a draft', status: 200 },
])('"$update" of a published one gets $status', async ({ update, status }) => {
  const send = await open(update, 'Delete')
  expect(await send('PUT /surveys/1 {"title":"Changed","status":"published"}')).toMatch(new RegExp(`^${status}\\b`))
  expect(await send('PUT /surveys/2 {"title":"Changed","status":"draft"}')).toMatch(/^200\b/)
})

it.each([
  { remove: 'Deactivate a survey', shown: /^200 .*"is_active":false/ },
  { remove: 'Delete a survey', shown: /^404/ },
])('after "$remove" it is $shown', async ({ remove, shown }) => {
  const send = await open('Update', remove)
  await send('DELETE /surveys/1')
  expect(await send('GET /surveys/1')).toMatch(shown)
})
