/** Filters by what creations send and no answer shows. */
import { expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

const note = { 'GET /notes': { query: ['issue_id', 'kind', 'limit'], 200: list(named('Note')) } }

function notes(sent: Record<string, object>, shown: Record<string, object> = {}): string {
  return toDocument(
    { ...note, 'POST /notes': { body: object({ text, ...sent }), 201: named('Note') } },
    { Note: object({ 'id!': integer, text, ...shown }) },
  )
}

it.each([
  ['a key', { issueId: integer }, '"issueId":7', 'issue_id=7', 'issue_id=8'],
  ['a word', { kind: text }, '"kind":"idea"', 'kind=idea', 'kind=bug'],
  ['several keys', { issue_ids: list(integer), issue_id: integer }, '"issue_id":7', 'issue_id=7', 'issue_id=8'],
])('choose new records by %s, and do not hide what has none', async (_, sent, given, same, other) => {
  const sandbox = await openSketch(notes(sent), { scenario: { notes: [{ id: 1 }, { id: 2 }] } })
  expect(await ask(sandbox, `POST /notes {"text":"new",${given}}`)).toBe('201 {"id":3,"text":"new"}')
  const chosen = await ask(sandbox, `GET /notes?${same}`)
  const others = await ask(sandbox, `GET /notes?${other}`)
  expect(chosen).toContain('"text":"new"')
  expect(others).not.toContain('"text":"new"')
  for (const answer of [chosen, others]) expect(answer).toContain('"id":1')
})

it('choose no records by the size of a page', async () => {
  const sandbox = await openSketch(notes({ limit: integer }), { scenario: { notes: [{ id: 1 }, { id: 2 }] } })
  await ask(sandbox, 'POST /notes {"text":"new","limit":1}')
  expect(JSON.parse((await ask(sandbox, 'GET /notes?limit=2')).slice(4))).toHaveLength(2)
})
