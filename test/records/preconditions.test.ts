// Descriptions of refusals say which state a record must have, and what must not belong to it.
import { expect, it } from 'vitest'
import { describeChanges } from '../../src/contract/effects/describe-changes.js'
import { compileOnce } from '../support/compile-once.js'
import { runScript, type Script } from '../support/script.js'
import { flag, integer, list, named, object, oneOfTexts, type Schema, text, toDocument } from '../support/sketch.js'

/** A document in which refusals have other descriptions. */
function described(document: string, refusals: Record<string, Record<string, string>>): string {
  const parsed = JSON.parse(document)
  for (const [name, responses] of Object.entries(refusals)) {
    const [method = '', path = ''] = name.split(' ')
    for (const [status, description] of Object.entries(responses))
      parsed.paths[path][method.toLowerCase()].responses[status] = { description }
  }
  return JSON.stringify(parsed)
}

const parcel: Record<string, Schema> = {
  'id!': integer,
  status: oneOfTexts('draft', 'sent', 'delivered', 'cancelled'),
  locked: flag,
}
const parcels = (refusals: Record<string, Record<string, string>>) =>
  described(
    toDocument(
      {
        'GET /parcels': { 200: list(named('Parcel')) },
        'POST /parcels': { body: object({ status: oneOfTexts('draft', 'sent'), locked: flag }), 201: named('Parcel') },
        'GET /parcels/{id}': { 200: named('Parcel') },
        'PATCH /parcels/{id}': { body: object({ status: text }), 200: named('Parcel') },
        'DELETE /parcels/{id}': { 204: null },
        'POST /parcels/{id}/cancel': { 200: named('Parcel') },
      },
      { Parcel: object(parcel) },
    ),
    refusals,
  )

const cancels: [description: string, status: number][] = [
  ['Only draft parcels can be cancelled', 409],
  ['The parcel is not in draft', 422],
  ['Parcel is not in the `draft` state', 400],
  ['The parcel must be in state draft.', 409],
  ['The parcel has already been sent or delivered', 409],
  ['Cannot cancel a parcel that was sent', 409],
  ['Invalid parcel. Parcel is already sent.', 400],
]

const rack: Record<string, Schema> = { 'id!': integer, name: text }
const racks = (refusals: Record<string, string>, others: Record<string, Schema> = {}) =>
  described(
    toDocument(
      {
        'POST /racks': { body: object({ name: text }), 201: named('Rack') },
        'DELETE /racks/{id}': { 204: null },
        'GET /racks/{id}': { 200: named('Rack') },
        'POST /books': { body: object({ title: text, rack_id: integer, ...others }), 201: named('Book') },
        'DELETE /books/{id}': { 204: null },
        'PATCH /books/{id}': { body: object({ title: text, ...others }), 200: named('Book') },
        'GET /books/{id}': { 200: named('Book') },
      },
      { Rack: object(rack), Book: object({ 'id!': integer, title: text, rack_id: integer, ...others }) },
    ),
    { 'DELETE /racks/{id}': refusals },
  )

const scripts: Script[] = [
  ...cancels.map(
    ([description, status]): Script => ({
      name: `an action: ${description}`,
      document: parcels({ 'POST /parcels/{id}/cancel': { [status]: description } }),
      steps: `
        POST /parcels {"status":"sent"} -> 201
        POST /parcels {"status":"draft"} -> 201
        POST /parcels/1/cancel -> ${status}
        GET /parcels/1 -> 200 {"id":1,"status":"sent","locked":false}
        POST /parcels/2/cancel -> 200 {"id":2,"status":"cancelled","locked":false}
      `,
    }),
  ),
  {
    name: 'a removal, and a change, by a flag',
    document: parcels({
      'DELETE /parcels/{id}': { 403: 'Forbidden: you have no permission to draft. The parcel is locked.' },
      'PATCH /parcels/{id}': { 409: 'A locked parcel cannot be changed if it is locked' },
    }),
    steps: `
      POST /parcels {"status":"sent","locked":true} -> 201
      POST /parcels {"status":"sent","locked":false} -> 201
      PATCH /parcels/1 {"status":"draft"} -> 409
      PATCH /parcels/2 {"status":"draft"} -> 200
      DELETE /parcels/1 -> 403
      DELETE /parcels/2 -> 204
    `,
  },
  {
    name: 'a refusal that names no state',
    document: parcels({ 'POST /parcels/{id}/cancel': { 409: 'The courier is on the road' } }),
    steps: `
      POST /parcels {"status":"sent"} -> 201
      POST /parcels/1/cancel -> 200
      POST /parcels/1/cancel -> 200
    `,
  },
  ...['The rack still has books', 'Rack is in use', 'The rack is not empty', 'Books are assigned to it'].map(
    (description): Script => ({
      name: `a removal: ${description}`,
      document: racks({ 409: description }),
      steps: `
        POST /racks {"name":"a"} -> 201
        POST /racks {"name":"b"} -> 201
        POST /books {"title":"Emma","rack_id":1} -> 201
        DELETE /racks/1 -> 409
        GET /racks/1 -> 200
        DELETE /racks/2 -> 204
        DELETE /books/1 -> 204
        DELETE /racks/1 -> 204
      `,
    }),
  ),
  {
    name: 'a removal while something is open',
    document: racks({ 422: 'Rack has open books' }, { state: oneOfTexts('open', 'closed') }),
    steps: `
      POST /racks {"name":"a"} -> 201
      POST /books {"title":"Emma","rack_id":1,"state":"open"} -> 201
      DELETE /racks/1 -> 422
      PATCH /books/1 {"state":"closed"} -> 200
      DELETE /racks/1 -> 204
    `,
  },
  {
    name: 'a removal that says nothing of what belongs to it',
    document: racks({ 409: 'Conflict', 403: 'You have no access to books' }),
    steps: `
      POST /racks {"name":"a"} -> 201
      POST /books {"title":"Emma","rack_id":1} -> 201
      DELETE /racks/1 -> 204
    `,
  },
  {
    name: 'a removal with what its path is above',
    document: described(
      toDocument(
        {
          'POST /racks': { body: object({ name: text }), 201: named('Rack') },
          'GET /racks/{id}': { 200: named('Rack') },
          'DELETE /racks/{id}': { 204: null },
          'POST /racks/{id}/boxes': { body: object({ name: text }), 201: named('Rack') },
          'DELETE /racks/{id}/boxes/{boxId}': { 204: null },
          'GET /racks/{id}/boxes/{boxId}': { 200: named('Rack') },
        },
        { Rack: object(rack) },
      ),
      { 'DELETE /racks/{id}': { 409: 'Returned if the rack contains boxes.' } },
    ),
    steps: `
      POST /racks {"name":"a"} -> 201
      POST /racks/1/boxes {"name":"b"} -> 201
      DELETE /racks/1 -> 409
      DELETE /racks/1/boxes/1 -> 204
      DELETE /racks/1 -> 204
    `,
  },
]

const renaming: Script = {
  name: 'a record that is renamed, with what belongs to it',
  document: toDocument(
    {
      'POST /racks': { body: object({ 'name!': text, size: integer }), 201: named('Rack') },
      'GET /racks/{rackName}': { 200: named('Rack') },
      'PUT /racks/{rackName}': { summary: 'Replace a rack', body: named('Rack'), 200: named('Rack') },
      'POST /racks/{rackName}': { summary: 'Rename the rack', body: object({ name: text }), 200: named('Rack') },
      'POST /racks/{rackName}/boxes': { body: object({ title: text }), 201: named('Box') },
      'GET /racks/{rackName}/boxes/{id}': { 200: named('Box') },
    },
    { Rack: object({ 'name!': text, size: integer }), Box: object({ 'id!': integer, title: text }) },
  ),
  steps: `
    POST /racks {"name":"a","size":2} -> 201
    POST /racks {"name":"b"} -> 201
    POST /racks/a/boxes {"title":"x"} -> 201 {"id":1,"title":"x"}
    POST /racks/a {"name":"b"} -> 409
    POST /racks/a {"name":"c"} -> 200 {"name":"c","size":2}
    GET /racks/a -> 404
    GET /racks/c -> 200 {"name":"c","size":2}
    GET /racks/c/boxes/1 -> 200 {"id":1,"title":"x"}
    GET /racks/a/boxes/1 -> 404
    PUT /racks/b {"name":"d","size":1} -> 200 {"name":"b","size":1}
  `,
}

/** Users of whom a creation sends several names. */
const users: Script = {
  name: 'a user who exists already, with one of the names that users log in with',
  document: described(
    toDocument(
      {
        'POST /users': { body: object({ email: text, name: text, password: text }), 201: named('User') },
        'GET /users/{id}': { 200: named('User') },
      },
      { User: object({ 'id!': integer, email: text, name: text }) },
    ),
    { 'POST /users': { 400: 'User already exists', 422: 'Invalid' } },
  ),
  steps: `
    POST /users {"email":"a@x.example","name":"Ada"} -> 201
    POST /users {"email":"b@x.example","name":"Ada"} -> 201
    POST /users {"email":"a@x.example","name":"Eve"} -> 400
  `,
}

it.each([...scripts, users, renaming])('$name', runScript)

it('is told of each operation', async () => {
  const refused = { 409: 'The rack still has books' }
  const { contract } = await compileOnce(racks(refused))
  const removal = contract.operations.find(({ path, method }) => path === '/racks/{id}' && method === 'DELETE')
  expect(removal && describeChanges(removal.effect)).toEqual(['only if no rack_id in books names it'])
})
