// Users who register and log in where answers have them beside a token: they are the current user, and who made new records.
import { expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { ask, openSketch } from '../support/script.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

const session = object({ 'token!': text, 'user!': named('User') })
const login = object({ 'email!': text, 'password!': text })

/** @param others further operations */
function notes(others: Parameters<typeof toDocument>[0]): string {
  const document = JSON.parse(
    toDocument(
      {
        'POST /auth/register': {
          body: object({ 'email!': text, 'password!': text, nick: text }),
          201: session,
          422: object({}),
        },
        'POST /auth/login': { body: login, 200: session },
        'GET /me': { 200: object({ 'user!': named('User') }) },
        'GET /notes': { 200: list(named('Note')) },
        'POST /notes': { body: object({ 'title!': text }), 201: named('Note') },
        ...others,
      },
      {
        User: object({ 'id!': integer, 'email!': text, nick: text }),
        Note: object({ 'id!': integer, 'title!': text, author: named('User'), owner_id: integer }),
      },
    ),
  )
  document.components.securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } }
  document.security = [{ bearer: [] }]
  for (const path of ['/auth/register', '/auth/login']) document.paths[path].post.security = []
  return JSON.stringify(document)
}

it.each([
  ['where users are listed', { 'GET /users': { 200: list(named('User')) } }],
  ['where nothing else shows users', {}],
])('are known %s', async (_, others) => {
  await compileOnce(notes(others))
  const sandbox = await openSketch(notes(others))
  const made = await ask(sandbox, 'POST /auth/register {"email":"a@x.example","password":"p","nick":"ann"}')
  expect(made).toContain('"user":{"id":1,"email":"a@x.example","nick":"ann"}')
  expect(await ask(sandbox, 'POST /auth/register {"email":"a@x.example","password":"p"}')).toContain('422')
  const answer = await ask(sandbox, 'POST /auth/login {"email":"a@x.example","password":"p"}')
  expect(answer).toContain('"user":{"id":1,"email":"a@x.example","nick":"ann"}')
  const { token } = JSON.parse(answer.slice(answer.indexOf('{')))
  const send = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return (await sandbox.fetch(`https://api.example${path}`, init)).json()
  }
  expect(await send('GET', '/me')).toEqual({ user: { id: 1, email: 'a@x.example', nick: 'ann' } })
  const note = await send('POST', '/notes', { title: 'n' })
  expect(note).toMatchObject({ author: { id: 1, nick: 'ann' }, owner_id: 1 })
})

it('compare the password of a login that documents a refusal', async () => {
  const sandbox = await openSketch(notes({ 'POST /auth/login': { body: login, 200: session, 401: object({}) } }))
  const send = (email: string, password: string) =>
    ask(sandbox, `POST /auth/login ${JSON.stringify({ email, password })}`)
  expect(await send('a@x.example', 'any')).toContain('200')
  await ask(sandbox, 'POST /auth/register {"email":"a@x.example","password":"p"}')
  expect(await send('a@x.example', 'p')).toContain('200')
  expect(await send('a@x.example', 'other')).toContain('401')
  expect(await send('b@x.example', 'p')).toContain('401')
})

it('are who joins, and who acts', async () => {
  const trip = named('Trip')
  const document = JSON.parse(
    notes({
      'POST /trips': { body: object({ 'title!': text }), 201: trip },
      'GET /trips/{id}': { 200: trip },
      'POST /trips/{id}/signup': { 200: trip },
      'DELETE /trips/{id}/signup': { 204: null },
      'POST /trips/{id}/approve': { 200: trip },
    }),
  )
  document.components.schemas.Trip = object({
    ...{ 'id!': integer, 'title!': text, 'riders!': list(named('User')) },
    ...{ approved: { type: 'boolean' }, approvedBy: { type: ['integer', 'null'] } },
  })
  const sandbox = await openSketch(JSON.stringify(document))
  const registered = await ask(sandbox, 'POST /auth/register {"email":"a@x.example","password":"p","nick":"ann"}')
  const { token } = JSON.parse(registered.slice(registered.indexOf('{')))
  const send = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await sandbox.fetch(`https://api.example${path}`, init)
    return answer.status === 204 ? undefined : answer.json()
  }
  await send('POST', '/trips', { title: 't' })
  const joined = await send('POST', '/trips/1/signup')
  expect(joined.riders).toEqual([{ id: 1, email: 'a@x.example', nick: 'ann' }])
  expect((await send('POST', '/trips/1/signup')).riders).toHaveLength(1)
  expect(await send('POST', '/trips/1/approve')).toMatchObject({ approved: true, approvedBy: 1 })
  await send('DELETE', '/trips/1/signup')
  expect((await send('GET', '/trips/1')).riders).toEqual([])
})

/** Two kinds of users, whose bodies are inside of a property, with what one of them makes. */
function fairs(): string {
  const user = object({ 'email!': text, 'password!': text, name: text })
  const body = (name: string) => object({ [`${name}!`]: user })
  const data = (schema: object) => object({ 'data!': schema as typeof text })
  const answer = data(named('Account'))
  const stall = data(named('Stall'))
  const document = JSON.parse(
    toDocument(
      {
        'POST /sellers': { body: body('seller'), 200: answer, 422: object({}) },
        'POST /sellers/sign_in': { body: body('seller'), 200: answer, 401: object({}) },
        'POST /guests': { body: body('guest'), 200: answer, 422: object({}) },
        'POST /guests/sign_in': { body: body('guest'), 200: answer, 401: object({}) },
        'GET /stalls': { 200: data(list(named('Stall'))) },
        'POST /stalls': { body: object({ 'name!': text }), 201: stall },
        'GET /stalls/{id}': { 200: stall },
        'DELETE /stalls/{id}': { 200: object({}), 403: object({}) },
      },
      {
        Account: object({ 'id!': integer, 'email!': text, name: text, token: text }),
        Stall: object({ 'id!': integer, 'name!': text, seller_id: integer }),
      },
    ),
  )
  document.components.securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } }
  document.security = [{ bearer: [] }]
  for (const path of Object.keys(document.paths).filter((each) => /sellers|guests/.test(each)))
    document.paths[path].post.security = []
  return JSON.stringify(document)
}

it('log in with a body inside of a property, and keep their records from each other', async () => {
  const sandbox = await openSketch(fairs())
  const send = async (method: string, path: string, body?: object, token?: string) => {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await sandbox.fetch(`https://api.example${path}`, init)
    const { data } = JSON.parse((await response.text()) || '{}')
    return { status: response.status, data }
  }
  const seller = (email: string, password = 'p') => ({ seller: { email, password, name: 'Ann' } })
  await send('POST', '/sellers', seller('a@x.example'))
  const other = await send('POST', '/sellers', seller('b@x.example'))
  expect((await send('POST', '/sellers', seller('a@x.example'))).status).toBe(422)
  expect((await send('POST', '/sellers/sign_in', seller('a@x.example', 'q'))).status).toBe(401)
  expect((await send('POST', '/guests/sign_in', { guest: { email: 'a@x.example', password: 'p' } })).status).toBe(200)
  const { data } = await send('POST', '/sellers/sign_in', seller('a@x.example'))
  expect(data).toMatchObject({ id: 1, email: 'a@x.example', name: 'Ann' })
  const made = await send('POST', '/stalls', { name: 'Pots' }, data.token)
  expect(made.data).toMatchObject({ name: 'Pots', seller_id: 1 })
  const remove = (token: string) => send('DELETE', `/stalls/${made.data.id}`, undefined, token)
  expect((await remove(other.data.token)).status).toBe(403)
  expect((await remove(data.token)).status).toBe(200)
})
