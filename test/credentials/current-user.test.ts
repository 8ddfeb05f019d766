// Who registered and logged in is the current user.
import { createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { integer, list, named, object, type Schema, type Sketch, text, toDocument } from '../support/sketch.js'

const user = object({ 'id!': integer, 'email!': text, bio: text })
const account = object({ 'email!': text, 'password!': text })

/** A document whose requests need a token, but for those that get one. */
function toProtected(operations: Record<string, Sketch>, schemas: Record<string, Schema> = {}): string {
  const document = JSON.parse(toDocument(operations, { User: user, ...schemas }))
  document.components.securitySchemes = { token: { type: 'http', scheme: 'bearer' } }
  document.security = [{ token: [] }]
  for (const path of ['/register', '/auth/register', '/auth/login'])
    if (document.paths[path]) document.paths[path].post.security = []
  return JSON.stringify(document)
}

const login: Sketch = { body: account, 200: object({ 'access_token!': text }) }
const listed = toProtected({
  'POST /auth/register': { body: account, 201: named('User') },
  'POST /auth/login': login,
  'GET /me': { 200: named('User') },
  'PATCH /me': { body: object({ bio: text, email: text }), 200: named('User') },
  'DELETE /me': { 204: null },
  'GET /users': { 200: list(named('User')) },
  'GET /users/{id}': { 200: named('User') },
})
const alone = toProtected({
  'POST /register': { body: account, 201: named('User') },
  'POST /auth/login': login,
  'GET /users/me': { 200: named('User') },
})

/** Records that say who made them, in the forms in which they do. */
const notes = toProtected(
  {
    'POST /auth/register': { body: account, 201: named('User') },
    'POST /auth/login': login,
    'GET /users/{id}': { 200: named('User') },
    'POST /notes': { body: object({ title: text }), 201: named('Note') },
    'PATCH /notes/{id}': { body: object({ title: text }), 200: named('Note') },
    'GET /notes/{id}': { 200: named('Note') },
    'POST /users/{userId}/cards': { body: object({ title: text }), 201: named('Card') },
    'POST /drafts': { body: named('Draft'), 201: named('Draft') },
    'POST /memos': { body: object({ title: text, owner_id: integer }), 201: named('Card') },
  },
  {
    Note: object({
      ...{ 'id!': integer, title: text, owner_id: integer, createdBy: text },
      author: object({ id: integer, email: text }),
      reviewer_id: integer,
    }),
    Draft: object({ id: integer, title: text, author_id: integer }),
    Card: object({ 'id!': integer, title: text, userId: integer, owner_id: integer }),
  },
)

async function open(document: string) {
  const { contract } = await compileOnce(document)
  const sandbox = createSandbox({ contract, scenario: {} })
  const send = async (request: string, token?: string, body?: unknown) => {
    const [method = '', path = ''] = request.split(' ')
    const answer = await sandbox.fetch(`https://api.example${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return text === '' ? answer.status : JSON.parse(text)
  }
  const logIn = async (email: string) =>
    (await send('POST /auth/login', undefined, { email, password: 'secret-1' })).access_token
  return { send, logIn }
}

describe('the current user', () => {
  it('is the one of the token, in the collection of users', async () => {
    const { send, logIn } = await open(listed)
    const [ann, bob] = ['ann@shop.example', 'bob@shop.example']
    for (const email of [ann, bob]) await send('POST /auth/register', undefined, { email, password: 'secret-1' })
    const [first, second] = [await logIn(ann), await logIn(bob)]
    expect(await send('PATCH /me', second, { bio: 'b' })).toEqual({ id: 2, email: bob, bio: 'b' })
    expect(await send('GET /me', first)).toEqual({ id: 1, email: ann })
    expect(await send('GET /users/2', first)).toEqual({ id: 2, email: bob, bio: 'b' })
    const renamed = { id: 2, email: 'rob@shop.example', bio: 'b' }
    expect(await send('PATCH /me', second, { email: renamed.email })).toEqual(renamed)
    expect([await send('GET /me', second), await send('GET /users/2', first)]).toEqual([renamed, renamed])
    expect(await send('DELETE /me', second)).toBe(204)
    expect(await send('GET /users', first)).toEqual([{ id: 1, email: ann }])
  })

  it('is the one who registered where no path has users', async () => {
    const { send, logIn } = await open(alone)
    const email = 'ann@shop.example'
    const made = await send('POST /register', undefined, { email, password: 'secret-1' })
    expect(await send('GET /users/me', await logIn(email))).toEqual(made)
  })

  it('is who made a record, whatever others send', async () => {
    const { send, logIn } = await open(notes)
    for (const email of ['ann@shop.example', 'bob@shop.example'])
      await send('POST /auth/register', undefined, { email, password: 'secret-1' })
    const [ann, bob] = [await logIn('ann@shop.example'), await logIn('bob@shop.example')]
    const author = { id: 2, email: 'bob@shop.example' }
    const note = { id: 1, title: 'a', owner_id: 2, createdBy: 'bob@shop.example', author }
    expect(await send('POST /notes', bob, { title: 'a' })).toEqual(note)
    expect(await send('PATCH /notes/1', ann, { title: 'b' })).toEqual({ ...note, title: 'b' })
    expect(await send('POST /users/1/cards', bob, { title: 'c' })).toMatchObject({ userId: 1 })
    expect(await send('POST /memos', bob, { title: 'c', owner_id: 1 })).toMatchObject({ owner_id: 1, userId: 2 })
    expect(await send('POST /drafts', bob, { title: 'd' })).toEqual({ id: 1, title: 'd', author_id: 2 })
    expect(await send('POST /drafts', bob, { title: 'd', author_id: 1 })).toMatchObject({ author_id: 1 })
    expect(await send('POST /notes', 'sandbox', { title: 'a' })).not.toMatchObject({ owner_id: 2 })
  })

  it('is a sample for a key or a token of nobody', async () => {
    const { send, logIn } = await open(listed)
    await send('POST /auth/register', undefined, { email: 'ann@shop.example', password: 'secret-1' })
    for (const token of ['sandbox', await logIn('eve@shop.example')])
      expect((await send('GET /me', token)).email).not.toBe('ann@shop.example')
  })
})
