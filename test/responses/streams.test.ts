/** Answers as streams of events: SSE, lines of JSON, and sequences. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'

const text: Part = { type: 'string' }
const integer: Part = { type: 'integer' }
const object = (properties: Part, required = Object.keys(properties)): Part => ({
  type: 'object',
  properties,
  required,
})
const listOf = (items: Part): Part => ({ type: 'array', items })
const constant = (value: string): Part => ({ type: 'string', enum: [value] })
const reference = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
const asks = (description: string): Part => ({
  content: {
    'application/json': { schema: object({ prompt: text, stream: { type: 'boolean', description } }, ['prompt']) },
  },
})
const answers = (content: Part): Part => ({ 200: { description: 'ok', content } })

const said = 'The quick brown fox jumps over the lazy dog.\nTwice.'
const reason: Part = { type: 'string', enum: ['stop', 'length'] }
const reply = {
  id: 'r1',
  object: 'reply',
  model: 'm1',
  choices: [{ index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }],
}
const chunk = object({
  id: text,
  object: constant('reply.chunk'),
  model: text,
  choices: listOf(
    object({
      index: integer,
      delta: object({ role: text, content: text }, []),
      finish_reason: { ...reason, type: ['string', 'null'], enum: ['stop', 'length', null] },
    }),
  ),
})
const whole = object({
  id: text,
  object: constant('reply'),
  model: text,
  choices: listOf(object({ index: integer, message: object({ role: text, content: text }), finish_reason: reason })),
})

const transcript = { text: said }
const line = object({ id: integer, level: text }, ['level'])

const document = documentOf(
  {
    '/reply': {
      post: {
        requestBody: asks('Ends with `data: [DONE]`.'),
        responses: answers({
          'application/json': { schema: whole, example: reply },
          'text/event-stream': { schema: chunk },
        }),
      },
    },
    '/wrapped': {
      post: {
        requestBody: asks('Sends events.'),
        responses: answers({
          'application/json': { schema: whole, example: reply },
          'text/event-stream': { schema: { oneOf: [object({ data: chunk }), object({ data: constant('[DONE]') })] } },
        }),
      },
    },
    '/transcribe': {
      post: {
        requestBody: asks('Sends events.'),
        responses: answers({
          'application/json': { schema: reference('Transcript'), example: transcript },
          'text/event-stream': {
            itemSchema: {
              anyOf: [
                object({ type: constant('text.delta'), delta: text }),
                object({ type: constant('text.done'), text }),
                object({ type: constant('transcript.failed'), why: text }),
                object({ type: constant('transcript.completed'), transcript: reference('Transcript') }),
              ],
            },
          },
        }),
      },
    },
    '/lines': {
      post: {
        requestBody: { content: { 'application/json': { schema: line } } },
        responses: answers({ 'application/json': { schema: line } }),
      },
      get: {
        responses: answers({
          'application/json': { schema: object({ lines: listOf(line) }) },
          'application/x-ndjson': { itemSchema: line },
          'application/json-seq': { schema: listOf(line) },
        }),
      },
    },
    '/write': {
      post: {
        requestBody: asks('Sends events.'),
        responses: answers({
          'application/json': {
            schema: object({ ...(whole['properties'] as Part), warnings: listOf(object({ text })) }),
          },
          'text/event-stream': { schema: chunk },
        }),
      },
    },
    '/marks': {
      get: {
        responses: answers({
          'text/event-stream': { schema: object({ marks: { ...listOf(integer), minItems: 2, uniqueItems: true } }) },
        }),
      },
    },
    '/ticks': { get: { responses: answers({ 'text/event-stream': { schema: line } }) } },
  },
  { components: { schemas: { Transcript: object({ text }) } } },
)

const json: [string, string] = ['Content-Type', 'application/json']

async function post(door: string, target: string, body: Part, accept = 'application/json') {
  const connection = await openDocument(door, document)
  const headers: [string, string][] = [json, ['Accept', accept]]
  return receive(connection, { method: 'POST', target, headers, body: JSON.stringify(body) })
}

/** Reads a stream as WHATWG HTML, section 9.2, says. */
function read(stream: string): { event?: string; data: string }[] {
  expect(stream.endsWith('\n\n')).toBe(true)
  return stream
    .slice(0, -2)
    .split('\n\n')
    .map((block) => {
      const fields = block.split('\n').map((row) => row.split(/: (.*)/s).slice(0, 2))
      const data = fields.filter(([name]) => name === 'data').map(([, value]) => value)
      const event = fields.find(([name]) => name === 'event')?.[1]
      return { data: data.join('\n'), ...(event !== undefined && { event }) }
    })
}

describe.each(doors)('a stream, through %s', (door) => {
  it.each(['/reply', '/wrapped'])('of %s has the same text in pieces, and ends as documented', async (target) => {
    const { status, headers, text: body } = await post(door, target, { prompt: 'Hi', stream: true })
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
    const events = read(body)
    expect(events.pop()?.data).toBe('[DONE]')
    const chunks = events.map(({ data }) => JSON.parse(data))
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks.map(({ choices }) => choices[0].delta.content ?? '').join('')).toBe(said)
    for (const { id, object: kind, model } of chunks) expect([id, kind, model]).toEqual(['r1', 'reply.chunk', 'm1'])
    expect(chunks.map(({ choices }) => choices[0].finish_reason)).toEqual([...chunks.slice(1).map(() => null), 'stop'])
    expect(chunks.map(({ choices }) => choices[0].delta.role)).toEqual([
      'assistant',
      ...chunks.slice(1).map(() => undefined),
    ])
  })

  it('is asked for by the body or by Accept', async () => {
    const plain = await post(door, '/reply', { prompt: 'Hi', stream: false })
    expect(JSON.parse(plain.text)).toEqual(reply)
    const streamed = await post(door, '/reply', { prompt: 'Hi' }, 'text/event-stream')
    expect(streamed.text).toBe((await post(door, '/reply', { prompt: 'Hi', stream: true })).text)
  })

  it('has what the operation makes, although no example shows it', async () => {
    const { choices, warnings } = JSON.parse((await post(door, '/write', { prompt: 'Hi' })).text)
    expect([choices.length, warnings]).toEqual([1, []])
    expect(choices[0]).toMatchObject({
      index: 0,
      finish_reason: 'stop',
      message: { content: expect.stringMatching(/ /) },
    })
    const events = read((await post(door, '/write', { prompt: 'Hi', stream: true })).text)
    const chunks = events.map(({ data }) => JSON.parse(data))
    expect(chunks.map((each) => each.choices[0].delta.content).join('')).toBe(choices[0].message.content)
    expect(chunks.at(-1).choices[0].finish_reason).toBe('stop')
  })

  it('has events that are valid', async () => {
    const connection = await openDocument(door, document)
    const { text: body } = await receive(connection, { method: 'GET', target: '/marks' })
    for (const { data } of read(body)) {
      const { marks } = JSON.parse(data)
      expect([marks.length, new Set(marks).size]).toEqual([2, 2])
    }
  })

  it('has the events after the pieces, by their constants', async () => {
    const events = read((await post(door, '/transcribe', { prompt: 'Hi', stream: true })).text)
    const all = events.map(({ data }) => JSON.parse(data))
    expect(all.flatMap(({ delta }) => delta ?? []).join('')).toBe(said)
    expect(all.slice(-2)).toEqual([
      { type: 'text.done', text: said },
      { type: 'transcript.completed', transcript },
    ])
    expect(events.map(({ event }) => event)).toEqual(all.map(({ type }) => type))
  })

  it('of a list has one event for each record', async () => {
    const connection = await openDocument(door, document)
    const get = (accept: string) =>
      receive(connection, { method: 'GET', target: '/lines', headers: [['Accept', accept]] })
    for (const level of ['info', 'warn'])
      await receive(connection, { method: 'POST', target: '/lines', headers: [json], body: JSON.stringify({ level }) })
    const { lines } = JSON.parse((await get('application/json')).text)
    expect(lines).toHaveLength(2)
    const rows = lines.map((each: unknown) => `${JSON.stringify(each)}\n`)
    expect((await get('application/x-ndjson')).text).toBe(rows.join(''))
    expect((await get('application/json-seq')).text).toBe(rows.map((row: string) => `\x1e${row}`).join(''))
  })

  it('is made of the schema where it is the only answer', async () => {
    const connection = await openDocument(door, document)
    const { text: body } = await receive(connection, { method: 'GET', target: '/ticks' })
    const events = read(body).map(({ data }) => JSON.parse(data))
    expect(events).toHaveLength(2)
    for (const each of events) expect(each).toEqual({ id: expect.any(Number), level: expect.any(String) })
  })
})
