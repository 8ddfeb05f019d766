/** The fast reader of YAML reads the same values and finds the same places as the one that knows all of YAML. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SandboxError } from '../../src/contract/sandbox-error.js'
import { readAnyYaml } from '../../src/document/any-yaml.js'
import { findPlaces, readPlain } from '../../src/document/plain-yaml.js'

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const plain: [what: string, text: string][] = [
  ['the bundled document', file('spec/petstore.openapi.yaml')],
  ['JSON', file('package.json')],
  ['JSON in one line', JSON.stringify(JSON.parse(file('package.json')))],
  ['numbers', 'a: [0o17, 1_000, 0x1F, .5, 1e3, 012, +12, -0, 1., .inf, 12345678901234567890, 1:30, 1.2.3]'],
  [
    'integers beyond doubles',
    'a: [9007199254740993, -0x20000000000001, 0x20000000000001, 1e22, 9007199254740993.0, 1.5e40, .5e25]\n9007199254740993: k',
  ],
  ['other scalars', "a: [~, null, yes, true, TRUE, tRue, 2020-01-01, \"a\\u0041\", 'it''s']"],
  ['block texts', 'a: |\n  x\n   y\nb: >-\n  x\n  y\n\n  z\nc: |+\n  x\n\nd: "x\n  y"\ne: x\n  y\n'],
  ['comments', '# x\na: b # c\nd: e#f\n'],
  ['keys of numbers', 'responses:\n  200: ok\n  default: x\n'],
  ['aliases', 'a: &a { b: [1, 2] }\nc: *a\nd:\n  - *a\n'],
  ['the name __proto__', '{ "__proto__": { "a": 1 }, "constructor": 2 }'],
  ['line ends of Windows', 'a: b\r\nc: |\r\n  x\r\n  y\r\nd:\r\n- e\r\n'],
  ['lists', '- - a\n  - b\n-\n  c: d\n'],
]

const unusual: [what: string, text: string][] = [
  ['merge keys', 'a: &a { b: 1 }\nc: { <<: *a, d: 2 }'],
  ['keys that are given twice', 'a: { b: 1 }\na: { c: 2 }'],
  ['keys that are objects', '{ petId }: x'],
  ['tags', 'a: !custom x'],
  ['directives', '%YAML 1.1\n---\na: yes'],
  ['numbers beyond a double', 'a: 1e999'],
  ['two documents', '--- a\n--- b'],
  ['mistakes', 'a: { b'],
]

function refuse(message: string): SandboxError {
  return new SandboxError('INVALID_DOCUMENT', message)
}

/** All places in a value. */
function pathsIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...inner.flatMap(([name, each]) => pathsIn(each, [...path, name]))]
}

describe('reads in both ways', () => {
  it.each(plain)('%s', (_, text) => {
    const any = readAnyYaml(text, refuse)
    const value = any.value()
    expect(readPlain(text)).toEqual({ value })
    const places = findPlaces(text)
    for (const path of [...pathsIn(value), ['missing'], ['a', 'missing']]) {
      expect([path, places?.offsetOf(path)]).toEqual([path, any.offsetOf(path)])
    }
    expect(places?.duplicateKeys).toEqual([])
  })
})

describe('leaves to the other reader', () => {
  it.each(unusual)('%s', (_, text) => {
    expect(readPlain(text)).toBeUndefined()
  })
})

it('finds keys that are given twice in JSON', () => {
  const text = '{ "a": { "b": 1, "b": [{ "b": 2 }] }, "b": 3, "a": 4 }'
  const found = readAnyYaml(text, refuse).duplicateKeys.map(({ key, offset }) => ({ key, offset }))
  expect(found).toHaveLength(2)
  const places = findPlaces(text)?.duplicateKeys.map(({ key, offset }) => ({ key, offset }))
  expect(places?.toSorted((one, other) => one.offset - other.offset)).toEqual(
    found.toSorted((one, other) => one.offset - other.offset),
  )
})

it('puts the members in place of merge keys: an own one counts, then that of the first object', () => {
  const text = 'a: &a { x: 1, y: { z: 1 } }\nb: &b { x: 2, v: 2 }\nc: { <<: [*a, *b], v: 3 }\nd: { <<: { e: 1 } }'
  const { value } = readAnyYaml(text, refuse)
  expect(value()).toMatchObject({ c: { x: 1, y: { z: 1 }, v: 3 }, d: { e: 1 } })
})

it.each([
  ['a: &a { b: { <<: *a } }', /leads back/],
  ['a: { <<: 1 }', /must have an object/],
])('refuses the merge key of %s', (text, message) => {
  expect(() => readAnyYaml(text, refuse)).toThrow(message)
})
