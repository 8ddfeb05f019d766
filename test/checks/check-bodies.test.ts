/** `check` sends bodies and parameters in the form that the document gives them. */
import { describe, expect, it } from 'vitest'
import { documentOf, type Part } from '../support/one-operation.js'
import { type Asked, hold, provide } from '../support/providers.js'

const record = {
  type: 'object',
  required: ['name', 'age'],
  properties: {
    name: { type: 'string', minLength: 1 },
    age: { type: 'integer', minimum: 0 },
    tags: { type: 'array', items: { type: 'string' } },
    owner: { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, note: { type: 'string' } } },
  },
}
const upload = {
  type: 'object',
  required: ['title', 'file'],
  properties: {
    title: { type: 'string', minLength: 1 },
    file: { type: 'string', format: 'binary' },
    more: { type: 'array', items: { type: 'string', format: 'binary' } },
    meta: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
  },
}

const contents: [name: string, content: Part, type: RegExp][] = [
  ['a form', { 'application/x-www-form-urlencoded': { schema: record } }, /^application\/x-www-form-urlencoded$/],
  [
    'a form with encodings',
    {
      'application/x-www-form-urlencoded': {
        schema: record,
        encoding: { tags: { style: 'pipeDelimited', explode: false }, owner: { contentType: 'application/json' } },
      },
    },
    /^application\/x-www-form-urlencoded$/,
  ],
  ['a multipart body', { 'multipart/form-data': { schema: upload } }, /^multipart\/form-data; boundary=\S+$/],
  ['text', { 'text/plain': { schema: { type: 'string', minLength: 2 } } }, /^text\/plain$/],
  ['bytes', { 'image/*': { schema: { type: 'string', format: 'binary' } } }, /^image\/png$/],
]

const responses = {
  200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } },
  400: { description: 'no' },
  415: { description: 'no' },
}

async function checkSandbox(paths: Part) {
  const text = documentOf(paths, { servers: [{ url: 'https://things.example/v1' }] })
  const asked: { request: Asked; status: number }[] = []
  const address = await provide({ text, base: '/v1' }, async (request, next) => {
    const answer = await next()
    asked.push({ request, status: answer.status })
    return answer
  })
  const { findings, notes } = await hold(address, { text })
  return { findings, notes, asked }
}

describe('a check of a sandbox', () => {
  it.each(contents)('sends %s, and finds nothing', async (_, content, type) => {
    const { findings, notes, asked } = await checkSandbox({
      '/things': { post: { operationId: 'send', requestBody: { required: true, content }, responses } },
    })
    expect(findings.map(({ message }) => message).join('; ')).toBe('')
    expect(notes.filter((note) => !note.includes('server'))).toEqual([])
    const accepted = asked.filter(({ status }) => status === 200)
    expect(accepted.length).toBeGreaterThan(0)
    for (const { request } of accepted) expect(request.headers['content-type']).toMatch(type)
  })

  it('sends parameters in their styles, and finds nothing', async () => {
    const integers = { type: 'array', items: { type: 'integer' }, minItems: 1 }
    const parameters = [
      { name: 'a', in: 'path', required: true, style: 'label', schema: integers },
      { name: 'b', in: 'query', required: true, style: 'pipeDelimited', explode: false, schema: integers },
      { name: 'c', in: 'query', required: true, style: 'deepObject', schema: integers },
      { name: 'd', in: 'header', required: true, schema: integers },
      { name: 'e', in: 'query', style: 'spaceDelimited', explode: false, schema: integers },
    ]
    const { findings, asked } = await checkSandbox({ '/things/{a}/now': { get: { parameters, responses } } })
    expect(findings.map(({ message }) => message).join('; ')).toBe('')
    expect(asked.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  })

  it('compares large integers with what was written, and finds nothing', async () => {
    const rank = { type: 'integer', minimum: 9007199254740992, maximum: 9223372036854775000 }
    const schema = {
      type: 'object',
      required: ['id', 'rank'],
      properties: { id: { type: 'integer', readOnly: true }, rank },
    }
    const content = { 'application/json': { schema } }
    const answers = { 200: { description: 'ok', content }, 400: { description: 'no' }, 404: { description: 'none' } }
    const one = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
    const { findings, asked } = await checkSandbox({
      '/things': { post: { requestBody: { required: true, content }, responses: { ...answers, 201: answers[200] } } },
      '/things/{id}': {
        parameters: one,
        get: { responses: answers },
        put: { requestBody: { required: true, content }, responses: answers },
      },
    })
    expect(findings.map(({ message }) => message).join('; ')).toBe('')
    expect(asked.filter(({ status }) => status < 300).length).toBeGreaterThan(5)
  })

  it('finds a service that does not judge the values of a map', async () => {
    const within = (value: Part) => ({
      'application/json': {
        schema: { type: 'object', properties: { marks: { type: 'object', additionalProperties: value } } },
      },
    })
    const operation = (value: Part) => ({ '/things': { post: { requestBody: { content: within(value) }, responses } } })
    const servers = [{ url: 'https://things.example/v1' }]
    const address = await provide({ text: documentOf(operation({}), { servers }), base: '/v1' })
    const { findings } = await hold(address, {
      text: documentOf(operation({ type: 'integer', minimum: 0 }), { servers }),
    })
    expect(findings.map(({ id }) => id)).toEqual([
      'invalid-request-accepted POST /things body marks.other minimum',
      'invalid-request-accepted POST /things body marks.other type',
    ])
  })

  it('finds a service that accepts an invalid form', async () => {
    const content = { 'application/x-www-form-urlencoded': { schema: record } }
    const paths = { '/things': { post: { requestBody: { required: true, content }, responses } } }
    const text = documentOf(paths, { servers: [{ url: 'https://things.example/v1' }] })
    const address = await provide({ text, base: '/v1' }, async () => Response.json({}))
    const { findings } = await hold(address, { text })
    expect(findings.map(({ rule }) => rule)).toContain('invalid-request-accepted')
  })
})
