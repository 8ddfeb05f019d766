/** Times of a generated record are in the order of its life, at any depth and in any form, and fit its state. */
import type { Values } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { generateFor, record, text, whole } from '../support/generated.js'
import { ask, openSketch } from '../support/script.js'
import { named, object, oneOfTexts, toDocument } from '../support/sketch.js'

interface Life {
  author: { createdAt: string }
  created: string
  comments: Record<string, string>[]
  updated: string
}

const time = { type: 'string', format: 'date-time' }
const mail = { ...text, example: 'Sat, 31 Jan 2026 08:30:00 GMT' }
const list = (properties: Record<string, unknown>) => ({ type: 'array', minItems: 1, items: record(properties) })

async function recordsOf(properties: Record<string, unknown>): Promise<Values[]> {
  const { scenario } = await generateFor({ things: record(properties) } as never, { records: 60 })
  const records = scenario['things'] ?? []
  expect(records).toHaveLength(60)
  return [...records]
}

it('puts times in order, in all forms', async () => {
  const records = await recordsOf({
    createdAt: time,
    last_modified: { ...whole, description: 'Unix timestamp' },
    start_date: { type: 'string', format: 'date' },
    endDate: { type: 'string', format: 'date' },
    submitted: { ...text, example: '31/01/2026' },
    completed: { ...text, example: '31/12/2026' },
    issued: mail,
    due: mail,
    opening_time: { ...text, example: '08:30' },
    closing_time: { ...text, example: '18:30' },
  })
  const days = (each: unknown) => String(each).split('/').toReversed().join('-')
  for (const each of records.slice(0, -1)) {
    expect(Date.parse(String(each['createdAt']))).toBeLessThanOrEqual(Number(each['last_modified']) * 1000)
    expect(String(each['start_date']) <= String(each['endDate'])).toBe(true)
    expect(days(each['submitted']) <= days(each['completed'])).toBe(true)
    expect(Date.parse(String(each['issued']))).toBeLessThanOrEqual(Date.parse(String(each['due'])))
    expect(String(each['opening_time']) <= String(each['closing_time'])).toBe(true)
  }
})

it('keeps what is in a record within its life', async () => {
  const records = await recordsOf({
    author: record({ createdAt: time }),
    created: time,
    comments: list({ created: time, likedAt: time }),
    updated: time,
  })
  for (const { author, created, comments, updated } of records as unknown as Life[]) {
    const inner = comments.flatMap((each) => Object.values(each))
    const times = inner.filter((each) => /^\d{4}-/.test(String(each))).toSorted()
    expect(author.createdAt <= created).toBe(true)
    expect(created <= (times[0] ?? '')).toBe(true)
    expect((times.at(-1) ?? '') <= updated).toBe(true)
  }
})

it('has nothing that contradicts the state, at any depth, and keeps what is required', async () => {
  const states = { type: 'string', enum: ['new', 'active', 'rejected'] }
  const parts = { status: states, rejection_reason: text, completed_at: time, deleted: { type: 'boolean' } }
  const loose = { ...record(parts), required: ['status'] }
  const records = await recordsOf({ ...parts, part: loose, createdAt: time, rejectedAt: time })
  for (const each of records) {
    const part = each['part'] as Record<string, unknown>
    if (part['status'] !== 'rejected') expect(part).not.toHaveProperty('rejection_reason')
    if (part['status'] === 'new') expect(part).not.toHaveProperty('completed_at')
    expect([part['deleted'] ?? false, each['deleted']]).toEqual([false, false])
    expect(String(each['createdAt']) <= String(each['rejectedAt'])).toBe(true)
  }
})

it('keeps the time of a state in later states, and not in earlier ones', async () => {
  const state = oneOfTexts('draft', 'delivered', 'approved')
  const sketch = {
    'POST /jobs': { body: object({ state }), 201: named('Job') },
    'PATCH /jobs/{jobId}': { body: object({ state }), 200: named('Job') },
  }
  const nullable = { type: ['string', 'null'], format: 'date-time' }
  const Job = object({ 'id!': whole, state, delivered_at: nullable })
  const sandbox = await openSketch(toDocument(sketch, { Job }), { at: '2026-11-20' })
  await ask(sandbox, 'POST /jobs {"state":"draft"}')
  const timeIn = async (next: string) =>
    JSON.parse((await ask(sandbox, `PATCH /jobs/1 {"state":"${next}"}`)).slice(4))['delivered_at']
  const times = [await timeIn('delivered'), await timeIn('approved'), await timeIn('draft')]
  expect(times).toEqual([expect.stringContaining('2026-11-20T'), times[0], null])
})
