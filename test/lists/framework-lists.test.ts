/** Lists as frameworks and small services describe them: orders, searches, counts and pages. */
import { expect, it } from 'vitest'
import { documentOf, serve } from '../support/serve-objects.js'

const text = { type: 'string' }
const integer = { type: 'integer' }
const flag = { type: 'boolean' }
const content = (schema: object) => ({ content: { 'application/json': { schema } } })
const ok = (schema: object) => ({ 200: { description: '', ...content(schema) } })
const object = (properties: object) => ({ type: 'object', properties })
const query = (name: string, schema: object, description = '') => ({ name, in: 'query', description, schema })
const kite = object({ id: integer, title: text, maker: text })
const kites = { type: 'array', items: kite }

/** @param list the body of the list */
const collection = (name: string, parameters: object[], list: object = kites) => ({
  [`/${name}`]: {
    get: { parameters, responses: ok(list) },
    post: { requestBody: content(object({ title: text, maker: text })), responses: ok(kite) },
  },
  [`/${name}/{id}`]: {
    parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
    get: { responses: ok(kite) },
  },
})
const byPage = [query('page', integer, 'Zero-based page index'), query('size', integer)]
const pageable = object({ offset: integer, pageNumber: integer, pageSize: integer, paged: flag, unpaged: flag })

const { send } = serve(
  documentOf({
    ...collection('sorted', [query('sort', { type: 'array', items: text })]),
    ...collection('joined', [{ ...query('sort', { type: 'array', items: text }), style: 'form', explode: false }]),
    ...collection('by-title', [query('s', text, 'Search kites by title.')]),
    ...collection('by-any', [query('text', text, 'Full-text search')]),
    ...collection('counted', [query('limit', integer)], object({ kites, kitesCount: integer })),
    ...collection('totalled', [query('limit', integer)], object({ kites, total_kites: integer })),
    ...collection('paged', byPage, object({ content: kites, empty: flag, pageable })),
  }),
)

async function list(target: string) {
  const path = target.replace(/\?.*/, '')
  for (const title of ['melon', 'apple', 'zebra'])
    await send('POST', path, { body: { title, maker: title === 'melon' ? 'zoe' : 'ann' } })
  return JSON.parse((await send('GET', target)).text)
}

const titlesOf = (list: { title: string }[]) => list.map(({ title }) => title)

it.each([
  ['/sorted?sort=title,desc', ['zebra', 'melon', 'apple']],
  ['/sorted?sort=title,asc', ['apple', 'melon', 'zebra']],
  ['/sorted?sort=maker,title,desc', ['melon', 'zebra', 'apple']],
  ['/sorted?sort=maker,asc&sort=title,desc', ['zebra', 'apple', 'melon']],
  ['/joined?sort=title,desc', ['zebra', 'melon', 'apple']],
  ['/by-title?s=ZEB', ['zebra']],
  ['/by-title?s=ann', []],
  ['/by-any?text=zoe', ['melon']],
])('%s lists %j', async (target, titles) => {
  const listed = titlesOf(await list(target))
  // Tests share the records, so that each title may be there several times.
  expect(listed.filter((each, index) => listed.indexOf(each) === index)).toEqual(titles)
})

it.each([
  ['/counted?limit=1', { kitesCount: 3, kites: [{ title: 'zebra' }] }],
  ['/totalled?limit=1', { total_kites: 3, kites: [{ title: 'zebra' }] }],
  [
    '/paged?page=1&size=2',
    { empty: false, pageable: { offset: 2, pageNumber: 1, pageSize: 2, paged: true, unpaged: false } },
  ],
])('%s says %j of its page', async (target, page) => {
  expect(await list(target)).toMatchObject(page)
})

it('says that a page behind the last is empty', async () => {
  expect(await list('/paged?page=9&size=2')).toMatchObject({ empty: true, content: [] })
})
