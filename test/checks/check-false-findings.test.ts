// What was once taken for a bug of a provider that keeps its document, and bugs that were once passed over.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { CheckOptions, CheckResult } from '../../src/checks/provider/check-provider.js'
import { parseExactJson } from '../../src/json/exact-json.js'
import { writeByShape } from '../../src/json/write-by-shape.js'
import { hold } from '../support/providers.js'

const petStore = readFileSync(new URL('../../spec/petstore.openapi.yaml', import.meta.url), 'utf8')

interface Call {
  method: string
  path: string
  query: URLSearchParams
  search: string
  headers: IncomingMessage['headers']
  text: string
}

interface Reply {
  status: number
  body?: unknown
  headers?: Record<string, string | string[]>
}

type Answer = (call: Call) => Reply

/** HEAD is answered like GET, without the body (RFC 9110, section 9.3.2). */
function answerAny(answer: Answer, call: Call): Reply {
  if (call.method !== 'HEAD') return answer(call)
  const { status, headers = {} } = answer({ ...call, method: 'GET' })
  return { status, headers }
}

/** Serves for as long as a check takes. */
async function check(text: string, base: string, answer: Answer): Promise<CheckResult> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname, searchParams, search } = new URL(request.url ?? '/', 'http://service.example')
    const { method = 'GET', headers } = request
    const text = Buffer.concat(chunks).toString()
    const path = pathname.slice(base.length)
    send(response, answerAny(answer, { method, path, query: searchParams, search, headers, text }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await checkAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, text)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Checks without HTTP, for what does not depend on it. */
function checkDirectly(text: string, base: string, answer: Answer): Promise<CheckResult> {
  const url = `http://service.example${base}`
  return checkAt(url, text, {
    generated: 2,
    async sendRequest({ method, url, headers, body = '' }) {
      const { pathname, searchParams, search } = new URL(url)
      const path = pathname.slice(base.length)
      const own = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
      const call = { method, path, query: searchParams, search, headers: own, text: body.toWellFormed() }
      const reply = answerAny(answer, call)
      const answered = Object.entries(headersOf(reply)).map(([name, value]) => [
        name.toLowerCase(),
        [value].flat().join(', '),
      ])
      return { status: reply.status, headers: Object.fromEntries(answered), text: textOf(reply) }
    },
  })
}

function checkAt(baseUrl: string, text: string, options: Partial<CheckOptions> = {}): Promise<CheckResult> {
  return hold(baseUrl, { text }, { key: 'valid-key', ...options })
}

function headersOf({ body, headers }: Reply): NonNullable<Reply['headers']> {
  return { ...(body === undefined ? {} : { 'CONTENT-TYPE': 'Application/JSON; Charset="utf-8"' }), ...headers }
}

function textOf({ body }: Reply): string {
  return typeof body === 'string' ? body : body === undefined ? '' : writeByShape(body, [], 0)
}

function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, headersOf(reply))
  // In chunks, as no length is given.
  const text = textOf(reply)
  if (text.length > 0) response.write(text.slice(0, 1))
  response.end(text.slice(1))
}

const idsOf = ({ findings }: CheckResult) => findings.map(({ id }) => id)
/** Bugs of several kinds: a second check of the same service has to find the same. */
const isRepeated = (bug: string) =>
  /^(limit-of-zero|name-cut|status-forgotten|PUT-open|update-drops-others|cursor-ignored)$/.test(bug)

// --- a Pet Store ---------------------------------------------------------------------------------------------------

interface Habits {
  /** What is done other than documented. */
  bug?: string
  isBusy?: boolean
}

type Pet = Record<string, unknown>

/** Oldest first, ids downwards from a random one, more fields than documented, 404 for what is no id, other dates. */
function createPetStore({ bug, isBusy = false }: Habits = {}): (call: Call) => Reply {
  const statuses = ['available', 'pending', 'sold']
  const pets: Pet[] = []
  let nextId = 1_000_000 + randomBytes(2).readUInt16BE()
  const add = (pet: Pet): Pet => {
    const made = { created: new Date().toISOString(), ...pet, id: nextId-- }
    pets.push(made)
    return made
  }
  for (let index = 0; index < 12; index++) add({ name: `Pet ${index}`, categoryId: index, status: statuses[index % 3] })
  const refuse = (status: number, headers = {}): Reply => ({
    status,
    headers,
    body: { code: 'refused', message: 'no', status, trace: randomBytes(4).toString('hex') },
  })

  return (call) => {
    if (isBusy) add({ name: 'string', categoryId: 0, status: 'available' })
    const isOne = /^\/pets\/[^/]+$/.test(call.path)
    const reply = route(call)
    if (!isOne) return reply
    const link =
      bug === 'link-elsewhere'
        ? '</v1/animals>; rel="successor-version", </v1/pets>; rel="collection"'
        : '<https://docs.example/pets>; rel="deprecation"; title="a, <b>", <https://api.example/v1/pets>; rel="alternate successor-version"'
    const lifecycle = {
      DEPRECATION: bug === 'deprecation-in-ms' ? '@1795132800000' : '@1700000000',
      Sunset: bug === 'sunset-as-iso' ? '2030-12-05' : 'Thu, 05 Dec 2030 23:59:59 GMT',
      Link: bug === 'link-elsewhere' ? link : link.split(', <h'),
    }
    if (Array.isArray(lifecycle.Link))
      lifecycle.Link = lifecycle.Link.map((each, at) => (at === 0 ? each : `<h${each}`))
    return { ...reply, headers: { ...lifecycle, ...reply.headers } }
  }

  function route({ method, path, query, headers, text }: Call): Reply {
    if (headers.authorization !== 'Bearer valid-key') return refuse(401, { 'WWW-AUTHENTICATE': 'Bearer' })
    if (path === '/store/orders') return refuse(501)
    const id = /^\/pets\/([^/]+)$/.exec(path)?.[1]
    if (id !== undefined) {
      const wanted = bug === 'id-by-its-start' ? String(Number.parseInt(id, 10)) : id
      const found = pets.find((pet) => String(pet['id']) === wanted)
      return found ? { status: 200, body: found } : refuse(404)
    }
    return method === 'POST' ? create(headers, text) : list(query)
  }

  function list(query: URLSearchParams): Reply {
    const limits = query.getAll('limit')
    const text = limits[0] ?? '20'
    const isLimit = bug === 'limit-of-zero' ? /^\d+$/.test(text) : /^[1-9]\d*$/.test(text)
    const limit = Number(bug === 'limit-with-rest' ? Number.parseInt(text, 10) : text)
    if ((!isLimit && bug !== 'limit-with-rest') || !(limit <= 100) || limits.length > 1) return refuse(422)
    const wanted = query.get('status')
    if (wanted !== null && !statuses.includes(bug === 'status-in-any-case' ? wanted.toLowerCase() : wanted)) {
      return refuse(422)
    }
    const isWanted = (pet: Pet) => wanted === null || pet['status'] === wanted
    const cut = bug === 'filter-after-limit' ? pets.slice(0, limit).filter(isWanted) : pets.filter(isWanted)
    return { status: 200, body: cut.slice(0, limit) }
  }

  function create(headers: Call['headers'], text: string): Reply {
    if (!headers['content-type']?.startsWith('application/json')) return refuse(400)
    let body: Pet
    try {
      body = parseExactJson(text).exact as Pet
    } catch {
      return refuse(400)
    }
    if (bug === 'null-as-empty') body ??= { name: '', categoryId: 0 }
    if (typeof body !== 'object' || body === null) return refuse(400)
    const { name, categoryId, status } = body
    const isText = typeof name === 'string' || (bug === 'name-of-number' && typeof name === 'number')
    const isWhole =
      Number.isInteger(categoryId) ||
      (typeof categoryId === 'bigint' && categoryId === BigInt.asIntN(64, categoryId)) ||
      (bug === 'fraction-cut' && typeof categoryId === 'number')
    if (!isText || !isWhole || !(status === undefined || statuses.includes(status as string))) return refuse(400)
    const kept: Record<string, string> = {
      'name-trimmed': String(name).trim(),
      'name-cut': String(name).slice(0, 255),
      'name-escaped': String(name).replaceAll('<', '&lt;'),
      'name-normalized': String(name).normalize('NFC'),
    }
    const pet = add({ name: kept[bug ?? ''] ?? String(name), categoryId, ...(status === undefined ? {} : { status }) })
    if (bug === 'fraction-cut') pet['categoryId'] = Math.trunc(Number(categoryId))
    if (bug === 'id-as-text') pet['id'] = String(pet['id'])
    if (bug === 'status-forgotten') delete pet['status']
    return { status: bug === 'created-with-200' ? 200 : 201, body: pet }
  }
}

describe('a Pet Store that keeps its document in its own way', () => {
  it('has no findings', async () => {
    const result = await check(petStore, '/v1', createPetStore())
    expect(result.findings).toEqual([])
  })

  it('has no findings while others add animals all the time', async () => {
    const result = await check(petStore, '/v1', createPetStore({ isBusy: true }))
    expect(result.findings).toEqual([])
  })

  it.each([
    'deprecation-in-ms',
    'sunset-as-iso',
    'link-elsewhere',
    'limit-of-zero',
    'limit-with-rest',
    'status-in-any-case',
    'filter-after-limit',
    'null-as-empty',
    'name-of-number',
    'fraction-cut',
    'name-trimmed',
    'name-cut',
    'name-escaped',
    'name-normalized',
    'id-as-text',
    'status-forgotten',
    'created-with-200',
  ])('is found out: %s', async (bug) => {
    const first = await checkDirectly(petStore, '/v1', createPetStore({ bug }))
    expect(first.findings).not.toEqual([])
    if (!isRepeated(bug)) return
    const second = await checkDirectly(petStore, '/v1', createPetStore({ bug }))
    expect(idsOf(second)).toEqual(idsOf(first))
  })
})

// --- a service with replace, update and remove -----------------------------------------------------------------------

const shop = `
openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: 'https://shop.example/api' }]
security: [{ key: [] }]
paths:
  /items:
    get:
      operationId: listItems
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
        - { name: pageSize, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 5 } }
        - { name: kind, in: query, schema: { type: array, items: { type: string, enum: [book, toy] } }, explode: false }
        - { name: title, in: query, schema: { type: string } }
        - { name: archived, in: query, schema: { type: boolean, default: false } }
      responses:
        '200':
          description: Items
          content:
            application/json:
              schema:
                type: object
                required: [items, total]
                properties:
                  items: { type: array, items: { $ref: '#/components/schemas/Summary' } }
                  total: { type: integer }
                  next: { type: [string, 'null'] }
        4XX: { $ref: '#/components/responses/Problem' }
    post:
      operationId: createItem
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string, format: uuid, example: 00000000-0000-4000-8000-000000000000 } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses:
        '201': { description: Created, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
        4XX: { $ref: '#/components/responses/Problem' }
  /items/{itemId}:
    parameters: [{ name: itemId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getItem
      responses:
        '200': { description: Item, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
        4XX: { $ref: '#/components/responses/Problem' }
    delete:
      operationId: deleteItem
      responses:
        '204': { description: Gone }
        4XX: { $ref: '#/components/responses/Problem' }
    put:
      operationId: putItem
      parameters: [{ name: notify, in: query, schema: { type: boolean } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses:
        '200': { description: Replaced, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
        '201': { description: Created, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
        4XX: { $ref: '#/components/responses/Problem' }
    patch:
      operationId: patchItem
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object, properties: { title: { type: string, minLength: 1, maxLength: 100 }, note: { type: [string, 'null'] } } } } } }
      responses:
        '200': { description: Updated, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
        4XX: { $ref: '#/components/responses/Problem' }
  /items/{itemId}/reviews:
    get:
      operationId: listReviews
      parameters: [{ name: itemId, in: path, required: true, schema: { type: string } }, { name: stars, in: query, schema: { type: integer } }]
      responses:
        '200': { description: Reviews, content: { application/json: { schema: { type: object, additionalProperties: { type: integer } } } } }
        4XX: { $ref: '#/components/responses/Problem' }
  /login:
    post:
      operationId: login
      security: []
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [user], properties: { user: { type: string } } } } } }
      responses:
        '200': { description: Token, content: { text/plain: { schema: { type: string } } } }
        4XX: { $ref: '#/components/responses/Problem' }
components:
  securitySchemes: { key: { type: apiKey, in: query, name: key } }
  responses:
    Problem:
      description: Problem
      content: { application/problem+json: { schema: { type: object, required: [status], properties: { status: { type: integer } } } } }
  schemas:
    Summary: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } }
    Item:
      type: object
      required: [id, title, price, kind]
      properties:
        id: { type: string, readOnly: true }
        revision: { type: integer, readOnly: true }
        changedAt: { type: string, format: date-time, readOnly: true }
        title: { type: string, minLength: 1, maxLength: 100 }
        price: { type: number, minimum: 0, multipleOf: 0.01 }
        kind: { type: string, enum: [book, toy] }
        archived: { type: boolean, default: false }
        note: { type: [string, 'null'] }
        secret: { type: string, writeOnly: true }
        tags: { type: array, items: { type: string, maxLength: 30 }, minItems: 1, maxItems: 5, uniqueItems: true }
        size: { type: object, required: [width], properties: { width: { type: integer, minimum: 1 }, area: { type: integer, readOnly: true } } }
`

/** Pages of five, the oldest first; titles are searched for; a key against repetition; what is null is left out. */
function createShop(bug?: string): (call: Call) => Reply {
  const { compile } = createItemRules()
  const items = new Map<string, Pet>()
  const marks = new Map<string, Reply>()
  let count = 0
  const refuse = (status: number): Reply => ({
    status,
    body: { status },
    headers: { 'CONTENT-TYPE': 'application/problem+json', ...(status === 401 ? { 'WWW-Authenticate': 'Key' } : {}) },
  })
  const shown = ({ secret: _, ...item }: Pet): Pet =>
    Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))
  const store = (id: string, values: Pet): Pet => {
    const size = values['size'] as { width: number } | undefined
    const { id: _id, revision: _revision, changedAt: _changedAt, ...written } = values
    const item: Pet = { id, revision: ++count, changedAt: new Date(count * 1000).toISOString(), ...written }
    item['archived'] ??= false
    if (size) item['size'] = { ...size, area: size.width ** 2 }
    items.set(id, item)
    return item
  }
  const newId = () => `01${randomBytes(12).toString('hex').toUpperCase()}`
  for (let index = 0; index < 9; index++) store(newId(), { title: `Item ${index}`, price: index, kind: 'toy' })

  return ({ method, path, query, search, headers, text }) => {
    const body = text === '' ? undefined : read(text)
    const isJson = headers['content-type']?.includes('json') === true
    if (path === '/login') return isJson && typeof (body as Pet)?.['user'] === 'string' ? refuse(401) : refuse(400)
    const isOpen = bug === `${method}-open`
    if (query.get('key') !== 'valid-key' && !isOpen) return refuse(401)
    const [, , id, reviews] = path.split('/').map(decodeURIComponent)
    if (reviews) {
      const stars = query.get('stars')
      if (stars !== null && !/^-?\d+$/.test(stars)) return refuse(400)
      return items.has(id ?? '')
        ? { status: 200, body: { [id ?? '']: bug === 'map-of-text' ? 'five' : 5 } }
        : refuse(404)
    }
    if (id === undefined) return method === 'POST' ? create(headers, isJson, body) : list(query, search)
    const found = items.get(id)
    if (method === 'GET') return found ? { status: 200, body: shown(found) } : refuse(404)
    if (method === 'DELETE') {
      if (found && bug !== 'remove-forgotten') items.delete(id)
      return found ? { status: 204 } : refuse(404)
    }
    const isPatch = isJson && typeof body === 'object' && body !== null && !Array.isArray(body)
    if (method === 'PUT') {
      const notify = query.get('notify')
      if (notify !== null && !/^(true|false)$/.test(notify)) return refuse(400)
      if (!found && bug === undefined)
        return isJson && compile(body) ? { status: 201, body: shown(store(id, body as Pet)) } : refuse(400)
      if (!found) return refuse(404)
      if (!(isJson && compile(body)) && !(bug === 'replace-unchecked' && isPatch)) return refuse(400)
      if (bug === 'replace-forgotten') return { status: 200, body: { ...found, ...(body as Pet) } }
      return {
        status: 200,
        body: shown(
          store(id, bug === 'replace-keeps' ? { ...found, ...(body as Pet), price: found['price'] } : (body as Pet)),
        ),
      }
    }
    if (!found) return refuse(404)
    const patch = body as Pet
    const isTitle =
      patch?.['title'] === undefined ||
      (typeof patch['title'] === 'string' && patch['title'] !== '' && [...patch['title']].length <= 100)
    const isNote = patch?.['note'] == null || typeof patch['note'] === 'string'
    if (!isPatch || !((isTitle && isNote) || bug === 'update-unchecked')) return refuse(422)
    if (bug === 'update-drops-others')
      return {
        status: 200,
        body: shown(store(id, { title: found['title'], price: found['price'], kind: found['kind'], ...patch })),
      }
    return { status: 200, body: shown(store(id, { ...found, ...patch })) }
  }

  function create(headers: Call['headers'], isJson: boolean, body: unknown): Reply {
    const mark = String(headers['idempotency-key'] ?? '')
    if (!/^[0-9a-f-]{36}$/.test(mark) || !isJson || !compile(body)) return refuse(400)
    const known = marks.get(mark)
    if (known) return known
    const item = store(newId(), body as Pet)
    if (bug === 'price-rounded') item['price'] = Math.round(Number(item['price']))
    if (bug === 'tags-sorted') item['tags'] = [...((item['tags'] as string[]) ?? [])].sort().reverse()
    if (bug === 'size-lost' && item['size']) item['size'] = { width: 1 }
    const reply = { status: 201, body: shown(item), headers: { Location: `items/${item['id']}` } }
    if (bug === 'secret-shown') reply.body['secret'] = 7
    marks.set(mark, reply)
    return reply
  }

  function list(query: URLSearchParams, search: string): Reply {
    const size = query.get('pageSize') ?? '5'
    const kinds = /[?&]kind=([^&]*)/.exec(search)?.[1]?.split(',').map(decodeURIComponent)
    const archived = query.get('archived') ?? 'false'
    const isCursor = query.get('cursor') === null || /^\d+$/.test(query.get('cursor') ?? '')
    if (!/^[1-9]\d*$/.test(size) || Number(size) > 50 || !isCursor) return refuse(400)
    if (kinds?.some((kind) => kind !== 'book' && kind !== 'toy') || !/^(true|false)$/.test(archived)) return refuse(400)
    const title = (query.get('title') ?? '').toLowerCase()
    const all = [...items.values()].filter(
      (item) =>
        String(item['archived']) === archived &&
        (!kinds || kinds.includes(String(item['kind']))) &&
        String(item['title']).toLowerCase().includes(title),
    )
    const start = bug === 'cursor-ignored' ? 0 : Number(query.get('cursor') ?? 0)
    const end = start + Number(size)
    const page = all.slice(start, end).map(({ id, title }) => ({ id, title }))
    return {
      status: 200,
      body: { items: page, total: all.length, next: all.length > end ? String(end) : null },
    }
  }

  function read(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
}

/** Whether a body is an item, in plain code. */
function createItemRules() {
  const isText = (value: unknown, least: number, most: number) =>
    typeof value === 'string' && [...value].length >= least && [...value].length <= most
  const isTags = (value: unknown) =>
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= 5 &&
    value.every((tag) => isText(tag, 0, 30)) &&
    new Set(value).size === value.length
  const isSize = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    Number.isInteger((value as Pet)['width']) &&
    Number((value as Pet)['width']) >= 1
  const isPrice = (value: unknown) =>
    typeof value === 'number' && value >= 0 && Math.abs(Math.round(value * 100) - value * 100) < 1e-9
  return {
    compile(body: unknown): boolean {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
      const {
        title,
        price,
        kind,
        archived = false,
        note = null,
        secret = '',
        tags = ['a'],
        size = { width: 1 },
      } = body as Pet
      return (
        isText(title, 1, 100) &&
        isPrice(price) &&
        (kind === 'book' || kind === 'toy') &&
        typeof archived === 'boolean' &&
        (note === null || typeof note === 'string') &&
        typeof secret === 'string' &&
        isTags(tags) &&
        isSize(size)
      )
    },
  }
}

describe('a service with replace, update and remove', () => {
  it('has no findings where it keeps its document', async () => {
    const result = await check(shop, '/api', createShop())
    expect(result.findings).toEqual([])
  })

  it.each([
    'PUT-open',
    'PATCH-open',
    'DELETE-open',
    'GET-open',
    'remove-forgotten',
    'replace-unchecked',
    'replace-forgotten',
    'replace-keeps',
    'update-unchecked',
    'update-drops-others',
    'map-of-text',
    'price-rounded',
    'tags-sorted',
    'size-lost',
    'cursor-ignored',
  ])('is found out: %s', async (bug) => {
    const first = await checkDirectly(shop, '/api', createShop(bug))
    expect(first.findings).not.toEqual([])
    if (isRepeated(bug)) expect(idsOf(await checkDirectly(shop, '/api', createShop(bug)))).toEqual(idsOf(first))
  })
})

// --- many schemas ----------------------------------------------------------------------------------------------------

it('checks a document whose schemas share others, however often', async () => {
  const count = 40
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `S${index}`,
      {
        type: 'object',
        required: ['size', 'secret'],
        properties: {
          size: { type: 'integer', maximum: 5 },
          secret: { type: 'string', writeOnly: true },
          one: { $ref: `#/components/schemas/S${(index + 1) % count}` },
          other: { $ref: `#/components/schemas/S${(index + 2) % count}` },
        },
      },
    ]),
  )
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shared', version: '1' },
    paths: { '/things': { get: { operationId: 'getThings', responses: { 200: { description: 'Things', content } } } } },
    components: { schemas },
  }
  const text = JSON.stringify(document)
  const answer = (size: number) => () => ({ status: 200, body: { size: 1, one: { size: 2, other: { size } } } })
  expect(idsOf(await check(text, '', answer(3)))).toEqual([])
  expect(idsOf(await check(text, '', answer(7)))).toEqual([
    'response-schema GET /things 200 body.one.other.size maximum',
  ])
})

// --- texts of several types ----------------------------------------------------------------------------------------

it('takes a provider that accepts each alternative of a text for a correct one', async () => {
  const seat = { oneOf: [{ type: 'string', enum: ['last'] }, { type: 'integer' }] }
  const codes = { type: 'array', items: { anyOf: [{ type: 'string', pattern: '^x' }, { type: 'boolean' }] } }
  const word = {
    oneOf: [
      { type: 'array', items: { type: 'integer' } },
      { type: 'string', enum: ['all'] },
    ],
  }
  const places = ['query', 'header', 'cookie']
  const parameters = places.flatMap((place) => [
    { name: `${place}-seat`, in: place, schema: seat },
    { name: `${place}-codes`, in: place, explode: false, schema: codes },
    { name: `${place}-word`, in: place, explode: false, schema: word },
  ])
  const schema = { type: 'object', required: ['seat'], properties: { seat, codes, note: { type: 'string' } } }
  const responses = { 200: { description: 'ok' }, 400: { description: 'no' }, 415: { description: 'no' } }
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Seats', version: '1' },
    servers: [{ url: 'https://seats.example/v1' }],
    paths: {
      '/seats': {
        get: { operationId: 'listSeats', parameters, responses },
        post: {
          operationId: 'takeSeat',
          requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema } } },
          responses,
        },
      },
    },
  })
  const isSeat = (value: string) => /^(last|-?\d+)$/.test(value)
  const isCodes = (value: string) => value.split(',').every((each) => /^(x.*|true|false)$/s.test(each))
  const isWord = (value: string) => value === 'all' || value.split(',').every((each) => /^-?\d+$/.test(each))
  const sent = new Set<string>()
  const result = await checkDirectly(text, '/v1', ({ method, query, headers, text: body }) => {
    const type = String(headers['content-type'] ?? '')
    if (method === 'POST' && !type.startsWith('application/x-www-form-urlencoded')) return { status: 415 }
    const cookies = String(headers.cookie ?? '')
      .split('; ')
      .map((each) => decodeURIComponent(each).split('='))
    const given =
      method === 'POST' ? [...new URLSearchParams(body)] : [...query, ...Object.entries(headers), ...cookies]
    const isValid = given.every(([name = '', value = '']) => {
      const own = String(value)
      if (/seat$/.test(name)) sent.add(`${name}=${own}`)
      if (/codes(\[\d*\])?$/.test(name)) return isCodes(own)
      return /seat$/.test(name) ? isSeat(own) : !/word$/.test(name) || isWord(own)
    })
    const isComplete = method === 'GET' || given.some(([name]) => name === 'seat')
    return { status: isValid && isComplete ? 200 : 400 }
  })
  expect(result.findings.map(({ id, at, message }) => `${id} ${at} ${message}`)).toEqual([])
  expect([...sent]).toEqual(expect.arrayContaining(['query-seat=last', 'query-seat=1', 'query-seat=LAST', 'seat=last']))
})

// --- what the document does not say is no error -----------------------------------------------------------------------

it.each<{
  refusals: readonly string[]
  hasHead?: boolean
  severities: [format: string, unknown: string, head: string]
}>([
  { refusals: ['400', '404'], severities: ['error', 'error', 'warning'] },
  { refusals: ['422', '410'], hasHead: true, severities: ['error', 'error', 'error'] },
  { refusals: ['4XX'], severities: ['warning', 'warning', 'warning'] },
  { refusals: ['default'], hasHead: true, severities: ['warning', 'warning', 'error'] },
  { refusals: [], severities: ['warning', 'warning', 'warning'] },
])('is an error only where the document has the refusal: $refusals, HEAD $hasHead', async (given) => {
  const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, since: { type: 'string' } } }
  const content = { 'application/json': { schema: thing } }
  const refusals = Object.fromEntries(given.refusals.map((status) => [status, { description: 'no' }]))
  const head = given.hasHead && { head: { responses: { 200: { description: 'ok' } } } }
  const since = { name: 'since', in: 'query', schema: { type: 'string', format: 'date' } }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  const list = { 'application/json': { schema: { type: 'array', items: thing } } }
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://things.example/v1' }],
    paths: {
      '/things': {
        ...head,
        get: { parameters: [since], responses: { 200: { description: 'ok', content: list }, ...refusals } },
      },
      '/things/{id}': {
        parameters: [id],
        ...head,
        get: { responses: { 200: { description: 'ok', content }, ...refusals } },
      },
    },
  })
  const { findings } = await checkAt('http://things.example/v1', text, {
    generated: 1,
    async sendRequest({ method, url }) {
      const [, id] = /things\/(\d+)/.exec(url) ?? []
      const headers = { 'content-type': 'application/json' }
      if (method === 'HEAD') return { status: 405, headers, text: '' }
      return { status: 200, headers, text: id ? `{"id":${id}}` : '[{"id":1}]' }
    },
  })
  const of = (rule: string) => [...new Set(findings.filter((each) => each.rule === rule).map((each) => each.severity))]
  expect(['format-accepted', 'unknown-record-found', 'head-differs'].map(of)).toEqual(
    given.severities.map((each) => [each]),
  )
})

// --- integers that no double, or only some double, can represent ------------------------------------------------------

/** How a provider writes an integer. */
it.each<[how: string, write: (digits: string) => string]>([
  ['with its digits', (digits) => digits],
  ['with an exponent', (digits) => `${digits[0]}.${digits.slice(1)}e${digits.length - 1}`],
])('takes large integers %s for what was sent', async (_, write) => {
  const weight = { type: 'integer', enum: [9007199254740992, '<36028797018963968>'], example: 9007199254740992 }
  const size = { type: 'integer', minimum: '<9007199254740994>', maximum: '<1152921504606846976>' }
  const properties = { weight, size, parts: { type: 'array', items: weight } }
  const pot = { type: 'object', required: ['weight', 'size'], properties }
  const stored = { allOf: [pot, { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }] }
  const content = { 'application/json': { schema: stored } }
  const headers = {
    'X-Weight': { required: true, schema: { type: 'integer', enum: ['<10000000000000001>'] } },
    'X-Weights': { schema: { type: 'array', items: { enum: ['<10000000000000003>', 'none'] } } },
  }
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pots', version: '1' },
    servers: [{ url: 'https://pots.example/v1' }],
    paths: {
      '/pots': {
        post: {
          requestBody: { required: true, content: { 'application/json': { schema: pot } } },
          responses: { 201: { description: 'ok', headers, content }, 400: { description: 'no' } },
        },
      },
      '/pots/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { 200: { description: 'ok', content }, 404: { description: 'no' } } },
      },
    },
  }).replaceAll(/"<(\d+)>"/g, '$1')
  const pots = new Map<string, string>()
  const given = { 'x-weight': '10000000000000001', 'x-weights': '10000000000000003, none' }
  const result = await checkAt('http://pots.example/v1', text, {
    generated: 2,
    async sendRequest({ method, url, headers, body = '' }) {
      const answer = (status: number, text = '') => ({
        status,
        headers: { 'content-type': 'application/json', ...(method === 'POST' ? given : {}) },
        text,
      })
      const id = new URL(url).pathname.split('/').at(-1) ?? ''
      if (method !== 'POST') return pots.has(id) ? answer(200, pots.get(id)) : answer(404)
      const sent = readPot(body)
      const isJson = headers.some(([name, value]) => /^content-type$/i.test(name) && /^application\/json/.test(value))
      const all = [sent?.weight, ...(Array.isArray(sent?.parts) ? sent.parts : [sent?.parts ?? []].flat())]
      const isList = sent?.parts === undefined || Array.isArray(sent.parts)
      const isValid = all.every((each) => each === 2 ** 53 || each === 2 ** 55)
      const isFitting =
        Number(sent?.size) >= 2 ** 53 + 2 && Number(sent?.size) <= 2 ** 60 && typeof sent?.size === 'number'
      if (!sent || !isJson || !isList || !isValid || !isFitting) return answer(400)
      const own = String(pots.size + 1)
      const shown = JSON.stringify({ ...sent, id: own }).replaceAll(/\d{16,}/g, (each) =>
        write(`${BigInt(Number(each))}`),
      )
      pots.set(own, shown)
      return answer(201, shown)
    },
  })
  expect(result.findings.map(({ id, message }) => `${id}: ${message}`)).toEqual([])
  expect(pots.size).toBeGreaterThan(0)
})

function readPot(text: string): { weight?: unknown; size?: unknown; parts?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
