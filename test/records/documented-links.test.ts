// Links of answers say which values are keys, and of which records.
import { generateScenario } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { runScript, type Script } from '../support/script.js'
import { integer, list, named, object, type Schema, text, toDocument } from '../support/sketch.js'

const body = object({ 'title!': text })
const ticket = (properties: Record<string, Schema>) => object({ title: text, ...properties })

const scripts: Script[] = [
  {
    name: 'the key that no name shows',
    document: toDocument({
      'POST /tickets': {
        body,
        201: ticket({ 'stub!': text, seat: text }),
        links: { show: { xKey: '$response.body#/stub' } },
      },
      'GET /tickets/{xKey}': { id: 'show', 200: ticket({ stub: text, seat: text }) },
    }),
    steps: `
      POST /tickets {"title":"a"} -> 201 {"title":"a","stub":"1"}
      GET /tickets/1 -> 200 {"title":"a","stub":"1"}
    `,
  },
  {
    name: 'a key that only the answer to the creation has',
    document: toDocument({
      'POST /tickets': { body, 201: object({ 'stub!': integer }), links: { show: { x: '$response.body#/stub' } } },
      'GET /tickets/{x}': { id: 'show', 200: ticket({}) },
    }),
    steps: `
      POST /tickets {"title":"a"} -> 201 {"stub":1}
      GET /tickets/1 -> 200 {"title":"a"}
    `,
  },
  {
    name: 'a key that no schema has',
    document: toDocument({
      'POST /tickets': { body, 201: {}, links: { show: { x: '$response.body#/stub' } } },
      'GET /tickets/{x}': { id: 'show', 200: {} },
    }),
    steps: `
      POST /tickets {"title":"a"} -> 201 {"stub":1,"title":"a"}
      GET /tickets/1 -> 200 {"stub":1,"title":"a"}
    `,
  },
  {
    name: 'a second key, and the place of records in answers',
    document: toDocument({
      'POST /tickets': {
        body: object({ title: text, mark: text }),
        201: object({ ticket: ticket({ id: integer, mark: text }) }),
        links: { show: { xKey: '$response.body#/ticket/id' }, drop: { xKey: '$response.body#/ticket/mark' } },
      },
      'GET /tickets/{xKey}': { id: 'show', 200: object({ ticket: ticket({ id: integer, mark: text }) }) },
      'DELETE /tickets/{xKey}': { id: 'drop', 204: null },
    }),
    steps: `
      POST /tickets {"title":"a","mark":"m"} -> 201 {"ticket":{"title":"a","id":1,"mark":"m"}}
      GET /tickets/m -> 200 {"ticket":{"title":"a","id":1,"mark":"m"}}
      DELETE /tickets/m -> 204
      GET /tickets/1 -> 404
    `,
  },
  {
    name: 'records that are created at another path',
    document: toDocument(
      {
        'POST /checkout': { body, 201: named('Ticket'), links: { show: { x: '$response.body#/no' } } },
        'GET /tickets': { 200: list(named('Ticket')) },
        'GET /tickets/{x}': { id: 'show', 200: named('Ticket') },
      },
      { Ticket: ticket({ 'no!': integer }) },
    ),
    steps: `
      POST /checkout {"title":"a"} -> 201 {"title":"a","no":1}
      POST /checkout {"title":"b"} -> 201 {"title":"b","no":2}
      GET /tickets/2 -> 200 {"title":"b","no":2}
      GET /tickets -> 200 [{"title":"b","no":2},{"title":"a","no":1}]
    `,
  },
  {
    name: 'the owner in a path of another name',
    document: toDocument(
      {
        'POST /venues': { body, 201: named('Venue'), links: { list: { x: '$response.body#/id' } } },
        'GET /venues/{id}': { 200: named('Venue') },
        'DELETE /venues/{id}': { 204: null },
        'GET /programmes/{x}/shows': { id: 'list', 200: list(named('Show')) },
        'POST /programmes/{x}/shows': { body, 201: named('Show') },
        'GET /programmes/{x}/shows/{id}': { 200: named('Show') },
      },
      { Venue: object({ 'id!': integer, title: text }), Show: object({ 'id!': integer, title: text }) },
    ),
    steps: `
      POST /venues {"title":"v"} -> 201 {"id":1,"title":"v"}
      POST /programmes/1/shows {"title":"s"} -> 201 {"id":1,"title":"s"}
      GET /programmes/1/shows -> 200 [{"id":1,"title":"s"}]
      POST /programmes/9/shows {"title":"s"} -> 404
      DELETE /venues/1 -> 204
      GET /programmes/1/shows/1 -> 404
    `,
  },
  {
    name: 'the property with the key of an owner',
    document: toDocument(
      {
        'POST /venues': { body, 201: named('Venue') },
        'GET /venues/{id}': { id: 'venue', 200: named('Venue') },
        'POST /venues/{id}/shows': { body, 201: named('Show') },
        'GET /venues/{id}/shows/{showId}': { 200: named('Show'), links: { venue: { id: '$response.body#/at' } } },
      },
      { Venue: object({ 'id!': integer, title: text }), Show: object({ 'id!': integer, title: text, at: integer }) },
    ),
    steps: `
      POST /venues {"title":"v"} -> 201 {"id":1,"title":"v"}
      POST /venues/1/shows {"title":"s"} -> 201 {"id":1,"title":"s","at":1}
    `,
  },
]

it.each(scripts)('$name', runScript)

it('lets generated records name those that links lead to', async () => {
  const show = object({ 'id!': integer, 'at!': integer })
  const compiled = await compileOnce(
    toDocument({
      'GET /venues': { 200: list(object({ 'id!': integer })) },
      'GET /venues/{id}': { id: 'venue', 200: object({ 'id!': integer }) },
      'GET /shows': { 200: list(show) },
      'GET /shows/{id}': { 200: show, links: { venue: { id: '$response.body#/at' } } },
    }),
  )
  const { venues = [], shows = [] } = await generateScenario({ compiled, records: 5, seed: 1 })
  const keys = (records: readonly object[], name: string) => records.map((each) => Reflect.get(each, name))
  expect(keys(venues, 'id')).toEqual(expect.arrayContaining(keys(shows, 'at')))
})

describe('a link that names what does not exist', () => {
  const paths = (links: Record<string, Record<string, string>>) =>
    toDocument({
      'POST /tickets': { body, 201: ticket({ 'id!': integer }), links },
      'GET /tickets/{id}': { id: 'show', 200: ticket({ id: integer }) },
    })
  it.each([
    [
      'no operation',
      { display: { id: '$response.body#/id' } },
      'The link "display" leads to no operation (got "display")',
    ],
    ['no parameter', { show: { key: '$response.body#/id' } }, 'show has no parameter "key"'],
    ['nothing wrong', { show: { 'path.id': '$response.body#/id' } }, undefined],
  ])('has a note: %s', async (_, links, message) => {
    const { notes } = await compileOnce(paths(links))
    expect(notes().map((each) => each.message)).toEqual(message === undefined ? [] : [message])
  })
})
