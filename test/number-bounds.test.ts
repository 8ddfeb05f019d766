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
  },
}
const served = serve(documentOf(collection({ path: '/xs', record })))

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
])('refuses {%s} and quotes the number', async (member, message) => {
  const { status, text } = await post(member)
  expect([status, JSON.parse(text).message]).toEqual([400, expect.stringContaining(message)])
})
