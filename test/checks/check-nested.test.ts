// What `check` asks of records that belong to others: they are created, listed, changed and removed below one owner.
import { describe, expect, it } from 'vitest'
import { type Alter, type Asked, hold, provide, withText } from '../support/providers.js'
import { collection, documentOf } from '../support/serve-objects.js'

const properties = { id: { type: 'integer', readOnly: true }, name: { type: 'string', minLength: 1, maxLength: 40 } }
const record = { type: 'object', required: ['id', 'name'], properties }
const id = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } })
const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })
const gone = { description: 'gone' }
const errors = { '4XX': { description: 'no' } }

/** A collection below others, whose parameters are given. */
function below(path: string, name: string, owners: readonly string[], schema: object = record) {
  const [answer, content] = [json(schema), { 'application/json': { schema } }]
  const above = owners.map(id)
  return {
    [path]: {
      parameters: above,
      get: { operationId: `list${name}s`, responses: { '200': json({ type: 'array', items: schema }), ...errors } },
      post: {
        operationId: `create${name}`,
        requestBody: { required: true, content },
        responses: { '201': answer, ...errors },
      },
    },
    [`${path}/{${name.toLowerCase()}Id}`]: {
      parameters: [...above, id(`${name.toLowerCase()}Id`)],
      get: { operationId: `read${name}`, responses: { '200': answer, ...errors } },
      put: {
        operationId: `replace${name}`,
        requestBody: { required: true, content },
        responses: { '200': answer, ...errors },
      },
      delete: { operationId: `remove${name}`, responses: { '204': gone, ...errors } },
    },
  }
}

const text = JSON.stringify({
  ...documentOf({
    ...collection({ path: '/owners', record }),
    ...below('/owners/{ownerId}/pets', 'Pet', ['ownerId']),
    // The same owner under another name.
    ...below('/owners/{owner}/pets/{petId}/toys', 'Toy', ['owner', 'petId']),
  }),
  servers: [{ url: 'http://service.example' }],
})

/** Records in wrappers, in requests and in answers. */
const wrapped = (name: string) => ({ type: 'object', required: [name], properties: { [name]: record } })
const tagBody = { required: true, content: { 'application/json': { schema: wrapped('tag') } } }
const wrappedText = JSON.stringify({
  ...documentOf({
    '/tags': {
      get: { operationId: 'listTags', responses: { '200': json({ type: 'array', items: record }), ...errors } },
      post: { operationId: 'createTag', requestBody: tagBody, responses: { '201': json(wrapped('tag')), ...errors } },
    },
    '/tags/{tagId}': {
      parameters: [id('tagId')],
      get: { operationId: 'readTag', responses: { '200': json(wrapped('tag')), ...errors } },
      put: { operationId: 'replaceTag', requestBody: tagBody, responses: { '200': json(wrapped('tag')), ...errors } },
      delete: { operationId: 'removeTag', responses: { '204': gone, ...errors } },
    },
  }),
  servers: [{ url: 'http://service.example' }],
})
const forgotten: Alter = async (asked, next) => {
  if (asked.method !== 'PUT') return next()
  const before = await next({ method: 'GET', body: '' })
  const answer = await next()
  if (answer.ok) await next({ body: await before.text() })
  return answer
}
const shouted: Alter = (asked, next) =>
  asked.method === 'POST' ? next({ body: asked.body.replace(/"name":"[^"\\]{1,40}"/, '"name":"OTHER"') }) : next()

const wrappedBugs: [name: string, alter: Alter, expected: string[]][] = [
  ['none', (_, next) => next(), []],
  ['a change is forgotten', forgotten, ['record-changed PUT /tags/{tagId}']],
  ['another name is kept', shouted, ['record-changed POST /tags']],
]

it.each(wrappedBugs)('finds in records in wrappers: %s', async (_, alter, expected) => {
  const { findings } = await hold(await provide({ text: wrappedText, base: '' }, alter), { text: wrappedText })
  const found = findings.map(({ rule, method, path }) => `${rule} ${method} ${path}`)
  expect([...new Set(found)]).toEqual(expected)
})

const isNested = ({ path }: Asked) => path.includes('/pets') && !path.includes('/toys')
const isTwiceNested = ({ path }: Asked) => path.includes('/toys')
const listed = (answer: Response) =>
  answer.ok ? withText(answer, (list) => JSON.stringify(JSON.parse(list).slice(1))) : answer

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
    'a list has the records of all owners',
    async (asked, next) => {
      if (!asked.path.endsWith('/pets') || asked.method !== 'GET') return next()
      const own = await next()
      if (!own.ok) return own
      const owners: { id: number }[] = JSON.parse(await (await next({ target: '/owners', path: '/owners' })).text())
      const lists = owners.map(async ({ id }) => (await next({ target: `/owners/${id}/pets` })).json())
      return withText(own, () => '').then(
        async ({ headers }) => new Response(JSON.stringify((await Promise.all(lists)).flat()), { headers }),
      )
    },
    ['filter-not-kept GET /owners/{ownerId}/pets'],
  ],
  [
    'a list is cut',
    async (asked, next) => (asked.path.endsWith('/pets') && asked.method === 'GET' ? listed(await next()) : next()),
    ['record-lost GET /owners/{ownerId}/pets'],
  ],
  [
    'a change below two owners is forgotten',
    async (asked, next) => {
      if (!isTwiceNested(asked) || asked.method !== 'PUT') return next()
      const before = await next({ method: 'GET', body: '' })
      const answer = await next()
      if (answer.ok) await next({ body: await before.text() })
      return answer
    },
    ['record-changed PUT /owners/{owner}/pets/{petId}/toys/{toyId}'],
  ],
  [
    'a removal below two owners is forgotten',
    (asked, next) => (isTwiceNested(asked) && asked.method === 'DELETE' ? new Response(null, { status: 204 }) : next()),
    ['unknown-record-found GET /owners/{owner}/pets/{petId}/toys/{toyId}'],
  ],
  [
    'a list below two owners is cut',
    async (asked, next) => (asked.path.endsWith('/toys') && asked.method === 'GET' ? listed(await next()) : next()),
    ['record-lost GET /owners/{owner}/pets/{petId}/toys'],
  ],
]

it.each(bugs)('finds in records below others: %s', async (_, alter, expected) => {
  const { findings } = await hold(await provide({ text, base: '' }, alter), { text })
  const found = findings.map(({ rule, method, path }) => `${rule} ${method} ${path}`)
  expect([...new Set(found)]).toEqual(expected)
})

describe.each([
  ['only shown', { type: 'integer', readOnly: true }],
  ['sent, too', { type: 'integer' }],
])('with an owner that is %s', (_, ownerId) => {
  const pet = { type: 'object', required: ['id', 'name'], properties: { ...properties, ownerId } }
  const shownText = JSON.stringify({
    ...documentOf({
      ...collection({ path: '/owners', record }),
      ...below('/owners/{ownerId}/pets', 'Pet', ['ownerId'], pet),
    }),
    servers: [{ url: 'http://service.example' }],
  })
  const wanted = ['none', 'a change is forgotten', 'a list has the records of all owners', 'a list is cut']

  it.each(bugs.filter(([name]) => wanted.includes(name)))(
    'finds in records below it: %s',
    async (_, alter, expected) => {
      const { findings } = await hold(await provide({ text: shownText, base: '' }, alter), { text: shownText })
      expect([...new Set(findings.map(({ rule, method, path }) => `${rule} ${method} ${path}`))]).toEqual(expected)
    },
  )
})
