// What `check` asks of records that belong to others: they are created, listed, changed and removed below one owner.
import { expect, it } from 'vitest'
import { type Alter, type Asked, hold, provide, withText } from './support/providers.js'
import { collection, documentOf } from './support/serve-objects.js'

const properties = { id: { type: 'integer', readOnly: true }, name: { type: 'string', minLength: 1, maxLength: 40 } }
const record = { type: 'object', required: ['id', 'name'], properties }
const id = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } })
const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })
const ok = json(record)
const gone = { description: 'gone' }
const requestBody = { required: true, content: { 'application/json': { schema: record } } }
const errors = { '4XX': { description: 'no' } }

const text = JSON.stringify({
  ...documentOf({
    ...collection({ path: '/owners', record }),
    '/owners/{ownerId}/pets': {
      parameters: [id('ownerId')],
      get: { operationId: 'listPets', responses: { '200': json({ type: 'array', items: record }), ...errors } },
      post: { operationId: 'createPet', requestBody, responses: { '201': ok, ...errors } },
    },
    '/owners/{ownerId}/pets/{petId}': {
      parameters: [id('ownerId'), id('petId')],
      get: { operationId: 'readPet', responses: { '200': ok, ...errors } },
      put: { operationId: 'replacePet', requestBody, responses: { '200': ok, ...errors } },
      delete: { operationId: 'removePet', responses: { '204': gone, ...errors } },
    },
  }),
  servers: [{ url: 'http://service.example' }],
})

const isNested = ({ path }: Asked) => path.includes('/pets')
const listed = (answer: Response) => withText(answer, (list) => JSON.stringify(JSON.parse(list).slice(1)))

const bugs: [name: string, alter: Alter, expected: string[]][] = [
  ['none', (_, next) => next(), []],
  [
    'a change is forgotten',
    async (asked, next) => {
      if (!isNested(asked) || asked.method !== 'PUT') return next()
      const before = await next({ method: 'GET', body: '' })
      const answer = await next()
      if (answer.ok) await next({ body: await before.text() })
      return answer
    },
    ['record-changed PUT /owners/{ownerId}/pets/{petId}'],
  ],
  [
    'a removal is forgotten',
    (asked, next) => (isNested(asked) && asked.method === 'DELETE' ? new Response(null, { status: 204 }) : next()),
    ['unknown-record-found GET /owners/{ownerId}/pets/{petId}'],
  ],
  [
    'a list is cut',
    async (asked, next) => (asked.path.endsWith('/pets') && asked.method === 'GET' ? listed(await next()) : next()),
    ['record-lost GET /owners/{ownerId}/pets'],
  ],
]

it.each(bugs)('finds in records below others: %s', async (_, alter, expected) => {
  const { findings } = await hold(await provide({ text, base: '' }, alter), { text })
  const found = findings.map(({ rule, method, path }) => `${rule} ${method} ${path}`)
  expect([...new Set(found)]).toEqual(expected)
})
