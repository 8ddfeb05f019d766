// What callers call a record: names that stay as they were sent, slugs of them, and paths that have them.
import { describe, expect, it } from 'vitest'
import { ask, openSketch, runScript } from '../support/script.js'
import { documentOf } from '../support/serve-objects.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

describe('a name that a creation sends', () => {
  it.each(['username', 'name', 'code', 'handle'])('is shown as it was sent, also without an id: %s', async (name) => {
    const member = object({ [`${name}!`]: text, 'mail!': text })
    await runScript({
      name,
      document: toDocument({ 'POST /members': { body: member, 201: named('Member') } }, { Member: member }),
      steps: `POST /members {"${name}":"mara","mail":"m"} -> 201 {"${name}":"mara","mail":"m"}`,
    })
  })

  it.each(['title', 'name'])('makes the slug of a new record, which a change keeps: %s', async (name) => {
    const document = toDocument(
      {
        'POST /walks': { body: object({ [`${name}!`]: text, slug: text }), 201: named('Walk') },
        'GET /walks': { 200: list(named('Walk')) },
        'PATCH /walks/{walkId}': { body: object({ [name]: text }), 200: named('Walk') },
      },
      { Walk: object({ 'id!': integer, [name]: text, slug: text }) },
    )
    const [path, hill] = [`"${name}":"Coastal  Páth!"`, `"${name}":"Hill"`]
    const steps = `
      POST /walks {${path}} -> 201 {"id":1,${path},"slug":"coastal-path"}
      POST /walks {${path},"slug":"own"} -> 201 {"id":2,${path},"slug":"own"}
      PATCH /walks/1 {${hill}} -> 200 {"id":1,${hill},"slug":"coastal-path"}
    `
    await runScript({ name, document, steps })
  })
})

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ok = (schema: object) => ({ 200: { description: '', ...json(schema) } })
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text })

it('a slug is the key of the path, and a second one has a number', async () => {
  const walk = object({ 'slug!': text, 'name!': text })
  const document = documentOf({
    '/walks': { post: { requestBody: json(object({ 'name!': text })), responses: ok(walk) } },
    '/walks/{slug}': { parameters: [inPath('slug')], get: { responses: ok(walk) } },
  })
  const send = await openSketch(JSON.stringify(document))
  expect(await ask(send, 'POST /walks {"name":"Coastal Path"}')).toContain('"slug":"coastal-path"')
  expect(await ask(send, 'POST /walks {"name":"Coastal path"}')).toContain('"slug":"coastal-path-2"')
  expect(await ask(send, 'GET /walks/coastal-path-2')).toContain('"name":"Coastal path"')
})

it.each(['name_or_uuid', 'uuidOrName'])(
  'a record is found by its name and its id, also after it is renamed: %s',
  async (key) => {
    const field = object({ uuid: text, name: text })
    const document = documentOf({
      '/fields': { post: { requestBody: json(object({ name: text })), responses: ok(field) } },
      [`/fields/{${key}}`]: {
        parameters: [inPath(key)],
        get: { responses: ok(field) },
        patch: { requestBody: json(object({ name: text })), responses: ok(field) },
      },
    })
    const send = await openSketch(JSON.stringify(document))
    const [, uuid] = /"uuid":"([\da-f-]{36})"/.exec(await ask(send, 'POST /fields {"name":"north"}')) ?? []
    const renamed = await ask(send, 'PATCH /fields/north {"name":"hill"}')
    expect(renamed).toContain(`{"uuid":"${uuid}","name":"hill"}`)
    expect(await ask(send, 'GET /fields/hill')).toContain(`{"uuid":"${uuid}","name":"hill"}`)
    expect(await ask(send, `GET /fields/${uuid}`)).toContain('"hill"')
    expect(await ask(send, 'GET /fields/north')).toContain('404')
  },
)

it('what a body sends beside an object of the record is in that object, in the form that was sent', async () => {
  const form = (type: string, name: string) => object({ 'type!': { ...text, enum: [type] }, [`${name}!`]: text })
  const forms = { oneOf: [form('link', 'url'), form('text', 'words')] }
  const note = object({ 'id!': integer, 'content!': forms })
  const person = object({ 'id!': integer, mail: text, profile: object({ first: text, last: text }) })
  const document = toDocument(
    {
      'POST /notes': { body: forms, 201: note },
      'POST /people': { body: object({ mail: text, first: text, last: text }), 201: person },
      'PATCH /people/{personId}': { body: object({ first: text, last: text }), 200: person },
    },
    {},
  )
  const steps = `
    POST /notes {"type":"text","words":"hi"} -> 201 {"id":1,"content":{"type":"text","words":"hi"}}
    POST /notes {"type":"link","url":"a"} -> 201 {"id":2,"content":{"type":"link","url":"a"}}
    POST /people {"mail":"m","first":"Ann","last":"Lee"} -> 201 {"id":1,"mail":"m","profile":{"first":"Ann","last":"Lee"}}
    PATCH /people/1 {"last":"Roe"} -> 200 {"id":1,"mail":"m","profile":{"first":"Ann","last":"Roe"}}
  `
  await runScript({ name: 'inner', document, steps })
})
