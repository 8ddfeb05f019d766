// Names that every JavaScript object inherits are names like any other, wherever a document or a request uses them.
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { type JsonObject, readObject } from '../support/read-json.js'
import { type CollectionOptions, collection, documentOf, serve } from '../support/serve-objects.js'

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'then', '<<']
/** A literal would take `__proto__` for the prototype. */
const named = (name: string, value: unknown): JsonObject => Object.fromEntries([[name, value]])
const text = { type: 'string', maxLength: 3 }
const success = { '200': { description: 'ok' } }

const record = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries([['id', { type: 'integer' }], ...Object.entries(properties)]),
})
/** The paths of a collection without those of its records. */
const onlyList = (options: CollectionOptions) => ({ [options.path]: collection(options)[options.path] })
const paths = names.map((name, index) => ({
  // The list has a filter of the name, and records a property of it.
  ...collection({
    path: `/property${index}`,
    record: record(named(name, text)),
    parameters: [{ name, in: 'query', schema: { type: 'string' } }],
  }),
  // A filter of the name, and records without such a property.
  ...onlyList({
    path: `/filter${index}`,
    record: record({ other: text }),
    parameters: [{ name, in: 'query', schema: { type: 'string' } }],
  }),
  ...onlyList({ path: `/required${index}`, record: { ...record(named(name, text)), required: [name] } }),
  ...collection({
    path: `/default${index}`,
    record: record(named(name, { ...text, readOnly: true, default: 'was' })),
  }),
  ...collection({ path: `/key${index}`, key: name, keySchema: text, record: record(named(name, text)) }),
  ...collection({ path: `/in/${name}`, record: record({ name: { type: 'string' } }) }),
  ...Object.fromEntries(
    ['query', 'header', 'cookie'].map((place) => [
      `/${place}${index}`,
      { get: { parameters: [{ name, in: place, required: true, schema: { type: 'integer' } }], responses: success } },
    ]),
  ),
  [`/action/{id}/${name}`]: {
    post: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: { '200': { description: 'ok', content: { 'application/json': { schema: record({}) } } } },
    },
  },
  ...collection({
    path: `/owners/{${name}}/pets${index}`,
    record: record({}),
    parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
  }),
  [`/scheme${index}`]: { get: { security: [named(name, [])], responses: success } },
}))
/** Component names are letters, digits and `._-` (OpenAPI 3.1, section 4.8.7). */
const components = names.filter((name) => /^[\w.-]+$/.test(name))
const referring = components.map((name) => {
  return onlyList({ path: `/schema-${name}`, record: { $ref: `#/components/schemas/${name}` } })
})
const schemes = Object.fromEntries(components.map((name) => [name, { type: 'apiKey', in: 'query', name: 'k' }]))
const schemas = Object.fromEntries(components.map((name) => [name, record(named(name, text))]))
const acted = collection({ path: '/action', record: record({ done: { type: 'boolean' } }) })
const all: JsonObject = Object.assign({}, acted, ...paths, ...referring)
for (const path of Object.keys(all)) {
  const isWithoutScheme = path.startsWith('/scheme') && !components.includes(names[Number(path.slice(7))] ?? '')
  if (isWithoutScheme) delete all[path]
}
const document = documentOf(all, { components: { securitySchemes: schemes, schemas } })
const served = serve(document)
const collections = documentOf(
  Object.assign({}, ...names.map((name) => onlyList({ path: `/in/${name}`, record: record({ name: text }) }))),
)

describe.each(names.map((name, index) => [name, index] as const))('%s', (name, index) => {
  const member = JSON.stringify(name)

  it('is a filter and a property', async () => {
    const target = `/property${index}`
    const list = `${target}?${encodeURIComponent(name)}`
    expect((await served.send('GET', `${list}=a`)).text).toBe('[]')
    expect((await served.send('POST', target, { body: '{}' })).text).toBe('{"id":1}')
    const created = await served.send('POST', target, { body: `{${member}:"a"}` })
    expect(created).toMatchObject({ status: 201, text: `{"id":2,${member}:"a"}` })
    for (const wrong of ['5', '"long"', 'null', '{}']) {
      expect((await served.send('POST', target, { body: `{${member}:${wrong}}` })).status, wrong).toBe(400)
    }
    expect((await served.send('GET', `${list}=a`)).text).toBe(`[${created.text}]`)
    expect((await served.send('GET', `${list}=b`)).text).toBe('[]')
    expect((await served.send('PATCH', `${target}/1`, { body: `{${member}:"b"}` })).text).toBe(`{"id":1,${member}:"b"}`)
    expect((await served.send('GET', `${list}=b`)).text).toBe(`[{"id":1,${member}:"b"}]`)
    expect((await served.send('PUT', `${target}/2`, { body: '{}' })).text).toBe('{"id":2}')
  })

  it('is a property that is required', async () => {
    const refused = await served.send('POST', `/required${index}`, { body: '{}' })
    expect([refused.status, readObject(JSON.parse(refused.text))['message']]).toEqual([400, `${name} is required`])
    expect((await served.send('POST', `/required${index}`, { body: `{${member}:"a"}` })).status).toBe(201)
  })

  it('is a property that the service fills in and keeps', async () => {
    const kept = `{"id":1,${member}:"was"}`
    expect((await served.send('POST', `/default${index}`, { body: `{${member}:"x"}` })).text).toBe(kept)
    expect((await served.send('PUT', `/default${index}/1`, { body: '{}' })).text).toBe(kept)
    expect((await served.send('PATCH', `/default${index}/1`, { body: `{${member}:"x"}` })).text).toBe(kept)
  })

  it('is a key', async () => {
    const target = `/key${index}`
    expect((await served.send('POST', target, { body: '{}' })).text).toBe(`{${member}:"1"}`)
    expect((await served.send('POST', target, { body: `{${member}:"k"}` })).text).toBe(`{${member}:"k"}`)
    expect((await served.send('GET', `${target}/k`)).text).toBe(`{${member}:"k"}`)
    expect((await served.send('GET', `${target}/1`)).text).toBe(`{${member}:"1"}`)
    expect((await served.send('GET', `${target}/long`)).status).toBe(400)
    expect((await served.send('DELETE', `${target}/k`)).status).toBe(204)
    expect((await served.send('GET', `${target}/k`)).status).toBe(404)
  })

  it('is an action, and a parameter that is no key', async () => {
    const { text } = await served.send('POST', '/action', { body: '{}' })
    const { id } = JSON.parse(text)
    const acted = await served.send('POST', `/action/${id}/${encodeURIComponent(name)}`)
    expect(acted).toMatchObject({ status: 200, text: JSON.stringify({ id }) })
    const pets = `/owners/a/pets${index}`
    expect((await served.send('POST', pets, { body: '{}' })).text).toBe('{"id":1}')
    expect((await served.send('GET', `${pets}/1`)).text).toBe('{"id":1}')
    expect((await served.send('GET', `/owners/b/pets${index}/1`)).status).toBe(404)
  })

  it('is a collection', async () => {
    const target = `/in/${encodeURIComponent(name)}`
    expect((await served.send('POST', target, { body: { name: 'n' } })).text).toBe('{"id":1,"name":"n"}')
    expect((await served.send('GET', `${target}/1`)).text).toBe('{"id":1,"name":"n"}')
    const sandbox = createSandbox({ contract: (await compileOnce(JSON.stringify(collections))).contract })
    const records = sandbox.world().collection(name)
    await records.add({ name: 'n' })
    expect(await records.list()).toEqual([{ id: 1, name: 'n' }])
    const state = await sandbox.world().snapshot()
    await sandbox.reset()
    expect(await records.size()).toBe(0)
    await sandbox.world().restore(state)
    expect(await records.get(1)).toEqual({ id: 1, name: 'n' })
  })

  it.each(['query', 'header', 'cookie'])('is a parameter of the %s', async (place) => {
    const send = async (value: string | undefined) => {
      const given = value !== undefined
      const headers: [string, string][] = []
      if (given && place === 'header') headers.push([name, value])
      if (given && place === 'cookie') headers.push(['Cookie', `a=b; ${name}=${value}`])
      const query = given && place === 'query' ? `?${encodeURIComponent(name)}=${value}` : ''
      return (await served.send('GET', `/${place}${index}${query}`, { headers })).status
    }
    expect(await send(undefined)).toBe(400)
    // No request can have a header of the name <<, and node:http keeps none of the name __proto__.
    if (place === 'header' && (name === '<<' || name === '__proto__')) return
    expect(await send('5')).toBe(200)
    expect(await send('a')).toBe(400)
  })
})

it.each(components.map((name) => [name, names.indexOf(name)] as const))(
  '%s is the name of a security scheme and of a schema',
  async (name, index) => {
    expect((await served.send('GET', `/scheme${index}`)).status).toBe(401)
    expect((await served.send('GET', `/scheme${index}?k=sandbox`)).status).toBe(200)
    const created = await served.send('POST', `/schema-${name}`, { body: `{${JSON.stringify(name)}:"a"}` })
    expect(created).toMatchObject({ status: 201, text: `{"id":1,${JSON.stringify(name)}:"a"}` })
    const undeclared = documentOf({ '/xs': { get: { security: [named(name, [])], responses: success } } })
    await expect(compileDocument(JSON.stringify(undeclared), 'x', { strict: true })).rejects.toThrow(
      `The security scheme "${name}" is not`,
    )
  },
)

describe('a value of an enum or a const that is an object', () => {
  const only = { enum: [{ a: [1] }, 'b', [2]] }
  const post = (schema: JsonObject) => ({
    post: { requestBody: { content: { 'application/json': { schema } } }, responses: success },
  })
  const { send } = serve(documentOf({ '/enum': post(only), '/const': post({ const: { a: [1] } }) }))

  it.each(names)('is no object with the property %s', async (name) => {
    for (const value of [null, 0, {}]) {
      for (const path of ['/enum', '/const']) {
        const { status, text } = await send('POST', path, { body: JSON.stringify(named(name, value)) })
        expect([status, text]).toEqual([400, expect.stringContaining('must be')])
      }
    }
  })

  it('is one that equals it', async () => {
    const statuses = []
    for (const body of ['{"a":[1]}', '{"a":[1.0]}', '"b"', '[2]', '{"a":[2]}', '[]', '{"a":[1],"c":2}']) {
      statuses.push((await send('POST', '/enum', { body })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 400, 400, 400])
    expect((await send('POST', '/const', { body: '{"a":[1]}' })).status).toBe(200)
  })
})
