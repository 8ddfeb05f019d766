/** Request bodies of every media type, through every transport. A `const` in the schema proves what was decoded. */
import { compileDocument } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { field, file, toMultipart } from '../support/multipart.js'
import { documentOf, doors, openDocument, type Part, receive, success } from '../support/one-operation.js'

const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=x'
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff, 0x2d, 0x2d, 0x78])

interface Row {
  name: string
  content: Part
  /** The content type, unless a body has its own. */
  type: string
  valid: (string | Uint8Array)[]
  /** Bodies with what their refusal says. */
  invalid?: [body: string | Uint8Array, message: string][]
}

const pet = {
  type: 'object',
  required: ['name', 'age'],
  properties: {
    name: { type: 'string' },
    age: { type: 'integer', minimum: 0 },
    tame: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    counts: { type: 'array', items: { type: 'integer' } },
    owner: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } }, required: ['id'] },
    born: { type: 'string', format: 'date' },
  },
}
const strict = { ...pet, additionalProperties: false }
const exactly = (value: unknown): Part => ({ ...pet, const: value })
const encoded = (schema: Part, encoding?: Part): Part => ({ [form]: { schema, ...(encoding && { encoding }) } })
const parts = (schema: Part, encoding?: Part): Part => ({
  'multipart/form-data': { schema, ...(encoding && { encoding }) },
})
const photo = { type: 'object', required: ['photo'], properties: { photo: { type: 'string', format: 'binary' } } }
const union = {
  type: 'object',
  properties: { kind: { type: 'string' } },
  required: ['kind', 'value'],
  oneOf: [
    { properties: { kind: { const: 'number' }, value: { type: 'integer' } } },
    { properties: { kind: { const: 'text' }, value: { type: 'string' } } },
  ],
}

const rows: Row[] = [
  {
    name: 'a form',
    content: encoded(strict),
    type: form,
    valid: ['name=Rex&age=3', 'age=3&tame=true&name=Rex+the+dog', 'name=%E2%82%AC&age=0&tags=a&tags=b'],
    invalid: [
      ['name=Rex', 'age is required'],
      ['name=Rex&age=old', 'age must be an integer (got "old")'],
      ['name=Rex&age=-1', 'age must be at least 0 (got -1)'],
      ['name=Rex&age=3&age=4', 'age must be an integer (got an array)'],
      ['name=Rex&age=3&tame=yes', 'tame must be a boolean (got "yes")'],
      ['name=Rex&age=3&tags=a&tags=b&tags=c', 'tags must have at most 2 items'],
      ['name=Rex&age=3&counts=1&counts=x', 'counts[1] must be an integer (got "x")'],
      ['name=Rex&age=3&owner[name]=Ann', 'owner.id is required'],
      ['name=Rex&age=3&born=yesterday', 'born must be a valid date (got "yesterday")'],
      ['name=Rex&age=3&colour=red', 'colour is not allowed'],
      ['', 'name is required; age is required'],
      ['{"name":"Rex","age":3}', 'name is required'],
    ],
  },
  {
    name: 'nested values of a form',
    content: encoded(exactly({ name: 'Rex', age: 3, owner: { id: 7, name: 'Ann' }, counts: [1, 2] })),
    type: `${form}; charset=utf-8`,
    valid: [
      'name=Rex&age=3&owner[id]=7&owner[name]=Ann&counts[]=1&counts[]=2',
      'name=Rex&age=3&owner%5Bid%5D=7&owner%5Bname%5D=Ann&counts[1]=2&counts[0]=1',
      'name=Rex&age=3&owner=%7B%22id%22:7,%22name%22:%22Ann%22%7D&counts=[1,2]',
    ],
  },
  {
    name: 'a form with encodings',
    content: encoded(
      exactly({ name: 'Rex', age: 3, counts: [1, 2], tags: ['a', 'b'], owner: { id: 7, name: 'Ann' } }),
      {
        counts: { style: 'pipeDelimited', explode: false },
        tags: { explode: false },
        owner: { contentType: 'application/json' },
      },
    ),
    type: form,
    valid: ['name=Rex&age=3&counts=1|2&tags=a,b&owner={"id":7,"name":"Ann"}'],
    invalid: [['name=Rex&age=3&owner=x', 'owner must be an object (got text that is not JSON)']],
  },
  {
    name: 'a form whose names have brackets in the document',
    content: encoded({
      type: 'object',
      properties: { 'ids[]': { type: 'array', items: { type: 'integer' } }, 'a[b]': { type: 'integer' } },
      const: { 'ids[]': [1, 2], 'a[b]': 3 },
    }),
    type: form,
    valid: ['ids[]=1&ids[]=2&a[b]=3', 'ids%5B%5D=1&ids%5B%5D=2&a%5Bb%5D=3'],
  },
  {
    name: 'a form of alternatives with different types',
    content: encoded(union),
    type: form,
    valid: ['kind=number&value=12', 'kind=text&value=12', 'kind=text&value=x'],
    invalid: [['kind=number&value=x', 'value must be an integer']],
  },
  ...[form, multipart].map((type) => {
    const integer = { type: 'integer' }
    const seat = { oneOf: [{ type: 'string', enum: ['last'] }, integer] }
    const word = {
      oneOf: [
        { type: 'array', items: integer },
        { type: 'string', enum: ['all'] },
      ],
    }
    const size = { type: ['string', 'boolean', 'null'], enum: ['s', 'm', true, null] }
    const properties = { seat, word, size, seats: { type: 'array', items: seat } }
    const body = (text: string) =>
      type === form ? text : toMultipart(text.split('&').map((each) => field(...(each.split('=') as [string, string]))))
    return {
      name: `alternatives of texts in ${type}`,
      content: { [type.replace(/;.*/, '')]: { schema: { type: 'object', properties, minProperties: 1 } } },
      type,
      valid: [
        'seat=7',
        'seat=last',
        'word=3',
        'word=3&word=4',
        'word=all',
        'size=true',
        'size=null',
        'seats=last&seats=7',
      ].map(body),
      invalid: [
        [body('seat=x&word=3&size=true'), 'seat must be one of last (got "x")'],
        [body('seats=7&seats=x'), 'seats[1] must be one of last (got "x")'],
      ] as [string, string][],
    }
  }),
  {
    name: 'a form whose names objects inherit',
    content: encoded({ type: 'object', additionalProperties: { type: 'integer' } }),
    type: form,
    valid: ['__proto__=1&constructor=2', 'a]=1', '[=1', 'a[=1', '&&a=1'],
    invalid: [['__proto__=x', '__proto__ must be an integer']],
  },
  {
    name: 'a multipart body',
    content: parts(pet),
    type: multipart,
    valid: [
      toMultipart([field('name', 'Rex'), field('age', '3')]),
      toMultipart([field('name', ''), field('age', '3'), field('tags', 'a'), field('tags', 'b')], 'x', '\n'),
      toMultipart([field('name', 'Rex'), field('age', '3'), field('owner[id]', '7')]),
      toMultipart([
        field('name', 'Rex'),
        field('age', '3'),
        field('owner', '{"id":7}', 'Content-Type: application/json'),
      ]),
      toMultipart([
        field('name', 'Rex'),
        field('age', '3'),
        file('owner', 'owner.json', 'application/json', '{"id":7}'),
      ]),
      `preamble\r\n--x  \r\ncontent-disposition: form-data; name=name\r\n\r\nRex\r\n--x\r\nContent-Disposition: form-data;\r\n name="age"\r\n\r\n3\r\n--x--epilogue`,
    ],
    invalid: [
      [toMultipart([field('name', 'Rex')]), 'age is required'],
      [toMultipart([field('name', 'Rex'), field('age', 'old')]), 'age must be an integer (got "old")'],
      [
        toMultipart([field('name', 'Rex'), field('age', '3'), field('owner', '{"name":"Ann"}')]),
        'owner.id is required',
      ],
      [
        toMultipart([field('owner', '{', 'Content-Type: application/json')]),
        'The field "owner" is not valid JSON: line 1, column 2: found the end',
      ],
      [toMultipart([field('age', new Uint8Array([0xff]))]), 'The field "age" is not valid UTF-8'],
      ['name=Rex&age=3', 'The body has no line with its boundary "--x"'],
      [
        '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nRex',
        'The body ends before its closing boundary "--x--"',
      ],
      ['--x\r\n\r\nRex\r\n--x--', 'Part 1 of the body has no headers'],
      ['--x\r\nContent-Type: text/plain\r\n\r\nRex\r\n--x--', 'Part 1 of the body has no name'],
      ['', 'A body is required (got none)'],
    ],
  },
  {
    name: 'a multipart body with a file',
    content: parts(photo),
    type: multipart,
    valid: [
      toMultipart([file('photo', 'a "b".png', 'image/png', png)]),
      toMultipart([field('photo', png)]),
      toMultipart([file('photo', '', 'application/octet-stream', '')]),
    ],
    invalid: [[toMultipart([field('picture', png)]), 'photo is required']],
  },
  {
    name: 'a multipart body with several files',
    content: parts({
      type: 'object',
      properties: { photos: { type: 'array', items: { type: 'string', format: 'binary' }, minItems: 2 } },
    }),
    type: multipart,
    valid: [toMultipart([file('photos', 'a', 'image/png', png), file('photos', 'b', 'image/png', png)])],
    invalid: [[toMultipart([file('photos', 'a', 'image/png', png)]), 'photos must have at least 2 items']],
  },
  {
    name: 'a file whose schema does not say that it is one',
    content: parts({ type: 'object', properties: { photo: { type: 'string' }, any: {} }, required: ['photo'] }),
    type: multipart,
    valid: [toMultipart([file('photo', 'a.png', 'image/png', png), file('any', 'a.png', 'image/png', png)])],
  },
  {
    name: 'text',
    content: { 'text/plain': { schema: { type: 'string', minLength: 2, maxLength: 3 } } },
    type: 'text/plain; charset=ISO-8859-1',
    valid: ['abc', new Uint8Array([0xe9, 0xe8, 0xe0])],
    invalid: [['a', 'body must have at least 2 characters (got "a")']],
  },
  {
    name: 'text that is a number',
    content: { 'text/plain': { schema: { type: 'integer' } } },
    type: 'text/plain',
    valid: ['12'],
    invalid: [
      ['12.5', 'body must be an integer (got "12.5")'],
      [new Uint8Array([0xff]), 'The body is not valid UTF-8'],
    ],
  },
  {
    name: 'XML, which is not read',
    content: { 'application/xml': { schema: pet }, 'text/xml': { schema: pet } },
    type: 'application/xml; charset=utf-8',
    valid: ['<pet/>', new Uint8Array([0xff, 0xfe])],
    invalid: [['', 'A body is required (got none)']],
  },
  {
    name: 'bytes',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    type: 'application/octet-stream',
    valid: [png, 'text'],
  },
  {
    name: 'an image',
    content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
    type: 'image/png',
    valid: [png],
  },
  {
    name: 'any file',
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    type: 'application/json',
    valid: [png, '{'],
  },
  {
    name: 'JSON of any kind',
    content: { 'application/*+json': { schema: pet }, 'text/json': { schema: pet } },
    type: 'application/vnd.pet.v1+json; charset=utf-8',
    valid: ['{"name":"Rex","age":3}'],
    invalid: [['{"name":"Rex"}', 'age is required']],
  },
  {
    name: 'JSON that is documented with a parameter',
    content: { 'application/json;charset=UTF-8': { schema: pet } },
    type: 'application/json',
    valid: ['{"name":"Rex","age":3}'],
    invalid: [['{"name":"Rex"}', 'age is required']],
  },
  {
    name: 'XML where every media type is documented',
    content: { '*/*': { schema: pet } },
    type: 'application/xml',
    valid: ['<pet/>'],
  },
  {
    name: 'a multipart body where every media type is documented',
    content: { '*/*': { schema: pet } },
    type: multipart,
    valid: [toMultipart([field('name', 'Rex'), field('age', '3')])],
    invalid: [[toMultipart([field('name', 'Rex')]), 'age is required']],
  },
]

describe.each(doors)('request bodies over %s', (door) => {
  it.each(rows)('can be $name', async ({ content, type, valid, invalid = [] }) => {
    const text = documentOf({ '/xs': { post: { requestBody: { required: true, content }, responses: success } } })
    const connection = await openDocument(door, text)
    const post = (body: string | Uint8Array) =>
      receive(connection, { method: 'POST', target: '/xs', headers: [['Content-Type', type]], body })
    for (const [index, body] of valid.entries()) {
      const answer = await post(body)
      expect(answer.status, `valid body ${index} was answered ${answer.text}`).toBe(200)
    }
    for (const [body, message] of invalid) {
      const answer = await post(body)
      expect(answer.status, `${body} was answered ${answer.text}`).toBe(400)
      expect(JSON.parse(answer.text).message).toContain(message)
    }
  })

  it('of other media types are refused', async () => {
    const content = { 'image/*': {}, [form]: {}, 'application/vnd.x': {}, 'application/*+json': {} }
    const text = documentOf({ '/xs': { post: { requestBody: { required: true, content }, responses: success } } })
    const connection = await openDocument(door, text)
    for (const type of ['text/plain', 'application/vnd', 'imag/png', 'application/+jso', '*/*']) {
      const answer = await receive(connection, {
        method: 'POST',
        target: '/xs',
        headers: [['Content-Type', type]],
        body: '{}',
      })
      expect(answer.status, type).toBe(415)
      expect(JSON.parse(answer.text).message).toContain('Content-Type must be application/x-www-form-urlencoded or ')
    }
    for (const type of ['image/png', form, 'Application/VND.X; a=b', 'application/x+json', 'application/json']) {
      const headers = [['Content-Type', type]] as const
      const answer = await receive(connection, { method: 'POST', target: '/xs', headers, body: '{}' })
      expect([type, answer.status]).toEqual([type, 200])
    }
  })
})

describe('a form', () => {
  const record = {
    type: 'object',
    required: ['id', 'name'],
    properties: { ...pet.properties, id: { type: 'integer' } },
  }
  const content = { 'application/json': { schema: pet }, [form]: { schema: pet }, 'application/xml': { schema: pet } }
  const answer = (schema: Part): Part => ({ description: 'ok', content: { 'application/json': { schema } } })
  const text = documentOf({
    '/pets': {
      post: { requestBody: { required: true, content }, responses: { 201: answer(record) } },
      get: { responses: { 200: answer({ type: 'array', items: record }) } },
    },
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: answer(record) } },
      put: { requestBody: { content }, responses: { 200: answer(record) } },
      patch: { requestBody: { content }, responses: { 200: answer(record) } },
    },
  })
  const headers = [['Content-Type', form]] as const

  it('creates, replaces and updates records', async () => {
    const connection = await openDocument('handle', text)
    const send = async (method: string, target: string, body?: string) =>
      (await receive(connection, { method, target, headers: body === undefined ? [] : headers, ...(body && { body }) }))
        .text
    expect(await send('POST', '/pets', 'name=Rex&age=9007199254740993&unknown=x')).toBe(
      '{"name":"Rex","age":9007199254740993,"tame":false,"tags":[],"counts":[],"id":1}',
    )
    expect(await send('PATCH', '/pets/1', 'tame=true')).toContain('name is required')
    expect(await send('PATCH', '/pets/1', 'tame=true&name=Bo&age=2')).toBe(
      '{"name":"Bo","age":2,"tame":true,"tags":[],"counts":[],"id":1}',
    )
    expect(await send('PUT', '/pets/1', 'name=Cy&age=1&tags=a')).toBe(
      '{"name":"Cy","age":1,"tame":false,"tags":["a"],"counts":[],"id":1}',
    )
    expect(await send('GET', '/pets')).toBe('[{"name":"Cy","age":1,"tame":false,"tags":["a"],"counts":[],"id":1}]')
  })

  it('is noted in the journal as text, with the properties that were dropped', async () => {
    const connection = await openDocument('handle', text)
    const body = 'name=Rex&age=1&unknown=x'
    await receive(connection, { method: 'POST', target: '/pets', headers, body })
    const [exchange] = connection.sandbox.journal.list()
    expect([exchange?.request.body, exchange?.notes]).toEqual([body, ['unknown property "unknown" was dropped']])
  })
})

it('names the place of a violation in a form', async () => {
  const text = documentOf({ '/xs': { post: { requestBody: { content: encoded(pet) }, responses: success } } })
  const connection = await openDocument('handle', text)
  const headers = [['Content-Type', form]] as const
  await receive(connection, { method: 'POST', target: '/xs', headers, body: 'name=R&age=1&owner[id]=x' })
  const [exchange] = connection.sandbox.journal.list()
  expect(exchange?.violations).toEqual([
    { in: 'body', at: 'owner.id', rule: 'type', message: 'owner.id must be an integer (got "x")' },
  ])
})

it('serves a form whose schema contains itself', async () => {
  const node = {
    type: 'object',
    properties: { size: { type: 'integer' }, next: { $ref: '#/components/schemas/Node' } },
  }
  const text = documentOf(
    {
      '/xs': { post: { requestBody: { content: encoded({ $ref: '#/components/schemas/Node' }) }, responses: success } },
    },
    { components: { schemas: { Node: node } } },
  )
  const connection = await openDocument('handle', text)
  const headers = [['Content-Type', form]] as const
  const post = async (body: string) =>
    (await receive(connection, { method: 'POST', target: '/xs', headers, body })).status
  expect(await post('size=1&next[next][next][size]=4')).toBe(200)
  expect(await post('size=1&next[next][next][size]=x')).toBe(400)
  expect(await post(`a${'[next]'.repeat(5000)}=1`)).toBe(200)
  // All of it can be written as JSON, as for a module of handlers.
  const { contract } = await compileDocument(text)
  expect(JSON.parse(JSON.stringify(contract.textTypes))).toEqual([
    {
      types: ['object'],
      properties: [
        ['size', 1],
        ['next', 2],
      ],
    },
    { types: ['integer'] },
    {
      types: ['object'],
      properties: [
        ['size', 1],
        ['next', 2],
      ],
    },
  ])
})

it.each([400, 415])('refuses a part whose type is not listed with %i, where that is documented', async (refused) => {
  const encoding = { photo: { contentType: 'image/png, IMAGE/*' }, note: { contentType: 'text/csv' } }
  const responses = { ...success, [refused]: { description: 'refused' } }
  const post = { requestBody: { content: parts(photo, encoding) }, responses }
  const connection = await openDocument('handle', documentOf({ '/xs': { post } }))
  const send = (...all: Parameters<typeof toMultipart>[0]) =>
    receive(connection, {
      method: 'POST',
      target: '/xs',
      headers: [['Content-Type', multipart]],
      body: toMultipart(all),
    })
  const png = file('photo', 'a.png', 'image/png', 'x')
  expect((await send(file('photo', 'a.gif', 'image/gif; q=1', 'x'))).status).toBe(200)
  expect((await send(png, field('note', 'a,b'))).status).toBe(200)
  const { status, text } = await send(file('photo', 'a.txt', 'text/plain', 'x'))
  expect([status, text]).toEqual([refused, expect.stringContaining('must be image/png or image/*')])
  expect((await send(png, field('note', 'a', 'Content-Type: text/html'))).status).toBe(refused)
})
