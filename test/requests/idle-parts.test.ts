// What a request has that has no effect is noted once for each operation and world.
import { expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

const document = toDocument(
  {
    'GET /boats': { id: 'listBoats', query: ['region', 'name'], 200: list(named('Boat')) },
    'GET /boats/{boatId}': { 200: named('Boat') },
    'POST /boats/{boatId}/wax': { 200: named('Boat') },
  },
  { Boat: object({ 'id!': integer, name: text }) },
)

it('notes parameters and actions of which nothing is known', async () => {
  const sandbox = await openSketch(document, { scenario: { boats: [{ id: 1, name: 'Ida' }] } })
  for (const query of ['?name=Ida', '?region=a', '?region=b']) await ask(sandbox, `GET /boats${query}`)
  for (let times = 0; times < 2; times++) await ask(sandbox, 'POST /boats/1/wax')
  const region = '"region" has no effect: nothing says what it means'
  const wax = 'POST /boats/{boatId}/wax changes nothing: nothing says what it does'
  const unchanged = 'the request changed nothing'
  const notes = sandbox.journal.list().map((each) => each.notes)
  expect(notes).toEqual([[], [region], [], [wax, unchanged], [unchanged]])
})
