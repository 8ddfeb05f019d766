/** `x-sandbox-effect` says what an operation changes and answers, where nothing else in a document does. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { ask, standard } from '../support/script.js'
import { integer, list, named, object, text, time, toDocument } from '../support/sketch.js'

const bank = toDocument(
  {
    'GET /accounts': { 200: list(named('Account')) },
    'POST /accounts': { body: object({ owner: text, number: text }), 201: named('Account') },
    'GET /accounts/{id}': { 200: named('Account') },
    'DELETE /accounts/{id}': { 204: {} },
    'GET /payments': { 200: list(named('Payment')), query: ['max', 'from', 'only'] },
    'POST /payments': {
      body: object({ account: integer, amount: integer, data: object({ memo: text }) }),
      201: named('Payment'),
    },
    'GET /payments/{id}': { 200: named('Payment'), 404: object({ 'code!': text, 'message!': text }) },
    'DELETE /payments/{id}': { 204: {} },
    'POST /payments/{id}/go': { body: object({ ticket: text }), query: ['mode'], 200: named('Payment') },
    'GET /rooms/{room}': { 200: object({ size: integer }) },
    'PUT /rooms/{room}': { body: object({ size: integer }), 200: object({ size: integer }) },
    'POST /files': {
      body: object({}),
      201: object({ 'id!': integer, name: text, size: integer, content: object({}) }),
    },
    'GET /talk.history': { 200: object({ messages: list(object({ ts: text, text })) }) },
    'POST /talk.say': {
      body: object({ text, room: text }),
      200: object({ message: object({ ts: text, text }), ts: text, room: text }),
    },
    'GET /payments/{id}/peek': { 200: object({ state: text }) },
  },
  {
    Account: object({
      'id!': integer,
      owner: text,
      number: text,
      payments: integer,
      last_at: { ...time, readOnly: true },
    }),
    Payment: object({
      ...{ 'id!': integer, account: integer, amount: integer, state: text, ticket: text, mode: text, tries: integer },
      ...{ holder: text, memo: text, gone_at: { type: 'integer', description: 'Unix time' } },
    }),
  },
)

type Parts = ReturnType<typeof JSON.parse>

async function serve(corrections: Record<string, object | string>, change: (document: Parts) => void = () => {}) {
  const document = JSON.parse(bank)
  for (const [name, correction] of Object.entries(corrections)) {
    const [method = '', path = ''] = name.split(' ')
    document.paths[path][method.toLowerCase()]['x-sandbox-effect'] = correction
  }
  document.paths['/payments']['x-sandbox-resource'] = { references: { account: '/accounts' } }
  change(document)
  const { contract } = await compileDocument(JSON.stringify(document, null, 2))
  const sandbox = createSandbox({ contract, ...standard })
  return { sandbox, send: (request: string) => ask(sandbox, request) }
}

const go = 'POST /payments/{id}/go'

describe('changes', () => {
  it('are constants, values of the request and the record, times, and counts', async () => {
    const { send } = await serve({
      [go]: {
        effect: 'action',
        changes: {
          ...{ state: 'done', ticket: '$request.body#/ticket', mode: '$request.query.mode', gone_at: '$now' },
          ...{ tries: '$add.2', memo: '$record#/state', amount: '$none', holder: '$$literal' },
        },
      },
    })
    await send('POST /payments {"amount":5}')
    const shown =
      '200 {"id":1,"state":"done","ticket":"t","mode":"fast","tries":2,"holder":"$literal","gone_at":1795219200}'
    expect(await send('POST /payments/1/go?mode=fast {"ticket":"t"}')).toBe(shown)
    expect(await send('GET /payments/1')).toBe(shown)
  })

  it('are values of a related record, and change it', async () => {
    const related = { account: { payments: '$add.1', last_at: '$now', number: '$record#/id' } }
    const { send } = await serve({
      'POST /payments': { changes: { holder: '$related.account#/owner', memo: '$request.body#/data/memo' }, related },
    })
    await send('POST /accounts {"owner":"Ada","number":"x"}')
    expect(await send('POST /payments {"account":1,"data":{"memo":"m"}}')).toBe(
      '201 {"id":1,"account":1,"holder":"Ada","memo":"m"}',
    )
    expect(await send('GET /accounts/1')).toMatch(/"number":"1","payments":1,"last_at":"2026-11-21T00:00:00.000Z"/)
    await send('POST /payments {"account":1}')
    expect(await send('GET /accounts/1')).toMatch(/"payments":2/)
    expect(await send('POST /payments {"account":9}')).toMatch(/^201 /)
  })

  it('are texts, lists and objects with values in them, and further items of lists', async () => {
    const tags = {
      type: 'array',
      items: { type: 'object', properties: { name: text, by: text, at: { type: 'integer' } } },
    }
    const tag = { name: '$request.body#/ticket', by: 'clerk {$record#/id}', at: '$now' }
    const { send } = await serve(
      {
        [go]: { effect: 'action', changes: { '/tags/-': tag, memo: 'p-{$record#/id}-{$request.query.mode}' } },
        'GET /payments/{id}/peek': {
          ...{ effect: 'action', method: 'POST', record: '' },
          changes: { tags: '$remove.t', list: ['$record#/id', 'x'], state: '$record#/memo' },
        },
      },
      (document) => {
        const { properties } = document.components.schemas.Payment
        Object.assign(properties, { tags, list: { type: 'array', items: {} } })
        document.paths['/payments/{id}/peek'].get.responses[200].content['application/json'].schema = {
          $ref: '#/components/schemas/Payment',
        }
      },
    )
    await send('POST /payments {"amount":5}')
    await send('POST /payments/1/go?mode=fast {"ticket":"t"}')
    expect(await send('POST /payments/1/go {"ticket":"u"}')).toBe(
      '200 {"id":1,"amount":5,"memo":"p-1-fast","tags":[{"name":"t","by":"clerk 1","at":1795219200},{"name":"u","by":"clerk 1","at":1795219200}],"list":[]}',
    )
    expect(await send('POST /payments/1/peek')).toMatch(
      /"state":"p-1-fast",.*"tags":\[\{"name":"u","by":"clerk 1","at":1795219200\}\],"list":\[1,"x"\]/,
    )
  })

  it('count by values, and see related records after their changes', async () => {
    const { send } = await serve({
      'POST /payments': {
        changes: { tries: '$related.account#/payments' },
        related: { account: { payments: '$add.$record#/amount' } },
      },
    })
    await send('POST /accounts {"owner":"Ada"}')
    expect(await send('POST /payments {"account":1,"amount":30}')).toMatch(/"tries":30/)
    expect(await send('POST /payments {"account":1,"amount":-10}')).toMatch(/"tries":20/)
    expect(await send('GET /accounts/1')).toMatch(/"payments":20/)
  })

  it('change related records in a list, and when a record is removed', async () => {
    const { send } = await serve(
      {
        'POST /payments': { related: { accounts: { payments: '$add.1' } } },
        'DELETE /payments/{id}': { related: { accounts: { payments: '$add.-1' } } },
      },
      (document) => {
        document.components.schemas.Payment.properties.accounts = { type: 'array', items: { type: 'integer' } }
        document.components.schemas.Account.properties.payments.default = 0
        document.paths['/payments'].post.requestBody.content['application/json'].schema.properties.accounts = {
          ...{ type: 'array', items: { type: 'integer' } },
        }
        document.paths['/payments']['x-sandbox-resource'] = { references: { accounts: '/accounts' } }
      },
    )
    for (const owner of ['Ada', 'Bea']) await send(`POST /accounts {"owner":"${owner}"}`)
    await send('POST /payments {"accounts":[1,2]}')
    await send('POST /payments {"accounts":[2]}')
    expect(await send('GET /accounts')).toMatch(/"owner":"Bea","payments":2.*"owner":"Ada","payments":1/)
    await send('DELETE /payments/1')
    expect(await send('GET /accounts')).toMatch(/"owner":"Bea","payments":1.*"owner":"Ada","payments":0/)
  })

  it('can be first values, which only count where a request gives none', async () => {
    const { send } = await serve({}, (document) => {
      const first = { holder: 'h-{$record#/id}', memo: '$request.body#/data/memo' }
      document.paths['/payments']['x-sandbox-resource'] = { first }
      document.paths['/payments'].post.requestBody.content['application/json'].schema.properties.holder = text
    })
    expect(await send('POST /payments {"data":{"memo":"m"}}')).toBe('201 {"id":1,"holder":"h-1","memo":"m"}')
    expect(await send('POST /payments {"holder":"Ada"}')).toBe('201 {"id":2,"holder":"Ada"}')
  })

  it('need a state', async () => {
    const { send } = await serve({
      [go]: { effect: 'action', needs: { state: 'open' }, changes: { state: 'done' } },
      'POST /payments': { changes: { state: 'open' } },
    })
    await send('POST /payments {"amount":5}')
    expect(await send('POST /payments/1/go')).toMatch(/^200 .*"done"/)
    expect(await send('POST /payments/1/go')).toMatch(
      /^409 .*state of the record with id 1 must be \\?"open\\?" \(got \\?"done\\?"\)/,
    )
  })

  it('need a state, and are refused with no code of another operation', async () => {
    const conflict = object({ code: text, message: text })
    const content = (code?: string) => ({
      ...{ description: 'conflict' },
      content: { 'application/json': { schema: conflict, ...(code && { example: { code, message: 'a' } }) } },
    })
    const { send } = await serve(
      { [go]: { effect: 'action', needs: { state: 'open' } }, 'POST /payments': { changes: { state: 'done' } } },
      ({ paths }) => {
        paths['/accounts'].post.responses[409] = content('already_exists')
        paths['/payments'].post.responses[409] = content('card_taken')
        paths['/payments/{id}/go'].post.responses[409] = content()
      },
    )
    await send('POST /payments {"amount":5}')
    expect(await send('POST /payments/1/go')).toMatch(/^409 {"code":"conflict"/)
  })

  it('need one of several states', async () => {
    const { send } = await serve({
      [go]: { effect: 'action', needs: { state: ['open', 'held'] }, changes: { state: '$request.body#/ticket' } },
      'POST /payments': { changes: { state: 'open' } },
    })
    await send('POST /payments {"amount":5}')
    expect(await send('POST /payments/1/go {"ticket":"held"}')).toMatch(/^200 .*"held"/)
    expect(await send('POST /payments/1/go {"ticket":"done"}')).toMatch(/^200 .*"done"/)
    expect(await send('POST /payments/1/go {"ticket":"open"}')).toMatch(/^409 .*must be .*open.* or .*held.*got .*done/)
  })
})

it('chooses the pages and filters of a list', async () => {
  const { send } = await serve({
    'GET /payments': { page: { size: 'max', offset: 'from' }, filters: { only: 'amount' } },
  })
  for (const amount of [1, 2, 3]) await send(`POST /payments {"amount":${amount}}`)
  expect(await send('GET /payments?max=1&from=1')).toBe('200 [{"id":2,"amount":2}]')
  expect(await send('GET /payments?only=3')).toBe('200 [{"id":3,"amount":3}]')
})

it('refuses constants that the schema of a property does not allow, with the closest one', async () => {
  const correct = (change: object, first: object = {}) =>
    serve({ [go]: { effect: 'action', changes: change } }, (document) => {
      document.components.schemas.Payment.properties.state.enum = ['open', 'closed']
      document.paths['/payments']['x-sandbox-resource'] = { first }
    })
  await expect(correct({ state: 'close' })).rejects.toThrow(
    /changes\.state: there is no state that its schema allows "close"; the closest is "closed"/,
  )
  await expect(correct({ amount: null })).rejects.toThrow(/no amount that its schema allows "null"/)
  await expect(correct({}, { state: 'opne' })).rejects.toThrow(/first: there is no state .* the closest is "open"/)
})

it('creates the record that the path names, and knows no other one', async () => {
  const { send } = await serve({ 'PUT /rooms/{room}': { effect: 'create', parameter: 'room' } }, (document) => {
    const { get, put } = document.paths['/rooms/{room}']
    for (const { parameters } of [get, put, document.paths['/rooms/{room}']])
      for (const each of parameters ?? []) each.schema = text
  })
  expect(await send('GET /rooms/attic')).toMatch(/^404 /)
  expect(await send('PUT /rooms/attic {"size":9}')).toBe('200 {"size":9}')
  expect(await send('GET /rooms/attic')).toBe('200 {"size":9}')
  expect(await send('GET /rooms/cellar')).toMatch(/^404 /)
})

it('keeps a changed value of an uploaded file', async () => {
  const { sandbox } = await serve(
    { 'POST /files': { changes: { name: '$request.body#/label', content: '$request.body' } } },
    (document) => {
      const part = { type: 'object', properties: { label: text, file: { type: 'string', format: 'binary' } } }
      document.paths['/files'].post.requestBody.content = { 'multipart/form-data': { schema: part } }
    },
  )
  const form = new FormData()
  form.set('label', 'Plan')
  form.set('file', new File(['abc'], 'other.txt'))
  const answer = await sandbox.fetch('http://localhost/files', { method: 'POST', body: form })
  expect(await answer.json()).toMatchObject({ name: 'Plan', size: 3, content: { label: 'Plan' } })
})

it('makes keys for the records of a path with the name of one thing, and chooses what else an answer has', async () => {
  const { send } = await serve(
    {
      'GET /talk.history': { effect: 'list', collection: '/talk.history', list: '/messages' },
      'POST /talk.say': {
        ...{ effect: 'create', collection: '/talk.history', record: '/message' },
        answer: { ts: '$record#/ts', room: 'in {$request.body#/room}' },
      },
    },
    (document) => {
      document.paths['/talk.history']['x-sandbox-resource'] = { key: 'ts' }
      const pattern = '^T[0-9]{6}$'
      const history = document.paths['/talk.history'].get.responses[200].content['application/json'].schema
      history.properties.messages.items.properties.ts.pattern = pattern
    },
  )
  expect(await send('POST /talk.say {"text":"a","room":"r"}')).toMatch(
    /^200 {"message":{"ts":"(T\d{6})","text":"a"},"ts":"\1","room":"in r"}$/,
  )
  expect(await send('GET /talk.history')).toMatch(/^200 {"messages":\[{"ts":"T\d{6}","text":"a"}\]}$/)
})

it('chooses what a record has at first that exists once', async () => {
  const { send } = await serve({}, (document) => {
    const answers = {
      200: { description: 'ok', content: { 'application/json': { schema: {}, example: { a: 1, b: 2, c: 3 } } } },
    }
    document.components.schemas.Settings = { type: 'object', properties: { a: {}, b: {}, c: {} } }
    answers[200].content['application/json'].schema = { $ref: '#/components/schemas/Settings' }
    document.paths['/accounts/{id}/settings'] = {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: answers },
      put: { requestBody: { content: answers[200].content }, responses: answers },
      'x-sandbox-resource': { first: { a: 5, b: '$none' } },
    }
  })
  await send('POST /accounts {"owner":"Ada"}')
  expect(await send('GET /accounts/1/settings')).toBe('200 {"a":5,"c":3}')
})

it('chooses how a filter compares, and the order of a list', async () => {
  const { send } = await serve({
    'GET /payments': {
      filters: { from: { property: 'amount', compare: 'from', unset: ['none'], all: ['any'] } },
      page: { order: '-amount' },
    },
  })
  for (const amount of [2, 3, 1]) await send(`POST /payments {"amount":${amount}}`)
  expect(await send('GET /payments?from=2')).toBe('200 [{"id":2,"amount":3},{"id":1,"amount":2}]')
  await send('POST /payments {}')
  expect(await send('GET /payments?from=none')).toBe('200 [{"id":4}]')
  expect(await send('GET /payments?from=any')).toMatch(/"id":4.*"id":2|"id":2.*"id":4/)
  const wrong = serve({ 'GET /payments': { page: { order: '-amout' } } })
  await expect(wrong).rejects.toThrow(
    /page\.order: there is no property of the record "amout"; the closest is "amount"/,
  )
})

it('chooses headers of a success', async () => {
  const { sandbox } = await serve({
    'POST /payments': {
      headers: { 'X-Payment': 'p-{$response.body#/id}', 'X-Kind': 'new', 'X-None': '{$request.body#/memo}' },
    },
  })
  const body = '{"amount":1}'
  const answer = await sandbox.fetch('http://localhost/payments', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  })
  expect(answer.headers.get('X-Payment')).toBe('p-1')
  expect(answer.headers.get('X-Kind')).toBe('new')
  expect(answer.headers.has('X-None')).toBe(false)
})

it('chooses headers of an answer that is given again', async () => {
  const { sandbox } = await serve({ 'POST /accounts': { repeated: { 'X-Again': 'yes' } } }, (document) => {
    document.paths['/accounts'].post.parameters = [
      { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
    ]
  })
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' }
  const send = () => sandbox.fetch('http://localhost/accounts', { method: 'POST', body: '{"owner":"Ada"}', headers })
  expect((await send()).headers.get('X-Again')).toBe(null)
  expect((await send()).headers.get('X-Again')).toBe('yes')
})

it('chooses status, code and body of errors by their reason', async () => {
  const { send } = await serve({
    'GET /payments/{id}': { errors: { not_found: { code: 'no_such_payment' } } },
    'GET /accounts/{id}': { errors: { not_found: { status: 410, body: { gone: true } }, malformed_path: 422 } },
    'POST /payments/{id}/go': {
      errors: {
        not_found: {
          body: { error: 'no "{$request.path.id}": {$response.body#/message}', status: '$statusCode', cost: '$$5' },
        },
      },
    },
  })
  expect(await send('POST /payments/7/go {}')).toBe(
    '404 {"error":"no \\"7\\": There is no record with id 7 in payments","status":404,"cost":"$5"}',
  )
  expect(await send('GET /payments/9')).toBe(
    '404 {"code":"no_such_payment","message":"There is no record with id 9 in payments"}',
  )
  expect(await send('GET /accounts/9')).toBe('410 {"gone":true}')
  expect(await send('GET /accounts/x')).toMatch(/^422 /)
})

it('reads a part of the record above it', async () => {
  const { send } = await serve(
    { 'GET /payments/{id}/peek': 'read', 'POST /payments': { changes: { state: 'open' } } },
    (document) => {
      const { paths } = document
      const { 'application/json': content } = paths['/payments/{id}/peek'].get.responses[200].content
      content.schema.properties = { payment_id: integer, state: text, seen: integer }
      // It may come first in the document: the record is still that of the other operations.
      document.paths = { '/payments/{id}/peek': paths['/payments/{id}/peek'], ...paths }
    },
  )
  await send('POST /payments {"amount":5}')
  expect(await send('GET /payments/1/peek')).toMatch(/^200 {"payment_id":1,"state":"open"/)
  expect(await send('GET /payments/1')).toBe('200 {"id":1,"amount":5,"state":"open"}')
  expect(await send('GET /payments/7/peek')).toMatch(/^404 /)
})

it('answers with values of the record above it, which its own schema does not have', async () => {
  const read = { effect: 'read', collection: '/payments', parameter: 'id', record: '' }
  const { send } = await serve(
    { 'GET /payments/{id}/peek': { ...read, answer: { holder: '$record#/payer/name' } } },
    (document) => {
      const { get } = document.paths['/payments/{id}/peek']
      get.responses[200].content['application/json'].schema = object({ holder: text })
      const payer = { type: 'object', properties: { name: text } }
      document.components.schemas.Payment.properties = { id: integer, account: integer, payer }
      document.paths['/payments'].post.requestBody.content['application/json'].schema.properties = {
        account: integer,
        payer,
      }
    },
  )
  await send('POST /payments {"payer":{"name":"Ada"}}')
  expect(await send('GET /payments/1/peek')).toBe('200 {"holder":"Ada"}')
  expect(await send('GET /payments/1')).toBe('200 {"id":1,"payer":{"name":"Ada"}}')
})

it('answers with values of a related record, and names the properties that have one', async () => {
  const answering = (value: string) => serve({ 'GET /payments/{id}': { answer: { memo: value } } })
  const { send } = await answering('$related.account#/owner')
  await send('POST /accounts {"owner":"Ada"}')
  await send('POST /payments {"account":1,"amount":5}')
  expect(await send('GET /payments/1')).toBe('200 {"id":1,"account":1,"amount":5,"memo":"Ada"}')
  await expect(answering('$related.acount#/owner')).rejects.toThrow(/answer: .*"acount"; the closest is "account"/)
})

it('leaves properties out of an answer', async () => {
  const { send } = await serve({ 'POST /payments': { answer: { amount: '$none' } } })
  expect(await send('POST /payments {"account":1,"amount":5}')).toBe('201 {"id":1,"account":1}')
  expect(await send('GET /payments/1')).toBe('200 {"id":1,"account":1,"amount":5}')
})

it('does not remove a record that others name', async () => {
  const blocking = (path: string) => serve({ 'DELETE /accounts/{id}': { blockedBy: [path] } })
  const { send } = await blocking('/payments')
  await send('POST /accounts {"owner":"Ada"}')
  await send('POST /payments {"account":1,"amount":5}')
  expect(await send('DELETE /accounts/1')).toMatch(/^409 .*in use/)
  await send('DELETE /payments/1')
  expect(await send('DELETE /accounts/1')).toMatch(/^204/)
  await expect(blocking('/payment')).rejects.toThrow(/blockedBy.*"\/payment"; the closest is "\/payments"/)
})

it('answers what a recording shows, also what no schema allows', async () => {
  const recorded = { 'answer /hits': 'seen twice', 'answer /amount': 'seen once' }
  const answer = { '/hits': 7, '/amount': 'much' }
  const { send } = await serve({ 'GET /payments/{id}': { answer, recorded } })
  await send('POST /payments {"account":1,"amount":5}')
  expect(await send('GET /payments/1')).toBe('200 {"id":1,"account":1,"amount":"much","hits":7}')
})

it('accepts another method', async () => {
  const { send } = await serve({ 'GET /payments/{id}/peek': { method: 'POST' } })
  await send('POST /payments {"amount":5}')
  expect(await send('POST /payments/1/peek')).toMatch(/^200 /)
  expect(await send('POST /payments/7/peek')).toMatch(/^404 /)
})

it('reads the query parameters of an operation with another method from a form', async () => {
  const { sandbox, send } = await serve({
    'GET /payments': {
      method: 'PUT',
      page: { size: 'max' },
      errors: { not_found: { status: 200, body: { ok: false } } },
    },
  })
  for (const amount of [1, 2]) await send(`POST /payments {"amount":${amount}}`)
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  for (const [body, shown] of [
    ['max=1', 1],
    ['max=2', 2],
    ['', 2],
  ] as const) {
    const answer = await sandbox.fetch('http://localhost/payments', { method: 'PUT', body, headers })
    expect(await answer.json()).toHaveLength(shown)
  }
  const body = `max=1&memo=${'m'.repeat(70_000)}`
  const large = await sandbox.fetch('http://localhost/payments', { method: 'PUT', body, headers })
  expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('at most 65536 bytes')])
})

it('reads and writes records where it says they are', async () => {
  const shown = object({ ok: text, payment: named('Payment'), other: named('Payment') })
  const { send } = await serve(
    { 'GET /payments/{id}': { record: '/other' }, 'POST /payments': { request: '/data' } },
    (document) => {
      document.paths['/payments/{id}'].get.responses[200].content['application/json'].schema = shown
    },
  )
  expect(await send('POST /payments {"amount":5,"data":{"memo":"m"}}')).toBe('201 {"id":1,"memo":"m"}')
  expect(await send('GET /payments/1')).toMatch(/"other":\{"id":1,"memo":"m"\}/)
})

const refused: [what: string, correction: object, message: RegExp, line: RegExp][] = [
  [
    'a property',
    { changes: { stat: 'x' } },
    /changes\.stat: there is no property of the record "stat"; the closest is "state"$/,
    /"stat":/,
  ],
  [
    'an expression',
    { changes: { state: '$requst.body#/ticket' } },
    /there is no expression "\$requst\.body#\/ticket"; the closest is "\$request\./,
    /requst/,
  ],
  [
    'a property of the body',
    { changes: { state: '$request.body#/ticke' } },
    /there is no property of the body "ticke"; the closest is "ticket"$/,
    /ticke/,
  ],
  [
    'a parameter',
    { changes: { state: '$request.query.mod' } },
    /there is no query parameter "mod"; the closest is "mode"$/,
    /query\.mod/,
  ],
  [
    'a reference',
    { related: { acount: {} } },
    /there is no property with the key of a record "acount"; the closest is "account"$/,
    /acount/,
  ],
  [
    'a reason',
    { errors: { notfound: 404 } },
    /errors has no member "notfound"; the closest is "not_found"$/,
    /notfound/,
  ],
  [
    'a status',
    { errors: { not_found: 100 } },
    /errors\.not_found must be a status from 200 to 599 \(got 100\)$/,
    /100/,
  ],
  ['a role of a page', { page: { sise: 'x' } }, /page has no member "sise"; the closest is "size"$/, /sise/],
  [
    'a page parameter',
    { page: { size: 'mod' } },
    /page\.size: there is no query parameter "mod"; the closest is "mode"$/,
    /"size"/,
  ],
  ['a method', { method: 'POTS' }, /method must be one of .* \(got "POTS"\); the closest is "POST"$/, /POTS/],
]

describe('refuses, with the line and the closest name,', () => {
  it.each(refused)('an unknown name of %s', async (_, correction, message, line) => {
    const document = JSON.parse(bank)
    document.paths['/payments']['x-sandbox-resource'] = { references: { account: '/accounts' } }
    document.paths['/payments/{id}/go'].post['x-sandbox-effect'] = { effect: 'action', ...correction }
    const written = JSON.stringify(document, null, 2)
    const error = await compileDocument(written, 'a.json').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'INVALID_DOCUMENT', message: expect.stringMatching(message) })
    const lines = written.split('\n')
    const { line: found } = (error as { location: { line: number } }).location
    const start = lines.findIndex((each) => each.includes('x-sandbox-effect'))
    expect(lines.findIndex((each, index) => index > start && line.test(each)) + 1).toBe(found)
  })
})
