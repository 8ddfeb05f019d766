/** Values of generated records that follow from others: copies, spans, sums, states. */
import { compileDocument, generateScenario } from 'petstore-sandbox'
import { beforeAll, describe, expect, it } from 'vitest'
import { flag, integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

// biome-ignore lint/suspicious/noExplicitAny: records of several schemas
type Values = Record<string, any>

const time = { type: 'string', format: 'date-time' }
const date = { type: 'string', format: 'date' }
const number = { type: 'number' }
const orNull = (schema: object) => ({ ...schema, nullable: true })
const crud = (path: string, name: string) => ({
  [`GET ${path}`]: { 200: list(named(name)) },
  [`GET ${path}/{${name.toLowerCase()}Id}`]: { 200: named(name) },
})

const document = toDocument(
  {
    ...crud('/users', 'UserOut'),
    ...crud('/labels', 'Label'),
    ...crud('/tickets', 'Ticket'),
    ...crud('/appointments', 'Appointment'),
    ...crud('/leave-requests', 'Leave'),
    ...crud('/contracts', 'Contract'),
    ...crud('/balances', 'Balance'),
    ...crud('/shelves', 'Shelf'),
    ...crud('/places', 'Place'),
    ...crud('/folders', 'Folder'),
  },
  {
    UserOut: object({ 'id!': text, 'name!': text, 'email!': text, 'createdAt!': time }),
    Label: object({ 'id!': integer, 'name!': orNull(text) }),
    Ticket: object({
      ...{ 'id!': integer, 'title!': text, 'slug!': text, 'userId!': text, 'userName!': text },
      ...{ 'assignee!': named('UserOut'), 'assigneeId!': text, 'reporter!': named('UserOut') },
      'labels!': { ...list(named('Label')), minItems: 2 },
      'createdAt!': time,
      ...{ 'status!': oneOfTexts('draft', 'published', 'cancelled'), 'publishedAt!': orNull(time) },
      ...{ 'cancel_reason!': orNull(text), 'updatedAt!': time },
    }),
    Appointment: object({ 'id!': integer, 'startsAt!': time, 'endsAt!': time, 'durationMinutes!': integer }),
    Leave: object({ 'id!': integer, 'startDate!': date, 'endDate!': date, 'days!': integer }),
    Contract: object({ 'id!': integer, 'startDate!': date, 'endDate!': date }),
    Balance: object({ 'id!': integer, 'entitledDays!': integer, 'usedDays!': integer, 'remainingDays!': integer }),
    Shelf: object({
      ...{
        'id!': integer,
        'name!': text,
        'capacity!': { ...integer, minimum: 0 },
        'hasCover!': flag,
        'cover!': orNull(text),
      },
      ...{ 'booksCount!': integer, 'booksReadCount!': integer, 'booksInProgressCount!': integer },
      'metadata!': object({ 'title!': text }),
      'lines!': { ...list(object({ 'quantity!': integer, 'unitPrice!': number })), minItems: 1 },
      'total!': number,
    }),
    Folder: object({
      'id!': text,
      'name!': text,
      'parentId!': orNull(text),
      'labels!': list(object({ 'id!': integer, 'name!': text, 'by!': text })),
    }),
    Place: object({ 'id!': integer, 'name!': text, 'latitude!': number, 'longitude!': number }),
  },
)

let scenario: Record<string, Values[]>
beforeAll(async () => {
  const compiled = await compileDocument(document)
  scenario = (await generateScenario({ compiled, records: 12 })) as never
})

const hour = 3_600_000
const lengthOf = (record: Values, start: string, end: string) =>
  Date.parse(record[end] ?? '') - Date.parse(record[start] ?? '')

describe('a record that shows others', () => {
  it('shows existing ones, with their values', () => {
    const { tickets = [], users, labels } = scenario
    for (const { assignee, assigneeId, reporter, labels: shown, createdAt } of tickets) {
      for (const each of [assignee, reporter]) expect(users).toContainEqual(each)
      expect(assigneeId).toBe(assignee.id)
      expect(Date.parse(assignee.createdAt)).toBeLessThan(Date.parse(createdAt))
      for (const each of shown) expect(labels).toContainEqual(each)
    }
    expect(tickets.some(({ assignee, reporter }) => assignee['id'] !== reporter['id'])).toBe(true)
  })

  it('shows them also with what they have only there, and parents in its own collection', () => {
    const { folders = [], labels } = scenario
    for (const [index, { id, parentId, labels: shown }] of folders.entries()) {
      if (index > 0 && parentId !== null) expect(folders.slice(0, index).map((each) => each.id)).toContain(parentId)
      expect(parentId).not.toBe(id)
      for (const { by: _, ...label } of shown) expect(labels).toContainEqual(label)
    }
    expect(folders.some(({ parentId }) => parentId !== null)).toBe(true)
  })

  it('has the name of the one whose key it has', () => {
    for (const { userId, userName } of scenario['tickets'] ?? []) {
      expect(scenario['users']).toContainEqual(expect.objectContaining({ id: userId, name: userName }))
    }
  })
})

describe('a span of time', () => {
  it('is that of an appointment: minutes, as its duration says', () => {
    for (const each of scenario['appointments'] ?? []) {
      const length = lengthOf(each, 'startsAt', 'endsAt')
      expect(length).toBeGreaterThanOrEqual(hour / 2)
      expect(length).toBeLessThanOrEqual(2 * hour)
      expect(each['durationMinutes']).toBe(length / 60_000)
      expect(Date.parse(each['startsAt'] ?? '') % (hour / 4)).toBe(0)
    }
  })

  it('is that of a leave: days, with the first and the last', () => {
    for (const each of scenario['leave-requests'] ?? []) {
      const days = lengthOf(each, 'startDate', 'endDate') / (24 * hour)
      expect(days).toBeGreaterThanOrEqual(1)
      expect(days, JSON.stringify(each)).toBeLessThanOrEqual(10)
      expect(each['days']).toBe(days + 1)
    }
  })

  it('is that of a contract: months', () => {
    for (const each of scenario['contracts'] ?? [])
      expect(lengthOf(each, 'startDate', 'endDate') / (24 * hour)).toBeGreaterThanOrEqual(29)
  })
})

describe('values', () => {
  it('fit the state', () => {
    const { tickets = [] } = scenario
    for (const { status, publishedAt, cancel_reason: reason } of tickets) {
      expect([status, publishedAt === null], status).toEqual([status, status !== 'published'])
      if (status !== 'cancelled') expect([status, reason]).toEqual([status, null])
    }
    expect(new Set(tickets.map(({ status }) => status)).size).toBe(3)
  })

  it('are sums, products and what remains', () => {
    for (const { entitledDays = 0, usedDays = 0, remainingDays } of scenario['balances'] ?? [])
      expect([usedDays <= entitledDays, remainingDays]).toEqual([true, entitledDays - usedDays])
    for (const { booksCount, booksReadCount = 0, booksInProgressCount = 0, total, lines } of scenario['shelves'] ??
      []) {
      expect(booksCount).toBe(booksReadCount + booksInProgressCount)
      const sum = lines.reduce((all: number, { quantity, unitPrice }: Values) => all + quantity * unitPrice, 0)
      expect(total).toBeCloseTo(sum, 1)
    }
  })

  it('say the same of a name, a flag and a place', () => {
    for (const { slug, title } of scenario['tickets'] ?? [])
      expect(slug).toBe(String(title).toLowerCase().replace(/\W+/g, '-'))
    for (const { name, metadata, hasCover, cover, capacity } of scenario['shelves'] ?? []) {
      expect(metadata).toEqual({ title: name })
      expect(hasCover).toBe(cover !== null)
      expect(capacity).toBeGreaterThan(1)
    }
    const where = new Map<string, unknown>()
    for (const { name, latitude } of scenario['places'] ?? []) {
      expect(where.get(name ?? '') ?? latitude).toBe(latitude)
      where.set(name ?? '', latitude)
    }
    for (const { name } of scenario['labels'] ?? []) expect(name).not.toBeNull()
  })
})
