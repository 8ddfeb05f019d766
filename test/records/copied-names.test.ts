// Texts of a record that another record has, which it names: `categoryName` beside `categoryId`.
import { expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

const document = (person: ReturnType<typeof object>) =>
  toDocument(
    {
      'GET /persons': { 200: list(named('Person')) },
      'POST /persons': { body: object({ 'firstName!': text, 'lastName!': text }), 201: named('Person') },
      'GET /rooms': { 200: list(named('Room')) },
      'POST /rooms': {
        body: object({ 'title!': text, 'code!': text }),
        201: named('Room'),
        409: object({ detail: text }),
      },
      'GET /stays': { 200: list(named('Stay')) },
      'POST /stays': { body: object({ 'personId!': integer, roomId: integer }), 201: named('Stay') },
      'GET /stays/{stayId}': { 200: named('Stay') },
      'PATCH /stays/{stayId}': { body: object({ roomId: integer }), 200: named('Stay') },
    },
    {
      Person: person,
      Room: object({ 'id!': integer, 'title!': text, 'code!': text }),
      Stay: object({
        'id!': integer,
        personId: integer,
        personName: text,
        roomId: integer,
        roomTitle: text,
        roomCode: text,
      }),
    },
  )

it('follow the key', async () => {
  const person = object({ 'id!': integer, 'firstName!': text, 'lastName!': text, fullName: text })
  const sandbox = await openSketch(document(person))
  expect(await ask(sandbox, 'POST /persons {"firstName":"Ida","lastName":"Lund"}')).toContain('"fullName":"Ida Lund"')
  await ask(sandbox, 'POST /rooms {"title":"Attic","code":"A1"}')
  await ask(sandbox, 'POST /rooms {"title":"Cellar","code":"C1"}')
  const stay = await ask(sandbox, 'POST /stays {"personId":1,"roomId":1}')
  expect(stay).toContain('"personName":"Ida Lund","roomId":1,"roomTitle":"Attic","roomCode":"A1"')
  expect(await ask(sandbox, 'PATCH /stays/1 {"roomId":2}')).toContain('"roomId":2,"roomTitle":"Cellar","roomCode":"C1"')
})

it('are unique if a conflict is documented, and nothing more is said of it', async () => {
  const sandbox = await openSketch(document(object({ 'id!': integer, 'firstName!': text, 'lastName!': text })))
  await ask(sandbox, 'POST /rooms {"title":"Attic","code":"A1"}')
  expect(await ask(sandbox, 'POST /rooms {"title":"Attic","code":"A2"}')).toContain('201')
  expect(await ask(sandbox, 'POST /rooms {"title":"Other","code":"A1"}')).toContain('409')
})
