import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergePatch } from '../../src/json/merge-patch.js'
import { check } from './support/check.js'
import { deepFreeze, jsonValues } from './support/json-values.js'

/** RFC 7396, appendix A: original, patch, result. */
const appendix: readonly (readonly [string, string, string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  // Section 1.
  ['{"a":"b","c":{"d":"e","f":"g"}}', '{"a":"z","c":{"f":null}}', '{"a":"z","c":{"d":"e"}}'],
]

/** Objects in objects of few names, so that patches reach into targets. */
const { nested } = fc.letrec<{ nested: Record<string, unknown>; value: unknown }>((tie) => ({
  nested: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  value: fc.oneof({ maxDepth: 3 }, fc.constantFrom(null, 1, 2n ** 60n, [null]), tie('nested'), tie('nested')),
}))
const patches = fc.oneof({ weight: 5, arbitrary: nested }, { weight: 1, arbitrary: jsonValues })

/** The pseudocode of RFC 7396, section 2, word for word. */
function model(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: Record<string, unknown> = Object.create(null)
  if (isObject(target)) for (const name of Object.keys(target)) result[name] = target[name]
  for (const name of Object.keys(patch)) {
    if (patch[name] === null) delete result[name]
    else result[name] = model(result[name], patch[name])
  }
  return Object.fromEntries(Object.entries(result))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

describe('a merge patch', () => {
  it.each(appendix)('makes %s with %s into %s', (target, patch, result) => {
    expect(mergePatch(JSON.parse(target), JSON.parse(patch))).toStrictEqual(JSON.parse(result))
  })

  it('does what the pseudocode of the RFC does, and changes neither target nor patch', () => {
    check(
      fc.tuple(patches, patches).map(deepFreeze),
      ([target, patch]) => {
        const result = mergePatch(target, patch)
        if (!isDeepStrictEqual(result, model(target, patch))) expect(result).toStrictEqual(model(target, patch))
      },
      500,
    )
  })

  it('changes nothing the second time', () => {
    check(fc.tuple(patches, patches), ([target, patch]) => {
      const once = mergePatch(target, patch)
      expect(isDeepStrictEqual(mergePatch(once, patch), once)).toBe(true)
    })
  })

  it('keeps bigints', () => {
    expect(mergePatch({ a: 2n ** 63n }, { b: 2n ** 64n })).toStrictEqual({ a: 2n ** 63n, b: 2n ** 64n })
  })
})
