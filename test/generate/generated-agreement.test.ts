/** Values of generated and new records that agree with each other. */
import { compileDocument, createSandbox, generateScenario } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { integer, list, named, object, oneOfTexts, text, time, toDocument } from '../support/sketch.js'

// biome-ignore lint/suspicious/noExplicitAny: records of several schemas
type Values = Record<string, any>

const decimal = { type: 'string', format: 'decimal', pattern: '^-?\\d{0,8}(?:\\.\\d{0,2})?$' }
const date = { type: 'string', format: 'date' }
const number = { type: 'number' }

const schemas: Record<string, [schema: Values, agrees: (record: Values, all: Record<string, Values[]>) => boolean]> = {
  payslips: [
    { 'base_value!': decimal, 'bonus!': decimal, 'discounts!': decimal, 'total_calculated!': decimal },
    (each) =>
      Math.abs(+each['base_value'] + +each['bonus'] - +each['discounts'] - +each['total_calculated']) < 0.01 ||
      each['total_calculated'] === '0.00',
  ],
  machines: [
    { 'supplier!': text, 'supplier_name!': text, 'state!': oneOfTexts('IN_USE', 'SOLD'), 'state_display!': text },
    (each) =>
      each['supplier'] === each['supplier_name'] &&
      each['state_display'] === { IN_USE: 'In use', SOLD: 'Sold' }[each['state'] as 'SOLD'],
  ],
  sales: [
    {
      'lines!': {
        ...list(
          object({
            'goods!': object({ 'id!': integer, 'price!': number }),
            'quantity!': integer,
            'unit_price!': number,
          }),
        ),
        minItems: 1,
      },
      'total!': number,
    },
    ({ lines, total }) =>
      lines.every((each: Values) => each['unit_price'] === each['goods'].price) &&
      Math.abs(lines.reduce((sum: number, each: Values) => sum + each['quantity'] * each['unit_price'], 0) - total) <
        0.05,
  ],
  'staff-attendance': [
    { 'date!': date, 'checkIn!': time, 'checkOut!': time },
    (each) => each['checkIn'] < each['checkOut'] && each['date'] === String(each['checkIn']).slice(0, 10),
  ],
}

const document = toDocument(
  {
    ...Object.fromEntries(Object.keys(schemas).map((name) => [`GET /${name}`, { 200: list(named(name)) }])),
    'POST /payslips': { body: object({ 'base_value!': decimal }), 201: named('payslips') },
    'GET /payslips/{payslipId}': { 200: named('payslips') },
    'GET /users': { 200: list(named('User')) },
    'GET /users/{userId}': { 200: named('User') },
    'GET /teachers': { 200: list(named('Teacher')) },
    'GET /teachers/{teacherId}': { 200: named('Teacher') },
    'GET /lessons': { 200: list(named('Lesson')) },
  },
  {
    ...Object.fromEntries(
      Object.entries(schemas).map(([name, [members]]) => [name, object({ 'id!': integer, ...members })]),
    ),
    User: object({ 'id!': integer, 'username!': text, 'email!': text, fullName: text }),
    Teacher: object({ 'id!': integer, 'firstName!': text, 'lastName!': text, 'email!': text, 'user!': named('User') }),
    Lesson: object({ 'id!': integer, 'teacher!': named('Teacher') }),
  },
)

const generated = compileDocument(document).then((compiled) => generateScenario({ compiled, records: 12 }))

it.each(Object.entries(schemas))('%s agree', async (name, [, agrees]) => {
  const all = (await generated) as unknown as Record<string, Values[]>
  expect(all[name]).toHaveLength(12)
  expect(all[name]?.filter((each) => !agrees(each, all))).toEqual([])
})

it('a teacher is called as the user, wherever both are shown', async () => {
  const { users = [], teachers = [], lessons = [] } = (await generated) as unknown as Record<string, Values[]>
  const shown = [...teachers, ...lessons.map(({ teacher }) => teacher)]
  expect(shown).toHaveLength(24)
  for (const { firstName, lastName, email, user } of shown) {
    expect(users).toContainEqual(expect.objectContaining(user))
    expect(user.username).toBe(`${firstName}_${lastName}`.toLowerCase())
    expect([user.email, user.fullName ?? `${firstName} ${lastName}`]).toEqual([email, `${firstName} ${lastName}`])
  }
})

it('a new record has what follows from what was sent', async () => {
  const sandbox = createSandbox({ contract: (await compileDocument(document)).contract })
  const body = JSON.stringify({ base_value: '120.00' })
  const headers = { authorization: 'Bearer dev', 'content-type': 'application/json' }
  const answer = await sandbox.fetch('https://api.example/payslips', { method: 'POST', headers, body })
  const made = (await answer.json()) as Values
  expect([answer.status, made['base_value']]).toEqual([201, '120.00'])
  expect(+made['total_calculated']).toBeCloseTo(120 + +made['bonus'] - +made['discounts'], 1)
})
