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
