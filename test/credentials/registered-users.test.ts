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
