/** Keys of records that do not exist, in the bodies of requests, through every transport and for `run`. */
import { join } from 'node:path'
import { createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { observe, type Sent } from '../support/observe.js'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'
import { writeFolder } from '../support/serving.js'

const text: Part = { type: 'string' }
const object = (properties: Part): Part => ({ type: 'object', properties })
const listOf = (items: Part): Part => ({ type: 'array', items })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ref = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
const error = (description: string): Part => ({ description, ...json(object({ message: text })) })

function change(sent: string, shown: string, errors: Part = {}): Part {
  return { requestBody: json(ref(sent)), responses: { 200: { description: 'ok', ...json(ref(shown)) }, ...errors } }
}

/** A list, a creation, and one record that can be read, changed and removed. */
function collection(path: string, sent: string, shown: string, errors: Part = {}): Part {
  const read = (schema: Part) => ({ responses: { 200: { description: 'ok', ...json(schema) } } })
  return {
    [path]: { get: read(listOf(ref(shown))), post: change(sent, shown, errors) },
    [`${path}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      get: read(ref(shown)),
      put: change(sent, shown, { ...errors, 404: error(`The ${shown} does not exist`) }),
      delete: { responses: { 204: { description: 'gone' } } },
    },
  }
}

/** A key, a list of keys, and a key in the objects of a list. Which of them are refused depends on the errors of a creation. */
function shop(errors: Part = {}): string {
  return documentOf(
    {
      ...collection('/customers', 'NewNamed', 'Customer'),
      ...collection('/projects', 'NewNamed', 'Project'),
      ...collection('/prices', 'NewNamed', 'Price'),
      ...collection('/orders', 'NewOrder', 'Order', errors),
    },
    {
      components: {
        schemas: {
          NewNamed: object({ id: text, name: text }),
          Customer: object({ id: text, name: text }),
          Project: object({ id: text, name: text }),
          Price: object({ id: text, name: text }),
          NewOrder: object({
            note: text,
            customer_id: { type: ['string', 'null'] },
            projects: listOf(text),
            items: listOf(object({ price: text })),
          }),
          Order: object({
            id: text,
            note: text,
            customer: ref('Customer'),
            projects: listOf(ref('Project')),
            items: listOf(object({ price: ref('Price') })),
          }),
        },
      },
    },
  )
}

const refusing = shop({
  404: error('The customer does not exist'),
  422: error('The body is not valid. Unknown project'),
})
/** What these say is about the order itself, or not about what does not exist. */
const silent = shop({
  400: error('The customer is too young'),
  404: error('The customer order was not found'),
  422: error('Invalid order'),
})

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { status, text: answer } = await receive(connection, { method, target, headers, ...sent })
  return { status, body: answer === '' ? undefined : JSON.parse(answer) }
}

describe.each(doors)('a key of no record over %s', (door) => {
  it('is refused as the document says, and changes nothing', async () => {
    const connection = await openDocument(door, refusing)
    const { id: customer_id } = (await send(connection, 'POST /customers', { name: 'Ann' })).body
    const order = (await send(connection, 'POST /orders', { note: 'a', customer_id })).body
    expect(order).toMatchObject({ note: 'a', customer: { id: customer_id, name: 'Ann' } })
    const message = 'customer_id is "9", but there is no such record in customers'
    expect(await send(connection, 'POST /orders', { customer_id: '9' })).toEqual({ status: 404, body: { message } })
    const projects = await send(connection, 'POST /orders', { customer_id, projects: ['5'] })
    expect(projects).toMatchObject({ status: 422, body: { message: expect.stringContaining('projects[] is "5"') } })
    const changed = await send(connection, `PUT /orders/${order.id}`, { note: 'b', projects: ['5'] })
    expect(changed.status).toBe(422)
    expect((await send(connection, 'GET /orders')).body).toEqual([order])
  })

  it('is made up where the document does not say so', async () => {
    const connection = await openDocument(door, refusing)
    const { status, body } = await send(connection, 'POST /orders', { customer_id: null, items: [{ price: '7' }] })
    expect(status).toBe(200)
    expect(body.items).toEqual([{ price: { id: '7' } }])
    const other = await openDocument(door, silent)
    const sent = { customer_id: '9', projects: ['5'] }
    expect(await send(other, 'POST /orders', sent)).toMatchObject({ status: 200, body: { customer: { id: '9' } } })
  })

  it('is refused where answers have only the key, if an error names what is not found', async () => {
    const notes = (errors: Part) =>
      documentOf(
        {
          ...collection('/customers', 'Named', 'Named'),
          ...collection('/notes', 'Note', 'Note', errors),
        },
        {
          components: {
            schemas: { Named: object({ id: text, name: text }), Note: object({ id: text, customer_id: text }) },
          },
        },
      )
    const connection = await openDocument(door, notes({ 422: error('No such customer') }))
    const { id: customer_id } = (await send(connection, 'POST /customers', { name: 'Ann' })).body
    expect(await send(connection, 'POST /notes', { customer_id })).toMatchObject({ status: 200, body: { customer_id } })
    expect((await send(connection, 'POST /notes', { customer_id: '9' })).status).toBe(422)
    const other = await openDocument(door, notes({ 422: error('Invalid') }))
    expect((await send(other, 'POST /notes', { customer_id: '9' })).status).toBe(200)
  })

  it('is that of a record that was removed', async () => {
    const connection = await openDocument(door, refusing)
    const { id: customer_id } = (await send(connection, 'POST /customers', { name: 'Ann' })).body
    expect((await send(connection, 'POST /orders', { customer_id })).status).toBe(200)
    await send(connection, `DELETE /customers/${customer_id}`)
    expect((await send(connection, 'POST /orders', { customer_id })).status).toBe(404)
  })
})

it('is in the exchange with a note, and without the key', async () => {
  const sandbox = createSandbox({ contract: (await compileOnce(silent)).contract })
  const body = JSON.stringify({ customer_id: 'k9', projects: ['5', '6'] })
  const headers = { Authorization: 'Bearer a', 'Content-Type': 'application/json' }
  await sandbox.fetch('http://localhost/orders', { method: 'POST', headers, body })
  const [exchange] = sandbox.journal.list()
  expect(exchange?.unknownReferences).toEqual([
    { at: 'customer_id', collection: 'customers' },
    { at: 'projects[]', collection: 'projects' },
  ])
  expect(exchange?.notes).toEqual([
    'customer_id has a key of no record in customers, so the record was made up',
    'projects[] has a key of no record in projects, so the record was made up',
  ])
})

describe('run', () => {
  const post = (path: string, body: unknown, headers: Sent['headers'] = {}): Sent => ({
    method: 'POST',
    path,
    base: 'SANDBOX_URL',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

  async function find(spec: string, sent: readonly Sent[]) {
    const folder = await writeFolder({ 'openapi.json': spec })
    const { findings, code } = await observe(sent, ['--records', '0', '--spec', join(folder, 'openapi.json')])
    return { code, found: findings.map(({ rule, at, severity }) => `${severity} ${rule} ${at}`).toSorted() }
  }

  it('warns of each key of no record once', async () => {
    const sent = { customer_id: '9', projects: ['5', '6'], items: [{ price: '7' }, {}, { price: '8' }] }
    const { found, code } = await find(silent, [post('/orders', sent), post('/orders', sent)])
    const places = ['customer_id', 'items[].price', 'projects[]']
    expect(found).toEqual(places.map((at) => `warning unknown-reference body ${at}`))
    expect(code).toBe(0)
  })

  it('warns of a refused one, unless it is expected', async () => {
    const expected = post('/orders', { projects: ['5'] }, { 'Sandbox-Expect': '422' })
    expect((await find(refusing, [expected])).found).toEqual([])
    const { found } = await find(refusing, [post('/orders', { projects: ['5'] })])
    expect(found).toEqual(['warning unknown-reference body projects[]'])
  })

  it('finds nothing in null and in the key of a record, until that is removed', async () => {
    const remove: Sent = { method: 'DELETE', path: '/customers/c1', base: 'SANDBOX_URL' }
    const kept = [post('/orders', { customer_id: null }), post('/orders', { customer_id: 'c1' })]
    const create = post('/customers', { id: 'c1', name: 'Ann' })
    expect((await find(silent, [create, ...kept])).found).toEqual([])
    const { found } = await find(silent, [create, remove, ...kept])
    expect(found).toEqual(['warning unknown-reference body customer_id'])
  })
})
