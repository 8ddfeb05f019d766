import { describe, expect, it } from 'vitest'
import { readScenario } from '../../src/control/control-api.js'
import { parseExactJson } from '../../src/json/exact-json.js'

const padding = 'x'.repeat(100)
const pets = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `{ "id": ${index}, "name": "Pet ${index} ],[{", "tags": [[], {"a": "}"}], "note": "${padding}" }`,
  ).join(',\n')
const read = (text: string) => readScenario(new TextEncoder().encode(text))

describe('a large scenario', () => {
  it.each([
    ['of one collection', `{"pets":[${pets(10_000)}]}`],
    ['of several collections, with space', ` {\n "pets" : [ ${pets(10_000)} ] ,\t"orders":[],"users": [ {} ]\r\n} `],
    ['with escapes', `{"pe\\u0074s":[{"name":"a\\\\"},{"name":"\\\\\\"]"},${pets(10_000)}]}`],
    ['with numbers beyond 2^53', `{"pets":[${pets(10_000)},{"id":9007199254740993,"price":1e3}]}`],
    ['with a collection twice', `{"pets":[${pets(10_000)}],"pets":[{"id":1}]}`],
  ])('%s is what it is if it is read at once', async (_, text) => {
    expect(await read(text)).toEqual(parseExactJson(text).exact)
  })

  it.each([
    ['ends early', `{"pets":[${pets(10_000)}`],
    ['ends in a text', `{"pets":[${pets(10_000)},{"name":"`],
    ['has something behind its end', `{"pets":[${pets(10_000)}]}]`],
    ['has a comma behind its last record', `{"pets":[${pets(10_000)},]}`],
    ['has a comma behind its last collection', `{"pets":[${pets(10_000)}],}`],
    ['has brackets that do not match', `{"pets":[${pets(10_000)},{"tags":[}]]}`],
    ['has a record that is no object', `{"pets":[${pets(10_000)},1]}`],
    ['has a collection that is no list', `{"pets":{"a":[${pets(10_000)}]}}`],
    ['has a number that no double can hold', `{"pets":[${pets(10_000)},{"id":1e999}]}`],
    ['is a list', `[${pets(10_000)}]`],
    ['has a collection with the name of the prototype', `{"__proto__":[${pets(10_000)}]}`],
  ])('that %s is left to who reads it at once', async (_, text) => {
    expect(await read(text)).toBeUndefined()
  })
})
