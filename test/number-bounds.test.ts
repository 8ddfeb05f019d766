// Bounds beyond 2^64: the number that is written in the document is within them, and messages quote what was sent.
import { expect, it } from 'vitest'
import { collection, documentOf, serve } from './support/serve-objects.js'

const record = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    least: { type: 'number', minimum: 1e308 },
    most: { type: 'number', maximum: 1e23 },
    lowest: { type: 'number', minimum: -1e308, maximum: 1e300 },
    whole: { type: 'integer', minimum: 1e21, maximum: 3e21 },
    unsigned: { type: 'integer', minimum: 0, maximum: 2 ** 64 },
    long: { type: 'integer', format: 'int64' },
    price: { type: 'number', multipleOf: 0.01 },
    tenth: { type: 'number', multipleOf: 0.1 },
    tiny: { type: 'number', multipleOf: 1e-7 },
    one: { type: 'number', multipleOf: 1 },
    ten: { type: 'integer', format: 'int64', multipleOf: 10 },
    tenThousand: { type: 'integer', format: 'int64', multipleOf: 10_000 },
  },
}
/** Schemas of a number that an answer is made for. */
const made = [0.01, 0.05, 0.3, 1e-7, 2.5, 7].map((multipleOf) => ({ type: 'number', minimum: 0.07, multipleOf }))
const answers = made.map((value, index): [string, object] => {
  const schema = { type: 'object', required: ['price'], properties: { price: value } }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } }
  return [`/made/${index}`, { get: { responses } }]
})
const served = serve(documentOf({ ...collection({ path: '/xs', record }), ...Object.fromEntries(answers) }))

const post = (member: string) => served.send('POST', '/xs', { body: `{${member}}` })

it.each([
  '"least":1e308',
  '"least":1.7e308',
  `"least":1${'0'.repeat(308)}`,
  '"most":1e23',
  '"most":99999999999999991611392',
  '"lowest":-1e308',
  '"lowest":1e300',
  '"whole":1e21',
  '"whole":3000000000000000000000',
  '"unsigned":18446744073709551615',
  '"unsigned":18446744073709551616',
  '"long":9223372036854775807',
  '"long":-9223372036854775808',
  '"price":19.99',
  '"price":0.07',
  '"price":-1.13',
  '"price":1234.56',
  '"price":1000000000.01',
  '"price":1234567890123.45',
  '"price":1e300',
  '"tenth":0.3',
  '"tiny":0.0000003',
  '"one":1e21',
  '"ten":9007199254741000',
  '"ten":9223372036854775800',
  '"tenThousand":9223372036854770000',
])('accepts {%s}', async (member) => {
  expect(await post(member)).toMatchObject({ status: 201 })
})

it.each([
  ['"least":9e307', 'least must be at least 1e+308 (got 9e+307)'],
  ['"most":1.1e23', 'most must be at most 1e+23 (got 1.1e23)'],
  ['"lowest":-1.1e308', 'lowest must be at least -1e+308 (got -1.1e+308)'],
  ['"whole":1000000000000000000000.5', 'whole must be an integer (got 1000000000000000000000.5)'],
  ['"whole":1.0000000000000000000000001', 'whole must be an integer (got 1.0000000000000000000000001)'],
  ['"long":9223372036854775808', '(got 9223372036854775808)'],
  ['"long":-9223372036854775809', '(got -9223372036854775809)'],
  ['"long":1e19', '(got 1e19)'],
  ['"price":19.991', 'price must be a multiple of 0.01 (got 19.991)'],
  ['"price":1234567890123.455', 'price must be a multiple of 0.01 (got 1234567890123.455)'],
  ['"tenth":0.30000000000000004', 'tenth must be a multiple of 0.1 (got 0.30000000000000004)'],
  ['"tiny":0.00000015', 'tiny must be a multiple of 1e-7 (got 1.5e-7)'],
  ['"one":5.0000001', 'one must be a multiple of 1 (got 5.0000001)'],
  ['"one":5.00000000000000000001', 'one must be a multiple of 1 (got 5.00000000000000000001)'],
  ['"ten":9007199254740999', 'ten must be a multiple of 10 (got 9007199254740999)'],
])('refuses {%s} and quotes the number', async (member, message) => {
  const { status, text } = await post(member)
  expect([status, JSON.parse(text).message]).toEqual([400, expect.stringContaining(message)])
})

it.each(made.map(({ multipleOf }, index) => [multipleOf, index]))('makes a multiple of %d', async (step, index) => {
  const { price } = JSON.parse((await served.send('GET', `/made/${index}`)).text)
  expect(price).toBeGreaterThanOrEqual(0.07)
  expect(Math.round(price * 1e7) % Math.round(Number(step) * 1e7)).toBe(0)
})
