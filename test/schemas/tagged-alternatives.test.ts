/** Alternatives that a constant or a discriminator tells apart: the tag decides about messages, samples, forms and the clock. */
import { compileDocument, createSandbox, generateScenario } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import { writeFolder } from '../support/serving.js'

const text = { type: 'string' }
const number = { type: 'integer' }
const readOnly = { readOnly: true }
const instant = { type: 'string', format: 'date-time', ...readOnly }
const json = (schema: Part): Part => ({ 'application/json': { schema } })
const refTo = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })

/** A film and a series, with the property that tells them apart. */
function schemasOf(kindOf: (value: string) => Part): Record<string, Part & { required: string[] }> {
  const properties = (kind: string) => ({
    id: { ...number, ...readOnly },
    kind: kindOf(kind),
    title: text,
    screenedAt: instant,
  })
  const film = { ...properties('film'), runtimeMinutes: number, isDubbed: { type: 'boolean', default: false } }
  const series = { ...properties('series'), seasons: number, network: text }
  return {
    film: { type: 'object', required: ['id', 'kind', 'title', 'screenedAt', 'runtimeMinutes'], properties: film },
    series: { type: 'object', required: ['id', 'kind', 'title', 'seasons', 'network'], properties: series },
  }
}

const both = [refTo('film'), refTo('series')]
const constants = schemasOf((value) => ({ const: value }))

/** The schemas of the alternatives, and that of the value. */
const ways: [name: string, schemas: Part, item: Part][] = [
  ['constants in oneOf', constants, { oneOf: both }],
  ['constants in anyOf', constants, { anyOf: both }],
  ['enums', schemasOf((value) => ({ ...text, enum: [value] })), { oneOf: both }],
  ['inline alternatives', {}, { oneOf: Object.values(constants) }],
  ['alternatives in allOf', constants, { allOf: [{ type: 'object' }, { oneOf: both }] }],
  [
    'a mapping',
    schemasOf(() => text),
    {
      oneOf: both,
      discriminator: { propertyName: 'kind', mapping: { film: '#/components/schemas/film', series: 'series' } },
    },
  ],
  ['names of schemas', schemasOf(() => text), { oneOf: both, discriminator: { propertyName: 'kind' } }],
]

const documentWith = (schemas: Part, item: Part): string =>
  documentOf(
    {
      '/works': {
        get: { responses: { 200: { description: 'ok', content: json({ type: 'array', items: refTo('Work') }) } } },
        post: {
          requestBody: { required: true, content: json(refTo('Work')) },
          responses: { 201: { description: 'ok', content: json(refTo('Work')) } },
        },
      },
      '/sample': { get: { responses: { 200: { description: 'ok', content: json(refTo('Work')) } } } },
    },
    { components: { schemas: { ...schemas, Work: item } } },
  )

const refused: [name: string, body: Part, message: string][] = [
  ['the one message of its alternative', { kind: 'film', title: 'a' }, 'runtimeMinutes is required'],
  ['all messages of its alternative', { kind: 'series', title: 'a' }, 'seasons is required; network is required'],
  ['that the tag is required', { title: 'a' }, 'kind is required'],
  ['the values of the tag', { kind: 'song', title: 'a' }, 'kind must be one of film, series (got "song")'],
]

async function sendWork(door: string, schemas: Part, item: Part, sent: Part) {
  const service = await openDocument(door, documentWith(schemas, item))
  const headers: [string, string][] = [['Content-Type', 'application/json']]
  const request = { method: 'POST', target: '/works', headers, body: JSON.stringify(sent) }
  const { status, text } = await receive(service, request)
  return { status, body: JSON.parse(text) }
}

describe.each(doors)('over %s, with', (door) => {
  describe.each(ways)('%s', (_, schemas, item) => {
    const send = (body: Part) => sendWork(door, schemas, item, body)

    it.each(refused)('a request gets %s', async (_name, body, message) => {
      expect((await send(body)).body.message).toBe(message)
    })

    it('a request for either alternative is accepted', async () => {
      const bodies = [
        { kind: 'film', title: 'a', runtimeMinutes: 9 },
        { kind: 'series', title: 'a', seasons: 1, network: 'b' },
      ]
      expect(await Promise.all(bodies.map(async (body) => (await send(body)).status))).toEqual([201, 201])
    })

    // A discriminator does not change what is valid: OpenAPI 3.0.4, section 4.7.25.
    it('a request that fits both is refused only if nothing but a discriminator tells them apart', async () => {
      const isExact = item.discriminator === undefined || item.anyOf !== undefined
      const body = { kind: 'film', title: 'a', runtimeMinutes: 9, seasons: 1, network: 'b' }
      expect((await send(body)).status).toBe(isExact ? 201 : 400)
    })

    it('a creation has the time of the clock', async () => {
      expect((await send({ kind: 'film', title: 'a', runtimeMinutes: 9 })).body.screenedAt).toBe(
        '1970-01-01T00:00:00.000Z',
      )
    })

    it('a creation has the defaults of its alternative', async () => {
      expect((await send({ kind: 'film', title: 'a', runtimeMinutes: 9 })).body.isDubbed).toBe(false)
    })

    it('a creation of the other alternative has only what is sent and required', async () => {
      const body = { kind: 'series', title: 'a', seasons: 1, network: 'b' }
      expect((await send(body)).body).toEqual({ id: 1, ...body })
    })
  })
})

it.each(ways)('with %s, a sample is one alternative', async (_, schemas, item) => {
  const service = await openDocument('fetch', documentWith(schemas, item))
  const { text } = await receive(service, { method: 'GET', target: '/sample' })
  expect([Object.keys(JSON.parse(text)).toSorted(), JSON.parse(text).kind]).toEqual([
    ['id', 'isDubbed', 'kind', 'runtimeMinutes', 'screenedAt', 'title'],
    'film',
  ])
})

/** Discriminators whose schemas allow any tag. The first names of the alternatives are those of samples. */
const open = schemasOf(() => text)
const optional = Object.fromEntries(
  Object.entries(open).map(([name, { required, ...schema }]) => [
    name,
    { ...schema, required: required.filter((each) => each !== 'kind') },
  ]),
)
const movie = { movie: '#/components/schemas/film' }
const discriminators: [name: string, schemas: Part, item: Part, allowed: string][] = [
  ['without a mapping', open, { oneOf: both, discriminator: { propertyName: 'kind' } }, 'film, series'],
  [
    'with a mapping of one alternative',
    open,
    { oneOf: both, discriminator: { propertyName: 'kind', mapping: movie } },
    'movie, film, series',
  ],
  ['with anyOf', open, { anyOf: both, discriminator: { propertyName: 'kind', mapping: movie } }, 'movie, film, series'],
  [
    'with a tag that is not required',
    optional,
    { oneOf: both, discriminator: { propertyName: 'kind', mapping: movie } },
    'movie, film, series',
  ],
  [
    'with null as an alternative',
    open,
    { oneOf: [...both, { type: 'null' }], discriminator: { propertyName: 'kind' } },
    'film, series',
  ],
]

describe.each(doors)('over %s, a discriminator', (door) => {
  describe.each(discriminators)('%s', (_, schemas, item, allowed) => {
    const bodyWith = (kind: string) =>
      kind === 'series' ? { kind, title: 'a', seasons: 1, network: 'b' } : { kind, title: 'a', runtimeMinutes: 9 }

    async function openWorks() {
      const changes = { [`application/merge-patch+json`]: { schema: { type: 'object' } }, ...json(refTo('Work')) }
      const written = JSON.parse(documentWith(schemas, item))
      written.paths['/works/{id}'] = {
        parameters: [{ name: 'id', in: 'path', required: true, schema: number }],
        get: { responses: { 200: { description: 'ok', content: json(refTo('Work')) } } },
        patch: {
          requestBody: { content: changes },
          responses: { 200: { description: 'ok', content: json(refTo('Work')) } },
        },
        put: {
          requestBody: { content: json(refTo('Work')) },
          responses: { 200: { description: 'ok', content: json(refTo('Work')) } },
        },
      }
      const service = await openDocument(door, JSON.stringify(written))
      return async (method: string, target: string, body: Part, type = 'application/json') => {
        const headers: [string, string][] = [['Content-Type', type]]
        const answer = await receive(service, { method, target, headers, body: JSON.stringify(body) })
        return { status: answer.status, body: JSON.parse(answer.text) }
      }
    }

    it('refuses a tag that names no alternative, in creations and changes', async () => {
      const send = await openWorks()
      await send('POST', '/works', bodyWith('film'))
      const answers = [
        await send('POST', '/works', bodyWith('short')),
        await send('PUT', '/works/1', bodyWith('short')),
        await send('PATCH', '/works/1', { kind: 'short' }, 'application/merge-patch+json'),
      ]
      for (const { status, body } of answers)
        expect([status, body.message]).toEqual([
          400,
          expect.stringContaining(`kind must be one of ${allowed} (got "short")`),
        ])
    })

    it('keeps each name of an alternative as it was sent', async () => {
      const send = await openWorks()
      for (const [index, kind] of allowed.split(', ').entries()) {
        expect(await send('POST', '/works', bodyWith(kind))).toMatchObject({ status: 201, body: { kind } })
        const target = `/works/${index + 1}`
        const change = { title: 'b' }
        const changed = await send('PATCH', target, change, 'application/merge-patch+json')
        expect(changed).toMatchObject({ status: 200, body: { ...change, kind } })
      }
    })
  })
})

it.each(discriminators)('a form has a body that a discriminator %s names', async (_, schemas, item, allowed) => {
  const folder = await writeFolder({ 'works.json': documentWith(schemas, item) })
  const server = await startServer({ spec: `${folder}/works.json`, port: 0 })
  onTestFinished(() => server.close())
  const listed = (await (await fetch(`${server.url}/_sandbox/operations`)).json()) as { id: string; method: string }[]
  const { id } = listed.find(({ method }) => method === 'POST') ?? { id: '' }
  const described = await fetch(`${server.url}/_sandbox/operations/${encodeURIComponent(id)}`)
  const { form } = (await described.json()) as { form: { example: { body?: { kind?: string } } } }
  const names = allowed.split(', ').filter((name) => name !== 'film' || !allowed.includes('movie'))
  expect([...names, undefined]).toContain(form.example.body?.kind)
})

it('leaves other tags valid where a mapping names what is no alternative', async () => {
  const mapping = { ...movie, short: 'https://example.org/short.json' }
  const item = { oneOf: both, discriminator: { propertyName: 'kind', mapping } }
  const service = await openDocument('fetch', documentWith(open, item))
  const body = JSON.stringify({ kind: 'short', title: 'a', runtimeMinutes: 9 })
  const request = { method: 'POST', target: '/works', headers: [['Content-Type', 'application/json']] as const, body }
  expect((await receive(service, request)).status).toBe(201)
})

it('reports the line of the alternative that the tag names', async () => {
  const written = documentWith(constants, { oneOf: both })
  const folder = await writeFolder({ 'works.json': written })
  const server = await startServer({ spec: `${folder}/works.json`, port: 0 })
  onTestFinished(() => server.close())
  const body = JSON.stringify({ kind: 'series', title: 7, seasons: 1, network: 'b' })
  await fetch(`${server.url}/works`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const listed = await fetch(`${server.url}/_sandbox/exchanges`)
  const [exchange] = (await listed.json()) as { violations: { pointer: string }[] }[]
  expect(exchange?.violations.map(({ pointer }) => pointer)).toEqual([
    '/components/schemas/series/properties/title/type',
  ])
})

const ok = (schema: Part): Part => ({ description: 'ok', content: json(schema) })

it.each(doors)('over %s keeps what a subschema adds to a base whose discriminator names it', async (door) => {
  const shape = { type: 'object', required: ['kind'], properties: { id: { ...number, ...readOnly }, kind: text } }
  const schemas = {
    Shape: { ...shape, discriminator: { propertyName: 'kind', mapping: { circle: '#/components/schemas/Circle' } } },
    Circle: { allOf: [refTo('Shape'), { type: 'object', properties: { radius: number } }] },
  }
  const post = {
    requestBody: { required: true, content: json(refTo('Shape')) },
    responses: { 201: ok(refTo('Shape')) },
  }
  const get = { responses: { 200: ok({ type: 'array', items: refTo('Shape') }) } }
  const service = await openDocument(door, documentOf({ '/shapes': { get, post } }, { components: { schemas } }))
  const headers: [string, string][] = [['Content-Type', 'application/json']]
  const body = JSON.stringify({ kind: 'circle', radius: 5 })
  const answer = await receive(service, { method: 'POST', target: '/shapes', headers, body })
  expect([answer.status, JSON.parse(answer.text)]).toEqual([201, { id: 1, kind: 'circle', radius: 5 }])
})

const inherit = (parent: string, properties: Part): Part => ({
  allOf: [refTo(parent), { type: 'object', required: Object.keys(properties), properties }],
})
const plant = (mapping?: Part, family: Part = text): Part => ({
  type: 'object',
  required: ['family'],
  properties: { id: number, family },
  discriminator: { propertyName: 'family', ...(mapping && { mapping }) },
})
const [fern, moss] = [inherit('Plant', { fronds: number }), inherit('Plant', { depth: number })]
const references = { fern: '#/components/schemas/Fern', moss: '#/components/schemas/Moss' }

/** Hierarchies whose first schema names its property, each with what values may be. */
const hierarchies: [what: string, schemas: Part, families: Record<string, string[]>][] = [
  ['references', { Plant: plant(references), Fern: fern, Moss: moss }, { fern: ['fronds'], moss: ['depth'] }],
  ['names', { Plant: plant({ a: 'Fern', b: 'Fern' }), Fern: fern }, { a: ['fronds'], b: ['fronds'] }],
  ['no mapping', { Plant: plant(), Fern: fern, Moss: moss }, { Fern: ['fronds'], Moss: ['depth'] }],
  [
    'several levels',
    { Plant: plant(), Flower: inherit('Plant', { petals: number }), Rose: inherit('Flower', { thorns: number }) },
    { Flower: ['petals'], Rose: ['petals', 'thorns'] },
  ],
  ['an enum', { Plant: plant(undefined, { ...text, enum: ['Moss'] }), Fern: fern, Moss: moss }, { Moss: ['depth'] }],
  ['an example', { Plant: plant(undefined, { ...text, example: 'custom' }), Fern: fern }, { Fern: ['fronds'] }],
  [
    'a schema that does not inherit',
    { Plant: plant({ fern: 'Fern' }), Fern: { type: 'object', required: ['fronds'], properties: { fronds: number } } },
    { fern: ['fronds'] },
  ],
  ['no other schema', { Plant: plant() }, { Plant: [] }],
  [
    'a circle',
    { Plant: plant(), A: { allOf: [refTo('B')] }, B: { allOf: [refTo('A'), refTo('Plant')] } },
    { A: [], B: [] },
  ],
]

describe.each(hierarchies)('a discriminator with schemas that inherit, by %s', (_, schemas, families) => {
  const item = refTo('Plant')
  const wrapped = { type: 'object', required: ['it'], properties: { it: { allOf: [item], description: 'one' } } }
  const document = documentOf(
    {
      '/plants': {
        get: { responses: { 200: { description: 'ok', content: json({ type: 'array', items: item }) } } },
        post: { requestBody: { content: json(item) }, responses: { 201: { description: 'ok', content: json(item) } } },
      },
      '/guess': { get: { responses: { 200: { description: 'ok', content: json(wrapped) } } } },
    },
    { components: { schemas } },
  )

  it('makes values that have its name, and what it requires', async () => {
    const compiled = await compileDocument(document)
    const scenario = await generateScenario({ seed: 1, records: 8, compiled })
    const sandbox = createSandbox({ contract: compiled.contract, scenario })
    const records: Part[] = await (await sandbox.fetch('http://localhost/plants')).json()
    const sample = await (await sandbox.fetch('http://localhost/guess')).json()
    for (const record of [...records, sample.it]) {
      expect(Object.keys(families)).toContain(record['family'])
      expect(record).toMatchObject(
        Object.fromEntries((families[String(record['family'])] ?? []).map((name) => [name, expect.any(Number)])),
      )
    }
    expect(new Set(records.map(({ family }) => family)).size).toBe(Object.keys(families).length)
  })

  it('keeps what is sent, also with a name that no schema has', async () => {
    if (JSON.stringify(schemas).includes('enum')) return
    const { contract } = await compileDocument(document)
    const sandbox = createSandbox({ contract, scenario: {} })
    for (const body of [
      { family: 'cactus', spines: 3 },
      { family: Object.keys(families)[0], fronds: 7, extra: [1] },
    ]) {
      const headers = { 'content-type': 'application/json' }
      const sent = await sandbox.fetch('http://localhost/plants', {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect([sent.status, await sent.json()]).toMatchObject([201, { id: expect.any(Number), ...body }])
    }
  })
})

// --- alternatives without a tag ----------------------------------------------------------------------------------------

const cat = { type: 'object', required: ['lives'], properties: { lives: number, age: number } }
const dog = { type: 'object', required: ['bark'], properties: { bark: text, age: number } }
const animals = [refTo('Cat'), refTo('Dog')]

const untagged: [what: string, item: Part, body: Part, message: string][] = [
  [
    'the name of what is referred to',
    { oneOf: animals },
    { bark: 'wuff', age: 'x' },
    'age must be an integer (got "x"); the closest alternative is Dog',
  ],
  [
    'its title',
    { anyOf: [{ ...cat, title: 'A cat' }, dog] },
    { lives: 9, age: 'x' },
    'age must be an integer (got "x"); the closest alternative is A cat',
  ],
  [
    'its number',
    { anyOf: [cat, dog] },
    { bark: 1 },
    'bark must be a string (got 1); the closest alternative is number 2',
  ],
  [
    'the inner name of alternatives in alternatives',
    { oneOf: [{ ...refTo('Cat') }, { oneOf: [refTo('Dog'), { type: 'object', required: ['a', 'b'] }] }] },
    { bark: 1 },
    'bark must be a string (got 1); the closest alternative is Dog',
  ],
  [
    'the number among so many that only the closest are compared',
    {
      anyOf: Array.from({ length: 20 }, (_, at) => ({
        ...cat,
        required: [`p${at}`],
        properties: { [`p${at}`]: number, note: number },
      })),
    },
    { p17: 1, note: 'x' },
    'note must be an integer (got "x"); the closest alternative is number 18',
  ],
  [
    'the name of one of many',
    {
      oneOf: [
        ...Array.from({ length: 20 }, (_, at) => ({ type: 'object', required: [`a${at}`, `b${at}`] })),
        refTo('Dog'),
        refTo('Cat'),
      ],
    },
    {},
    'bark is required; the closest alternative is Dog',
  ],
  ['nothing beside null', { anyOf: [cat, { type: 'null' }] }, { lives: 'x' }, 'lives must be an integer (got "x")'],
]

const closed = { unevaluatedProperties: false, ...{ oneOf: [refTo('Cat'), refTo('Dog')] } }
const wholes: [what: string, item: Part, body: Part, message: string][] = [
  [
    'a list without what it must contain',
    { properties: { tags: { type: 'array', contains: { type: 'integer', minimum: 3 }, minContains: 2 } } },
    { tags: [1, 5, 'b'] },
    'tags must satisfy "contains" (got an array)',
  ],
  [
    'a name',
    { propertyNames: { pattern: '^[a-z]+$', maxLength: 1 } },
    { A1: 1 },
    'body must satisfy "propertyNames" (got an object)',
  ],
  [
    'a value of an alternative',
    closed,
    { lives: 9, age: 'x' },
    'age must be an integer (got "x"); the closest alternative is Cat',
  ],
  [
    'an item of an alternative',
    {
      properties: {
        pair: {
          oneOf: [
            { type: 'array', prefixItems: [number] },
            { type: 'array', minItems: 2 },
          ],
          unevaluatedItems: false,
        },
      },
    },
    { pair: ['x'] },
    'pair[0] must be an integer (got "x"); the closest alternative is number 1',
  ],
  ['an unknown name beside an alternative', closed, { lives: 9, wings: 2 }, 'wings is not allowed'],
  [
    'an unknown name beside parts',
    { allOf: [refTo('Cat')], unevaluatedProperties: false },
    { lives: 'x', wings: 2 },
    'lives must be an integer (got "x"); wings is not allowed',
  ],
]

describe.each(doors)('over %s, one mistake is one violation', (door) => {
  it.each(wholes)('in %s', async (_, item, body, message) => {
    const answer = await sendWork(door, { Cat: cat, Dog: dog }, item, body)
    expect(answer.body.message).toBe(message)
  })
})

describe.each(doors)('over %s, with a default mapping', (door) => {
  const item = { oneOf: animals, discriminator: { propertyName: 'kind', defaultMapping: 'Dog' } }
  it.each([
    [{ kind: 'Cat', lives: 9 }, 201],
    [{ kind: 'wolf', bark: 'wuff' }, 201],
    [{ bark: 'wuff' }, 201],
    [{ kind: 'Cat', lives: 'x' }, 400],
    [{ kind: 'wolf', bark: 1 }, 400],
    [{ kind: 'wolf' }, 400],
  ])('%j gets %d', async (body, status) => {
    const kind = { type: 'string' }
    const cats = { ...cat, required: ['kind', 'lives'], properties: { ...cat.properties, kind } }
    const dogs = { ...dog, properties: { ...dog.properties, kind } }
    expect((await sendWork(door, { Cat: cats, Dog: dogs }, item, body)).status).toBe(status)
  })
})

describe.each(doors)('over %s, without a tag', (door) => {
  it.each(untagged)('a violation says %s', async (_, item, body, message) => {
    const answer = await sendWork(door, { Cat: cat, Dog: dog }, item, body)
    expect(answer.body.message).toBe(message)
  })
})

it('decides by a mapping where no alternative has the property', async () => {
  const is = { type: 'object', properties: { value: {} }, required: ['value'] }
  const begins = { type: 'object', properties: { value: text }, required: ['value'] }
  const mapping = { is: '#/components/schemas/Is', beginsWith: '#/components/schemas/Begins' }
  const item = { oneOf: [refTo('Is'), refTo('Begins')], discriminator: { propertyName: 'operator', mapping } }
  const { contract } = await compileDocument(documentWith({ Is: is, Begins: begins }, item))
  const sandbox = createSandbox({ contract })
  const isRefused = async (body: Part) => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await sandbox.fetch('https://api.example/works', init)).status === 400
  }
  expect(await isRefused({ operator: 'is', value: 'x' })).toBe(false)
  expect(await isRefused({ operator: 'beginsWith', value: 'x' })).toBe(false)
  expect(await isRefused({ operator: 'beginsWith', value: 1 })).toBe(true)
})
