/** Errors have the values that the examples of a document show for the status and the reason. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'

const text = { type: 'string' }
const number = { type: 'integer' }
const object = (properties: Part, required: string[] = []): Part => ({ type: 'object', properties, required })
const json = (schema: Part, others: Part = {}): Part => ({ 'application/json': { schema, ...others } })
const respond = (content?: Part, description = 'e'): Part => ({ description, ...(content && { content }) })
const named = (values: Record<string, unknown>): Part => ({
  examples: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
})

const problem = object({ type: text, title: text, status: number, detail: text })
const base = 'https://x.example/errors/'
const requests = {
  missing: { method: 'GET', target: '/x/7' },
  required: { body: '{}' },
  wrong: { body: '{"name":1}' },
}

/** @param other the responses of another operation with the same schemas */
function documentWith(responses: Part, other: Part = {}, third: Part = other): string {
  const record = object({ id: text, name: text }, ['name'])
  const ok = respond(json(record))
  const parameters = [{ name: 'id', in: 'path', required: true, schema: text }]
  const body = { required: true, content: json(object({ name: text }, ['name'])) }
  return documentOf({
    '/x': { post: { requestBody: body, responses: { 201: ok, ...responses } } },
    '/x/{id}': { parameters, get: { responses: { 200: ok, ...responses } } },
    '/y': { get: { responses: { 200: ok, ...other } } },
    '/z': { get: { responses: { 200: ok, ...third } } },
  })
}

async function send(document: string, request: keyof typeof requests, door: (typeof doors)[number] = 'fetch') {
  const service = await openDocument(door, document)
  const headers: [string, string][] = [['Content-Type', 'application/json']]
  const answer = await receive(service, { method: 'POST', target: '/x', headers, ...requests[request] })
  return JSON.parse(answer.text)
}

describe.each(doors)('over %s, an error has', (door) => {
  it('the type and the title of its example, and an own message', async () => {
    const example = { type: `${base}not-found`, title: 'Nothing is here', status: 404, detail: 'No order 1' }
    const document = documentWith({ 404: respond(json(problem, { example })) })
    expect(await send(document, 'missing', door)).toEqual({ ...example, detail: 'There is no record with id 7 in x' })
  })
})

describe('the values of an error are those', () => {
  const bad = { type: `${base}invalid-field`, title: 'A field is invalid', status: 400, detail: 'a' }
  const absent = { type: `${base}missing-field`, title: 'A field is absent', status: 400, detail: 'b' }
  const coded = object({ code: text, message: text }, ['code'])

  it('of the named example for the keyword, else for the reason', async () => {
    const document = documentWith({ 400: respond(json(problem, named({ absent, bad }))) })
    expect(await send(document, 'required')).toMatchObject({ type: absent.type, title: absent.title })
    expect(await send(document, 'wrong')).toMatchObject({ type: bad.type, title: bad.title })
  })

  it('of an example that is JSON text', async () => {
    const document = documentWith({ 400: respond(json(problem, { example: JSON.stringify(bad) })) })
    expect(await send(document, 'wrong')).toMatchObject({ type: bad.type })
  })

  it('of another response with the same schema and status, if they fit the reason', async () => {
    const other = { 404: respond(json(coded, { example: { code: 'NO_SUCH_RECORD', message: 'a' } })) }
    expect(await send(documentWith({ 404: respond(json(coded)) }, other), 'missing')).toMatchObject({
      code: 'NO_SUCH_RECORD',
    })
  })

  it('of several other operations, even if they name no reason', async () => {
    const of = (code: string) => ({ 404: respond(json(coded, { example: { code, message: 'a' } })) })
    const own = { 404: respond(json(coded)) }
    expect(await send(documentWith(own, of('E-7')), 'missing')).toMatchObject({ code: 'E-7' })
    expect(await send(documentWith(own, of('E-7'), {}), 'missing')).toMatchObject({ code: 'not_found' })
  })

  it('of all examples of the response, also if an enum has the word of the reason', async () => {
    const code = { type: 'string', enum: ['not_found', 'wrong_place', 'elsewhere'] }
    const schema = object({ code, message: text }, ['code'])
    const of = (codes: string[]) =>
      documentWith({
        404: respond(json(schema, named(Object.fromEntries(codes.map((each) => [each, { code: each }]))))),
      })
    expect(await send(of(['wrong_place']), 'missing')).toMatchObject({ code: 'wrong_place' })
    expect(await send(of(['wrong_place', 'elsewhere']), 'missing')).toMatchObject({ code: 'not_found' })
  })

  it('of no other operation, if its words are about something else there', async () => {
    const of = (code: string) => ({ 404: respond(json(coded, { example: { code, message: 'a' } })) })
    const own = { 404: respond(json(coded)) }
    expect(await send(documentWith(own, of('ticket_missing')), 'missing')).toMatchObject({ code: 'not_found' })
    expect(await send(documentWith(own, of('ticket_missing'), {}), 'missing')).toMatchObject({ code: 'not_found' })
    expect(await send(documentWith(own, of('x_missing')), 'missing')).toMatchObject({ code: 'x_missing' })
  })

  it('of all examples, if those of different statuses have the same', async () => {
    const typed = object({ type: text, message: text })
    const of = { example: { type: 'failure.list', message: 'a' } }
    const document = documentWith({
      400: respond(json(typed, of)),
      401: respond(json(typed, of)),
      404: respond(json(typed)),
    })
    expect(await send(document, 'missing')).toMatchObject({ type: 'failure.list' })
  })

  it('of the example in the schema for its status only', async () => {
    const shown = (schema: Part, example: unknown) => ({ ...schema, example })
    const schema = object({
      title: shown(text, 'Resource Not Found'),
      status: shown(number, 404),
      detail: shown(text, 'It is not there.'),
    })
    const document = documentWith({ default: respond(json(schema)) })
    expect(await send(document, 'missing')).toMatchObject({ title: 'Resource Not Found', status: 404 })
    expect(await send(document, 'wrong')).toMatchObject({ title: 'Invalid request', status: 400 })
  })

  it('of numbers that are not the status', async () => {
    const schema = object({ code: number, message: text })
    const document = documentWith({ 404: respond(json(schema, { example: { code: 477, message: 'a' } })) })
    expect(await send(document, 'missing')).toMatchObject({ code: 477 })
  })

  it('of the reason, if the example is of another one', async () => {
    const example = { code: 'access_denied', message: 'a' }
    expect(await send(documentWith({ 400: respond(json(coded, { example })) }), 'wrong')).toMatchObject({
      code: 'invalid_request',
    })
  })
})

it('gives a required enum without a fitting value that of an invalid request', async () => {
  const type = { type: 'string', enum: ['card_error', 'idempotency_error', 'invalid_request_error'] }
  const document = documentWith({ default: respond(json(object({ type, message: text }, ['type']))) })
  expect(await send(document, 'missing')).toMatchObject({ type: 'invalid_request_error' })
})

describe('a response without a body has', () => {
  const [wrapped, flat] = [object({ error: object({ message: text }) }), object({ note: text, message: text })]
  const error = { message: 'There is no record with id 7 in x' }

  it('the body that most responses have', async () => {
    const other = { 400: respond(json(wrapped)), 403: respond(json(wrapped)) }
    expect(await send(documentWith({ 401: respond(json(flat)), 404: respond() }, other), 'missing')).toEqual({ error })
    expect(await send(documentWith({ 401: respond(json(flat)) }, other), 'missing')).toEqual({ error })
  })

  it('the body of its status in other operations', async () => {
    const other = { 400: respond(json(flat)), 401: respond(json(flat)), 404: respond(json(wrapped)) }
    expect(await send(documentWith({ 404: respond() }, other), 'missing')).toEqual({ error })
  })

  it('the body of the default response of the operation', async () => {
    const other = { 404: respond(json(flat)) }
    const own = { 404: respond(), default: respond(json(wrapped)) }
    expect(await send(documentWith(own, other), 'missing')).toEqual({ error })
  })
})

describe('a document without error responses has', () => {
  const record = object({ id: text, name: text }, ['name'])
  const requestBody = { required: true, content: json(object({ name: text }, ['name'])) }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: text }]
  const documentOfSuccesses = (success: Part, schemas: Part) => {
    const responses = { 200: respond(json(success)) }
    const paths = {
      '/x': { post: { requestBody, responses } },
      '/x/{id}': { parameters, get: { responses }, delete: { responses } },
    }
    return JSON.stringify({ ...JSON.parse(documentOf(paths)), components: { schemas } })
  }
  const message = 'There is no record with id 7 in x'

  it('errors in the list that its successes have for them', async () => {
    const error = object({ code: text, detail: text }, ['code'])
    const success = object({ x: record, errors: { type: 'array', items: { $ref: '#/components/schemas/Error' } } })
    expect(await send(documentOfSuccesses(success, { Error: error }), 'missing')).toEqual({
      errors: [{ code: 'not_found', detail: message }],
    })
  })

  it('errors of the schema for them that nothing else uses', async () => {
    const schemas = { ErrorResponse: object({ error: object({ reason: text }) }), Error: object({ note: text }) }
    expect(await send(documentOfSuccesses(record, schemas), 'missing')).toEqual({ error: { reason: message } })
  })

  it('errors of the usual form if the only schema of errors belongs to a record', async () => {
    const success = object({ id: text, error: { $ref: '#/components/schemas/Error' } })
    const document = documentOfSuccesses(success, { Error: object({ note: text }) })
    expect(await send(document, 'missing')).toEqual({ code: 'not_found', message, status: 404 })
  })
})
