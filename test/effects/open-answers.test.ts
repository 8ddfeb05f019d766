// Answers and bodies of which a document says too little: any JSON, a form that is only a file, and a verb of a GET.
import { expect, it } from 'vitest'
import { openSketch, runScript } from '../support/script.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

const lamp = { Lamp: object({ 'id!': integer, name: text }) }

it('an answer that may be anything shows the record', async () => {
  const document = toDocument(
    {
      'GET /lamps': { 200: list(named('Lamp')) },
      'GET /lamps/{lampId}': { 200: named('Lamp') },
      'POST /lamps': { body: object({ name: text }), 201: {} },
      'PATCH /lamps/{lampId}': { body: object({ name: text }), 200: {} },
    },
    lamp,
  )
  const steps = `
    POST /lamps {"name":"a"} -> 201 {"id":1,"name":"a"}
    PATCH /lamps/1 {"name":"b"} -> 200 {"id":1,"name":"b"}
    GET /lamps/1 -> 200 {"id":1,"name":"b"}
  `
  await runScript({ name: 'any', document, steps })
})

it.each(['new', 'create', 'add'])('GET /lamps/%s adds no record', async (verb) => {
  const document = toDocument(
    {
      'GET /lamps': { 200: list(named('Lamp')) },
      'POST /lamps': { body: object({ name: text }), 201: named('Lamp') },
      'GET /lamps/{lampId}': { 200: named('Lamp') },
      [`GET /lamps/${verb}`]: { 200: list(named('Lamp')) },
    },
    lamp,
  )
  const steps = `
    POST /lamps {"name":"a"} -> 201 {"id":1,"name":"a"}
    GET /lamps/${verb} -> 200
    GET /lamps -> 200 [{"id":1,"name":"a"}]
  `
  await runScript({ name: verb, document, steps })
})

it.each([{ type: 'file' }, { type: 'string', format: 'binary' }])(
  'a form that is written as %j has a file',
  async (body) => {
    const document = toDocument(
      {
        'POST /lamps': { type: 'multipart/form-data', body, 201: named('Lamp') },
        'GET /lamps': { 200: list(named('Lamp')) },
      },
      lamp,
    )
    const { fetch } = await openSketch(document)
    const form = new FormData()
    form.set('file', new Blob(['x'], { type: 'text/plain' }), 'x.txt')
    const { status } = await fetch('https://api.example/lamps', { method: 'POST', body: form })
    expect(status).toBe(201)
    expect(await (await fetch('https://api.example/lamps')).text()).toContain('"id":1')
  },
)
