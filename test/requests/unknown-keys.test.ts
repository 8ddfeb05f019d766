/** Keys that no record has, through every transport. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'

const text = { type: 'string' }
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const object = (...names: string[]): Part => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
})
const listOf = (items: Part): Part => ({ type: 'array', items })
const named = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
const inPath = (name: string): Part => ({ name, in: 'path', required: true, schema: text })

const document = documentOf(
  {
    // The list and the creation of cards are below their column, the card is not.
    '/columns': { get: { responses: ok(listOf(object('id'))) } },
    '/columns/{columnId}/cards': {
      parameters: [inPath('columnId')],
      get: { responses: ok(listOf(named('Card'))) },
      post: { requestBody: json(object('note')), responses: ok(named('Card')) },
    },
    '/columns/cards/{cardId}': { parameters: [inPath('cardId')], get: { responses: ok(named('Card')) } },
    '/parcels': {
      get: { responses: ok({ type: 'object', properties: { data: listOf(object('ParcelId', 'Weight')) } }) },
    },
    '/parcels/activate': {
      post: { requestBody: json(object('ParcelId')), responses: ok(object('ParcelId', 'Weight')) },
    },
    '/parcels/{ParcelId}': { parameters: [inPath('ParcelId')], get: { responses: ok(object('ParcelId', 'Weight')) } },
    // Only the search shows verifications.
    '/verifications/by-phone/{phone}': {
      parameters: [inPath('phone')],
      get: { responses: ok({ type: 'object', properties: { data: listOf(named('Verification')) } }) },
    },
    '/verifications/call': { post: { requestBody: json(object('phone')), responses: ok(named('Verification')) } },
    '/verifications/{verificationId}': {
      parameters: [inPath('verificationId')],
      get: { responses: ok(named('Verification')) },
    },
    // Nothing shows the keys of singers.
    '/singers/{mbid}': { parameters: [inPath('mbid')], get: { responses: ok(object('mbid', 'voice')) } },
    '/singers/{mbid}/songs': { parameters: [inPath('mbid')], get: { responses: ok(listOf(object('title'))) } },
  },
  {
    components: {
      schemas: {
        Card: object('id', 'note'),
        Verification: object('verificationId', 'state'),
      },
    },
  },
)

describe.each(doors)('a key that no record has over %s', (door) => {
  it.each([
    ['GET', '/columns/cards/none'],
    ['GET', '/verifications/none'],
    ['POST', '/parcels/activate', { ParcelId: 'none' }],
  ])('gets 404 where any path shows keys: %s %s', async (method, target, body?: unknown) => {
    const connection = await openDocument(door, document)
    const headers: [string, string][] = [['Content-Type', 'application/json']]
    const sent = body === undefined ? { headers: [] } : { headers, body: JSON.stringify(body) }
    expect((await receive(connection, { method, target, ...sent })).status).toBe(404)
  })

  it('has a record where no path shows keys', async () => {
    const connection = await openDocument(door, document)
    const { status, text: body } = await receive(connection, { method: 'GET', target: '/singers/any' })
    expect([status, JSON.parse(body).mbid]).toEqual([200, 'any'])
  })
})

it('get 404 everywhere with the option unknownKeys', async () => {
  const { contract } = await compileDocument(document, 'songs.json', { unknownKeys: 404 })
  const sandbox = createSandbox({ contract })
  const statusOf = async (path: string) => (await sandbox.fetch(`http://localhost${path}`)).status
  expect(await statusOf('/singers/any')).toBe(404)
  expect(await statusOf('/singers/any/songs')).toBe(404)
})
