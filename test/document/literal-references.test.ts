// A `$ref` in an example or a default is read as it is meant, or left out with a note.
import { expect, it } from 'vitest'
import { loadSources } from '../../src/document/load-sources.js'
import { type CompiledText, compileSources, compileText } from '../../src/entries/compile-text.js'
import { createSandbox } from '../../src/entries/create-sandbox.js'

const tip = { '#/components/examples/Tip/value': { text: 'Stir' }, '#/components/examples/Tip': { text: 'Stir' } }
const components = {
  examples: {
    Tip: { value: { text: 'Stir' } },
    Loop: { value: { a: { $ref: '#/components/examples/Loop/value' } } },
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/components/examples/Big${index + 1}/value` }
        return [`Big${index}`, { value: [next, next] }]
      }),
    ),
    Big40: { value: 'x' },
    Data: { dataValue: { text: 'Fold' } },
    Text: { serializedValue: '{"text":"Knead"}' },
    Far: { externalValue: 'tips/far.yaml' },
  },
  schemas: { Tip: { type: 'object', properties: { text: { type: 'string' } } } },
}

function documentOf(media: object): string {
  const paths = {
    '/tip': { get: { responses: { 200: { description: 'ok', content: { 'application/json': media } } } } },
  }
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, components })
}

async function answerOf({ contract }: CompiledText): Promise<unknown> {
  return (await createSandbox({ contract, scenario: {} }).fetch('http://localhost/tip')).json()
}

/** The notes about what the answer shows. */
const notesOf = (compiled: CompiledText) =>
  compiled.notes().flatMap(({ message, instead }) => (message.startsWith('paths') ? `${message}: ${instead}` : []))

const object = { type: 'object' }
const ref = ($ref: string) => ({ $ref })
const [whole = '', example = ''] = Object.keys(tip)
const inside = {
  type: 'object',
  properties: { tip: { ...object, example: ref(whole) }, list: { type: 'array', examples: [[ref(whole)]] } },
}
const literal = {
  ...object,
  properties: { $ref: { type: 'string' } },
  additionalProperties: ref('#/components/schemas/Tip'),
}

it.each<[what: string, media: object, answer: unknown]>([
  ['the example of a body', { schema: object, example: ref(whole) }, { text: 'Stir' }],
  ['an Example Object', { schema: object, example: ref(example) }, { text: 'Stir' }],
  ['a part of an example', { schema: object, example: { all: [ref(whole)] } }, { all: [{ text: 'Stir' }] }],
  ['a named example', { schema: object, examples: { a: { value: ref(whole) } } }, { text: 'Stir' }],
  ['the example of a schema', { schema: { ...object, example: ref(whole) } }, { text: 'Stir' }],
  ['examples of properties', { schema: inside }, { tip: { text: 'Stir' }, list: [{ text: 'Stir' }] }],
  ['a default', { schema: { ...object, default: ref(whole) } }, { text: 'Stir' }],
])('reads %s', async (_, media, answer) => {
  const compiled = compileText(documentOf(media), 'a.json')
  expect(await answerOf(compiled)).toEqual(answer)
  const notes = notesOf(compiled)
  expect(notes.length).toBeGreaterThan(0)
  for (const note of notes) expect(note).toMatch(/ is a value, and has a \$ref: what it points to is used$/)
})

it.each<[what: string, written: unknown, why: RegExp]>([
  ['to nothing', ref('#/components/examples/None'), /points to nothing/],
  ['to a schema', { a: ref('#/components/schemas/Tip') }, /leads to a schema/],
  ['to itself', ref('#/components/examples/Loop/value'), /leads back to itself/],
  ['to too much', ref('#/components/examples/Big0/value'), /leads to too much/],
  ['to another file that is not there', ref('tips.yaml#/a'), /./],
])('leaves out a $ref %s', async (_, written, why) => {
  const compiled = compileText(documentOf({ schema: { ...object, maxProperties: 0 }, example: written }), 'a.json')
  expect(await answerOf(compiled)).toEqual({})
  expect(notesOf(compiled)).toEqual([expect.stringMatching(why)])
})

it('keeps a $ref that the schema describes', async () => {
  const written = { $ref: 'main', other: ref(whole) }
  const compiled = compileText(documentOf({ schema: literal, example: { ...written, other: { text: 'a' } } }), 'a.json')
  expect(await answerOf(compiled)).toEqual({ $ref: 'main', other: { text: 'a' } })
  expect(notesOf(compiled)).toEqual([])
})

it.each([
  ['dataValue', '#/components/examples/Data', { text: 'Fold' }],
  ['serializedValue', '#/components/examples/Text', { text: 'Knead' }],
])('reads %s of an example', async (_, $ref, answer) => {
  expect(await answerOf(compileText(documentOf({ schema: object, examples: { a: { $ref } } }), 'a.json'))).toEqual(
    answer,
  )
})

it('reads other files in examples where references may', async () => {
  const files: Record<string, string> = { '/docs/tips/far.yaml': 'text: Boil', '/docs/tips.yaml': 'a: { text: Fry }' }
  const read = async (location: string) => {
    const text =
      files[location] ??
      documentOf({
        schema: object,
        examples: { a: ref('#/components/examples/Far'), b: { value: { tip: ref('tips.yaml#/a') } } },
      })
    return { text, location }
  }
  const compiled = compileSources(await loadSources('/docs/a.json', { read }))
  expect(await answerOf(compiled)).toEqual({ text: 'Boil' })
  const sandbox = createSandbox({ contract: compiled.contract, scenario: {} })
  const answer = await sandbox.fetch('http://localhost/tip', { headers: { prefer: 'example=b' } })
  expect(await answer.json()).toEqual({ tip: { text: 'Fry' } })
  const alone = compileText(await read('').then(({ text }) => text), 'a.json')
  expect(alone.notes().map(({ message }) => message)).toContainEqual(
    expect.stringContaining('externalValue is not read'),
  )
})
