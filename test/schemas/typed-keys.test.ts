// A key and a filter have one text, whatever types the document gives to the parameter and to the property.
import { describe, expect, it } from 'vitest'
import { type JsonObject, readArray } from '../support/read-json.js'
import { collection, documentOf, serve } from '../support/serve-objects.js'

const uuid = '6b1f3a52-8d0c-4a7e-9f21-0c5d6e7f8a90'

/** How ids are described, with the JSON texts of ids that such a record may have. */
const records = {
  integer: [{ type: 'integer' }, ['0', '1', '-1', '10', '9007199254740991', '9007199254740993']],
  int64: [{ type: 'integer', format: 'int64' }, ['1', '9223372036854775807', '-9223372036854775808']],
  number: [{ type: 'number' }, ['0', '1', '-1', '9007199254740993']],
  string: [
    { type: 'string' },
    ['"1"', '"01"', '"1.0"', '"+1"', '" 1"', '"true"', '"9007199254740993"', '"a b/c?d%20é"'],
  ],
  uuid: [{ type: 'string', format: 'uuid' }, [`"${uuid}"`]],
} as const
const parameters = {
  integer: { type: 'integer' },
  string: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  untyped: {},
} as const
const texts = [
  ...['0', '1', '-1', '10', '01', '001', '1.0', '1.', '.1', '+1', ' 1', '1 ', '1e0', '0x1', '-0', '１', '1n', '1_0'],
  ...['9007199254740991', '9007199254740992', '9007199254740993', '9007199254740994', '9007199254740993.0'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775808', 'true', 'null', 'NaN', 'a', 'a b/c?d%20é'],
  ...[uuid, uuid.toUpperCase(), 'constructor', '__proto__', '[object Object]'],
]
const integer = /^(?:0|-?[1-9]\d*)$/
const pairs = Object.keys(records).flatMap((record) => Object.keys(parameters).map((each) => [record, each] as const))

const paths = pairs.map(([record, parameter], index) => {
  const id = records[record as keyof typeof records][0]
  const keySchema = parameters[parameter as keyof typeof parameters]
  const properties = { id, name: { type: 'string' } }
  return collection({ path: `/xs${index}`, record: { type: 'object', properties }, keySchema })
})
const served = serve(documentOf(Object.assign({}, ...paths)))

describe('a record whose id is', () => {
  it.each(pairs.map(([record, parameter], index) => [record, parameter, index] as const))(
    '%s is found by its canonical text as %s and by no other',
    async (record, parameter, index) => {
      const keys = records[record as keyof typeof records][1]
      for (const key of keys) {
        const created = await served.send('POST', `/xs${index}`, { body: `{"id":${key},"name":"n"}` })
        expect(created, key).toMatchObject({ status: 201, text: `{"id":${key},"name":"n"}` })
      }
      const byText = new Map(keys.map((key) => [key.replaceAll('"', ''), key]))
      for (const text of texts) {
        const key = byText.get(text)
        const isRead =
          parameter === 'string' || parameter === 'untyped' || (parameter === 'uuid' ? /-.*-/ : integer).test(text)
        const { status, text: found } = await served.send('GET', `/xs${index}/${encodeURIComponent(text)}`)
        if (key !== undefined && isRead) expect([status, found], text).toEqual([200, `{"id":${key},"name":"n"}`])
        else expect([400, 404], `${text}: ${found}`).toContain(status)
      }
    },
  )

  it.each(['integer', 'number', 'string'])('%s is replaced, changed and removed by that text alone', async (record) => {
    const index = pairs.findIndex(([each, parameter]) => each === record && parameter === 'string')
    const target = `/xs${index}`
    const others = ['01', '1.0', '+1', '%201', '1e0', '-0'].filter(
      (text) => record !== 'string' || text === '1e0' || text === '-0',
    )
    const list = await served.send('GET', target)
    for (const text of others) {
      expect((await served.send('PUT', `${target}/${text}`, { body: { name: 'm' } })).status, text).toBe(404)
      expect((await served.send('PATCH', `${target}/${text}`, { body: { name: 'm' } })).status, text).toBe(404)
      expect((await served.send('DELETE', `${target}/${text}`)).status, text).toBe(404)
    }
    expect((await served.send('GET', target)).text).toBe(list.text)
    const key = record === 'string' ? '"1"' : '1'
    const changed = { status: 200, text: `{"id":${key},"name":"m"}` }
    expect(await served.send('PUT', `${target}/1`, { body: { name: 'm' } })).toMatchObject(changed)
    expect(await served.send('PATCH', `${target}/1`, { body: { id: 7 } })).toMatchObject(
      record === 'string' ? { status: 400 } : changed,
    )
    expect((await served.send('DELETE', `${target}/1`)).status).toBe(204)
    expect((await served.send('GET', `${target}/1`)).status).toBe(404)
    const left = readArray(JSON.parse(list.text)).length - 1
    expect(readArray(JSON.parse((await served.send('GET', target)).text))).toHaveLength(left)
  })
})

describe('a filter', () => {
  const string = { type: 'string' }
  const wide = { type: 'array', items: string }
  const rows: readonly (readonly [
    property: JsonObject,
    value: unknown,
    parameter: JsonObject,
    found: string[],
    not: string[],
  ])[] = [
    [{ type: 'integer' }, 12, string, ['12'], ['012', '12.0', '+12', ' 12', '1.2e1', '0xc', '', '1']],
    [{ type: 'integer' }, 0, string, ['0'], ['-0', '00', '', 'false', 'null']],
    [{ type: ['integer', 'null'] }, 12, string, ['12'], ['012', 'null']],
    [{ type: 'number' }, 1.5, string, ['1.5'], ['1.50', '01.5', '15e-1', '1,5', '1']],
    [{ type: 'number' }, -2, string, ['-2'], ['-2.0', '2', '--2']],
    [{ type: 'boolean' }, true, string, ['true'], ['TRUE', '1', 'yes', '', 'false']],
    [{ type: 'boolean' }, false, { type: 'boolean' }, ['false'], ['true']],
    [{ type: 'boolean' }, true, { enum: ['true', 'false'] }, ['true'], ['false']],
    [string, '12', { type: 'integer' }, ['12'], ['13']],
    [string, '012', string, ['012'], ['12']],
    [string, '1.5', { type: 'number' }, ['1.5'], ['1.25']],
    [string, 'true', { type: 'boolean' }, ['true'], ['false']],
    [string, '', string, [''], [' ', 'a']],
    [string, 'null', string, ['null'], ['', 'undefined']],
    [string, 'a,b', string, ['a,b', 'a%2Cb'], ['a', 'b']],
    [string, 'a b', string, ['a b', 'a+b', 'a%20b'], ['a%2Bb', 'ab']],
    [wide, ['a', 'b'], string, ['a', 'b'], ['a,b', 'c', '0', '', 'length']],
    [{ type: 'array', items: { type: 'integer' } }, [1, 2], string, ['1', '2'], ['01', '1,2', '3']],
    [{ type: 'array', items: { type: 'boolean' } }, [true], string, ['true'], ['false', '0']],
    [wide, ['1'], { type: 'integer' }, ['1'], ['2']],
    [string, 'b', wide, ['b', 'a&f=b'], ['a', 'a&f=c']],
    [{ type: 'integer' }, 2, { type: 'array', items: { type: 'integer' } }, ['2', '1&f=2'], ['1', '1&f=3']],
    [wide, ['a', 'b'], wide, ['b&f=c', 'a'], ['c', 'd&f=e']],
  ]
  const filtered = rows.map(([property, , parameter], index) => {
    const record = { type: 'object', properties: { id: { type: 'integer' }, f: property } }
    return collection({ path: `/fs${index}`, record, parameters: [{ name: 'f', in: 'query', schema: parameter }] })
  })
  const lists = serve(documentOf(Object.assign({}, ...filtered)))

  it.each(rows.map((row, index) => [row, index] as const))(
    'compares in the type of the property: %j',
    async (row, index) => {
      const [, value, , found, not] = row
      const target = `/fs${index}`
      const created = await lists.send('POST', target, { body: { f: value } })
      expect(created.status, created.text).toBe(201)
      // Without the property.
      await lists.send('POST', target, { body: {} })
      for (const text of found) {
        expect(await lists.send('GET', `${target}?f=${text.replaceAll(' ', '%20')}`), text).toMatchObject({
          status: 200,
          text: `[${created.text}]`,
        })
      }
      for (const text of not) {
        const answer = await lists.send('GET', `${target}?f=${text.replaceAll(' ', '%20').replaceAll('+', '%2B')}`)
        expect(answer, text).toMatchObject({ status: 200, text: '[]' })
      }
    },
  )

  it('keeps every digit of an integer beyond 2^53', async () => {
    await lists.send('POST', '/fs0', { body: '{"f":9007199254740993}' })
    const find = async (text: string) => readArray(JSON.parse((await lists.send('GET', `/fs0?f=${text}`)).text)).length
    expect(await find('9007199254740993')).toBe(1)
    expect(await find('9007199254740992')).toBe(0)
    expect(await find('9007199254740994')).toBe(0)
  })
})
