/** What a change does to a record: what it sends is stored or refused, and what it leaves out stays as it is. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import { openSketch } from '../support/script.js'

const text = { type: 'string' }
const id = { type: 'integer', readOnly: true }
const [json, merge, patch] = ['application/json', 'application/merge-patch+json', 'application/json-patch+json']
const any = { type: 'object' }

const item = {
  type: 'object',
  required: ['name'],
  properties: { id, name: text, size: { type: 'number', minimum: 0 } },
}
const circle = {
  required: ['kind', 'radius'],
  properties: { id, kind: { const: 'c' }, radius: { type: 'number', minimum: 0 } },
}
const square = { required: ['kind', 'w'], properties: { id, kind: { const: 'd' }, w: { type: 'number' } } }
const shape = { oneOf: [circle, square].map((each) => ({ type: 'object', ...each })) }
const owner = { type: 'object', required: ['email'], properties: { email: text, phone: text } }
const address = {
  type: 'object',
  required: ['country', 'city'],
  properties: { country: text, city: text, zip: text, street: text },
}
const updated = { type: 'string', format: 'date-time', readOnly: true }
const job = {
  type: 'object',
  required: ['name', 'owner'],
  properties: { id, name: text, updated_at: updated, owner, address },
}
const part = {
  type: 'object',
  properties: {
    name: text,
    owner: { type: 'object', properties: owner.properties },
    address: { type: 'object', properties: address.properties },
  },
}

const content = (schema: Part): Part => ({ [json]: { schema } })

/** A collection, where the record stands in the answers, and what its changes may send. */
function pathsOf(base: string, record: Part, sent: Part, wrap: (schema: Part) => Part = (schema) => schema): Part {
  const answer = (status: number): Part => ({ [status]: { description: 'ok', content: content(wrap(record)) } })
  const parameters = base.includes('{oid}')
    ? [{ name: 'oid', in: 'path', required: true, schema: { type: 'integer' } }]
    : []
  const bodies = { [json]: { schema: sent }, [merge]: { schema: any }, [patch]: { schema: any } }
  return {
    [base]: { parameters, post: { requestBody: { content: content(record) }, responses: answer(201) } },
    [`${base}/{id}`]: {
      parameters: [...parameters, { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: answer(200) },
      patch: { requestBody: { content: bodies }, responses: answer(200) },
      put: { requestBody: { content: content(sent) }, responses: answer(200) },
    },
  }
}

const wrap = (schema: Part): Part => ({ type: 'object', required: ['data'], properties: { data: schema } })
const document = documentOf({
  ...pathsOf('/items', item, any),
  ...pathsOf('/owners', item, any),
  ...pathsOf('/owners/{oid}/things', item, any),
  ...pathsOf('/wrapped', item, any, wrap),
  ...pathsOf('/shapes', shape, any),
  ...pathsOf('/jobs', job, part),
})

const [items, things, wrapped, shapes, jobs] = ['/items', '/owners/1/things', '/wrapped', '/shapes', '/jobs']
const thing = { name: 'x', size: 1 }
const round = { kind: 'c', radius: 1 }
const full = {
  name: 'n',
  owner: { email: 'a@b.example', phone: '0' },
  address: { country: 'DE', city: 'Bonn', street: 'S' },
}

/** A change of a new record, and what the record has afterwards. */
const stored: [path: string, before: Part, method: string, type: string, body: unknown, after: Part][] = [
  [items, thing, 'PATCH', merge, { name: 'y' }, { name: 'y', size: 1 }],
  [items, thing, 'PATCH', patch, [{ op: 'replace', path: '/name', value: 'y' }], { name: 'y', size: 1 }],
  [things, thing, 'PATCH', merge, { name: 'y' }, { name: 'y', size: 1 }],
  [wrapped, thing, 'PATCH', merge, { name: 'y' }, { name: 'y', size: 1 }],
  [wrapped, thing, 'PUT', json, { size: 2 }, { name: 'x', size: 2 }],
  [shapes, round, 'PATCH', merge, { radius: 9 }, { kind: 'c', radius: 9 }],
  [shapes, round, 'PATCH', merge, { kind: 'd', w: 2, radius: null }, { kind: 'd', w: 2, radius: undefined }],
  [jobs, full, 'PATCH', json, { owner: { phone: '1' } }, { owner: { email: 'a@b.example', phone: '1' } }],
  [jobs, full, 'PATCH', json, { owner: { email: 'c@d.example' } }, { owner: { email: 'c@d.example' } }],
  [
    jobs,
    full,
    'PATCH',
    json,
    { address: { zip: '1' } },
    { address: { country: 'DE', city: 'Bonn', zip: '1', street: 'S' } },
  ],
  [jobs, full, 'PATCH', merge, { address: { zip: '1' } }, { address: { ...full.address, zip: '1' } }],
  [jobs, full, 'PUT', json, { name: 'm', owner: { phone: '1' } }, { owner: { email: 'a@b.example', phone: '1' } }],
]

const refused: [path: string, before: Part, method: string, type: string, body: unknown, message: string][] = [
  [items, thing, 'PATCH', merge, { name: null }, 'name is required'],
  [items, thing, 'PATCH', merge, { size: -9 }, 'size must be at least 0 (got -9)'],
  [items, thing, 'PATCH', patch, [{ op: 'remove', path: '/name' }], 'name is required'],
  [items, thing, 'PUT', json, { name: 'y', size: -9 }, 'size must be at least 0 (got -9)'],
  [things, thing, 'PATCH', merge, { size: -9 }, 'size must be at least 0 (got -9)'],
  [things, thing, 'PATCH', merge, { name: null }, 'name is required'],
  [wrapped, thing, 'PATCH', json, { size: -9 }, 'size must be at least 0 (got -9)'],
  [wrapped, thing, 'PATCH', patch, [{ op: 'remove', path: '/name' }], 'name is required'],
  [shapes, round, 'PATCH', merge, { radius: -9 }, 'radius must be at least 0 (got -9)'],
  [shapes, round, 'PATCH', merge, { kind: 'e' }, 'kind must be one of c, d (got "e")'],
]

describe.each(doors)('over %s', (door) => {
  async function change(path: string, before: Part, method: string, type: string, body: unknown) {
    const service = await openDocument(door, document)
    const send = (verb: string, target: string, sent?: unknown, as = json) =>
      receive(service, {
        method: verb,
        target,
        headers: sent === undefined ? [] : [['Content-Type', as]],
        body: sent === undefined ? undefined : JSON.stringify(sent),
      })
    const parse = (written: string) => {
      const value = JSON.parse(written)
      return value.data ?? value
    }
    await send('POST', '/owners', thing)
    const target = `${path}/${parse((await send('POST', path, before)).text).id}`
    const old = parse((await send('GET', target)).text)
    const answer = await send(method, target, body, type)
    return { answer: parse(answer.text), status: answer.status, old, record: parse((await send('GET', target)).text) }
  }

  it.each(stored)(
    '%s with %j: %s as %s of %j stores what was sent',
    async (path, before, method, type, body, after) => {
      const { answer, record } = await change(path, before, method, type, body)
      expect(record).toEqual(answer)
      expect(Object.fromEntries(Object.keys(after).map((name) => [name, record[name]]))).toEqual(after)
    },
  )

  it.each(refused)('%s with %j: %s as %s of %j is refused', async (path, before, method, type, body, message) => {
    const { answer, status, old, record } = await change(path, before, method, type, body)
    expect([status, answer.message]).toEqual([400, `The changed record would break the contract: ${message}`])
    expect(record).toEqual(old)
  })
})

describe('a change that changes nothing', () => {
  it.each([
    ['PATCH', json, {}],
    ['PATCH', json, { nonsense: 1 }],
    ['PATCH', json, { name: 'n' }],
    ['PATCH', patch, []],
    ['PATCH', patch, [{ op: 'test', path: '/name', value: 'n' }]],
    ['PUT', json, full],
  ])('is noted, and keeps the time of the last change: %s as %s of %j', async (method, type, body) => {
    const sandbox = await openSketch(document)
    const send = (verb: string, target: string, sent: unknown, as: string) =>
      sandbox.fetch(`http://x${target}`, { method: verb, headers: { 'Content-Type': as }, body: JSON.stringify(sent) })
    const created = await (await send('POST', '/jobs', full, json)).text()
    await sandbox.clock.advance(86_400_000)
    expect(await (await send(method, '/jobs/1', body, type)).text()).toBe(created)
    const exchanges = await sandbox.exchanges.list()
    expect(exchanges.at(-1)?.notes).toContain('the request changed nothing')
  })
})
