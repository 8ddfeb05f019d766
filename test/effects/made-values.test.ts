// Texts that are made from other values, where the examples of a document show the pattern.
import { describe, expect, it } from 'vitest'
import { ask, openSketch, runScript } from '../support/script.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

function people(example: object | undefined, properties: Record<string, object> = {}): string {
  const document = JSON.parse(
    toDocument(
      {
        'GET /people': { 200: list(named('Person')) },
        'POST /people': { body: object({ first: text, last: text }), 201: named('Person') },
        'GET /people/{personId}': { 200: named('Person') },
        'PATCH /people/{personId}': { body: object({ first: text, last: text }), 200: named('Person') },
      },
      {
        Person: object({
          ...{ 'id!': integer, first: text, last: text, full_name: text, url: text },
          ...{ links: object({ self: text }), note: text, ...properties },
        }),
      },
    ),
  )
  document.paths['/people/{personId}'].get.responses['200'].content['application/json'].example = example
  return JSON.stringify(document)
}

const example = {
  ...{ id: 741, first: 'Grace', last: 'Hopper', full_name: 'Hopper, Grace', url: 'https://x.example/people/741' },
  ...{ links: { self: '/v1/people/741?full=1' }, note: 'Gracefully' },
}

describe('a text of an example that has other values as words', () => {
  it('is made of those of the record, and again when they change', async () => {
    const made = (name: string) =>
      `"full_name":"${name}","url":"https://x.example/people/1","links":{"self":"/v1/people/1?full=1"}`
    await runScript({
      name: 'made',
      document: people(example),
      steps: `
        POST /people {"first":"Ada","last":"King"} -> 201 {"id":1,"first":"Ada","last":"King",${made('King, Ada')}}
        PATCH /people/1 {"last":"Byron"} -> 200 {"id":1,"first":"Ada","last":"Byron",${made('Byron, Ada')}}
      `,
    })
  })

  it('is the address of its record where its name or description says so', async () => {
    const said = { type: 'string', format: 'uri', description: 'The canonical URL of the record' }
    const link = { type: 'string', description: 'Where to read more' }
    const document = JSON.parse(
      people(undefined, { url: said, href: link, _links: object({ self: object({ href: text }) }) }),
    )
    document.servers = [{ url: 'https://{region}.people.example/v2/', variables: { region: { default: 'eu' } } }]
    const answer = await ask(await openSketch(JSON.stringify(document)), 'POST /v2/people {"first":"Ada"}')
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      url: 'https://eu.people.example/v2/people/1',
      links: { self: '/v2/people/1' },
      _links: { self: { href: '/v2/people/1' } },
    })
    expect(answer).not.toContain('"href":"https')
  })

  it('is an address with a host where its schema requires one, and may be beside the record', async () => {
    const document = JSON.parse(
      toDocument(
        {
          'POST /cups': {
            body: object({ name: text }),
            201: object({
              'cup!': named('Cup'),
              'links!': object({ next: text, 'self!': { type: 'string', format: 'uri' } }),
              more: { type: 'string', example: '/cups/c-7/more' },
              meta: object({ count: integer, req_id: text }),
            }),
          },
          'GET /cups/{cupId}': { 200: object({ 'cup!': named('Cup'), url: text, requestId: text }) },
        },
        { Cup: object({ 'id!': integer, name: text, links: object({ own: { type: 'string', format: 'uri' } }) }) },
      ),
    )
    document.components.schemas.Cup.properties.links.example = { own: '/v1/cups/c-1' }
    const read = document.paths['/cups/{cupId}'].get.responses['200'].content['application/json']
    read.schema.properties.url.example = 'https://x.example/cups/c-1?full'
    document.servers = [{ url: '/v1' }]
    const sandbox = await openSketch(JSON.stringify(document))
    const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('{')))
    const created = bodyOf(await ask(sandbox, 'POST /v1/cups {"name":"Blue"}'))
    const own = 'https://example.com/v1/cups/1'
    const cup = { id: 1, name: 'Blue', links: { own } }
    expect(created).toEqual({ cup, links: { self: own }, more: '/cups/1/more', meta: created.meta })
    const seen = await ask(sandbox, 'GET /v1/cups/1')
    expect(bodyOf(seen)).toMatchObject({ cup, url: 'https://x.example/cups/1?full' })
    const other = bodyOf(await ask(sandbox, 'GET /v1/cups/1'))
    expect([created.meta.count, other.requestId]).not.toEqual([0, bodyOf(seen).requestId])
  })

  it('is not made without one of the values', async () => {
    const sandbox = await openSketch(people(example))
    expect(await ask(sandbox, 'POST /people {"first":"Ada"}')).not.toContain('full_name')
  })

  it('is not made if another example breaks the pattern', async () => {
    const other = { id: 742, first: 'Alan', last: 'Turing', full_name: 'Alan T.' }
    const document = JSON.parse(people(example))
    document.paths['/people'].get.responses['200'].content['application/json'].example = [other]
    const answer = await ask(await openSketch(JSON.stringify(document)), 'POST /people {"first":"Ada","last":"King"}')
    expect(answer).toContain('people/1')
    expect(answer).not.toContain('full_name')
  })

  it.each([
    ['has only a part of a word', { ...example, full_name: 'Gracey Hopperson' }],
    ['has a short value by chance', { ...example, first: 'Al', last: 'B', full_name: 'Al, B' }],
  ])('is not made if it %s', async (_, shown) => {
    const answer = await ask(await openSketch(people(shown)), 'POST /people {"first":"Ada","last":"King"}')
    expect(answer).not.toContain('full_name')
  })
})

describe('the example of a property that has the path of a record', () => {
  it('has the key of each record', async () => {
    const url = { type: 'string', example: '/api/people/77/photo' }
    const answer = await ask(await openSketch(people(undefined, { photo: url })), 'POST /people {"first":"Ada"}')
    expect(answer).toContain('"photo":"/api/people/1/photo"')
  })
})
