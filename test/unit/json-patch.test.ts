import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactJson } from '../../src/json/exact-json.js'
import { jsonPatch } from '../../src/json/json-patch.js'
import { PatchError } from '../../src/json/patch-error.js'
import { check } from './support/check.js'
import { deepFreeze, jsonValues, names, objectsOf } from './support/json-values.js'

/** RFC 6902, appendix A: document, patch, result; no result for an error. */
const appendix: readonly { what: string; target: string; patch: string; result?: string }[] = [
  {
    what: 'A.1 adds an object member',
    target: '{"foo":"bar"}',
    patch: '[{"op":"add","path":"/baz","value":"qux"}]',
    result: '{"baz":"qux","foo":"bar"}',
  },
  {
    what: 'A.2 adds an array element',
    target: '{"foo":["bar","baz"]}',
    patch: '[{"op":"add","path":"/foo/1","value":"qux"}]',
    result: '{"foo":["bar","qux","baz"]}',
  },
  {
    what: 'A.3 removes an object member',
    target: '{"baz":"qux","foo":"bar"}',
    patch: '[{"op":"remove","path":"/baz"}]',
    result: '{"foo":"bar"}',
  },
  {
    what: 'A.4 removes an array element',
    target: '{"foo":["bar","qux","baz"]}',
    patch: '[{"op":"remove","path":"/foo/1"}]',
    result: '{"foo":["bar","baz"]}',
  },
  {
    what: 'A.5 replaces a value',
    target: '{"baz":"qux","foo":"bar"}',
    patch: '[{"op":"replace","path":"/baz","value":"boo"}]',
    result: '{"baz":"boo","foo":"bar"}',
  },
  {
    what: 'A.6 moves a value',
    target: '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
    patch: '[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]',
    result: '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}',
  },
  {
    what: 'A.7 moves an array element',
    target: '{"foo":["all","grass","cows","eat"]}',
    patch: '[{"op":"move","from":"/foo/1","path":"/foo/3"}]',
    result: '{"foo":["all","cows","eat","grass"]}',
  },
  {
    what: 'A.8 tests values',
    target: '{"baz":"qux","foo":["a",2,"c"]}',
    patch: '[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]',
    result: '{"baz":"qux","foo":["a",2,"c"]}',
  },
  {
    what: 'A.9 fails on a test that fails',
    target: '{"baz":"qux"}',
    patch: '[{"op":"test","path":"/baz","value":"bar"}]',
  },
  {
    what: 'A.10 adds a nested member object',
    target: '{"foo":"bar"}',
    patch: '[{"op":"add","path":"/child","value":{"grandchild":{}}}]',
    result: '{"foo":"bar","child":{"grandchild":{}}}',
  },
  {
    what: 'A.11 ignores unrecognized elements',
    target: '{"foo":"bar"}',
    patch: '[{"op":"add","path":"/baz","value":"qux","xyz":123}]',
    result: '{"foo":"bar","baz":"qux"}',
  },
  {
    what: 'A.12 fails on adding to a nonexistent target',
    target: '{"foo":"bar"}',
    patch: '[{"op":"add","path":"/baz/bat","value":"qux"}]',
  },
  {
    what: 'A.14 escapes with ~',
    target: '{"/":9,"~1":10}',
    patch: '[{"op":"test","path":"/~01","value":10}]',
    result: '{"/":9,"~1":10}',
  },
  {
    what: 'A.15 compares strings and numbers',
    target: '{"/":9,"~1":10}',
    patch: '[{"op":"test","path":"/~01","value":"10"}]',
  },
  {
    what: 'A.16 adds an array value',
    target: '{"foo":["bar"]}',
    patch: '[{"op":"add","path":"/foo/-","value":["abc","def"]}]',
    result: '{"foo":["bar",["abc","def"]]}',
  },
]

/** JSON Pointers (RFC 6901, section 5). */
const pointers: readonly (readonly [string, unknown])[] = [
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
]
const pointed = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
}

function toPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Every place of a value, as tokens. */
function placesOf(value: unknown, tokens: readonly string[] = []): string[][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [[...tokens], ...inner.flatMap(([name, item]) => placesOf(item, [...tokens, name]))]
}

function valueAt(value: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce((at, token) => (at as Record<string, unknown>)[token], value)
}

function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected)
}

/** A target, with one of its places. */
const placed = fc.tuple(jsonValues, fc.nat()).map(([target, number]) => {
  const places = placesOf(target)
  const tokens = places[number % places.length] ?? []
  return { target: deepFreeze(target), tokens, path: toPointer(tokens), value: valueAt(target, tokens) }
})

/** What a test, a remove or an add needs; a document as a whole can't be put back where it was. */
const placedInside = placed.filter(({ tokens }) => tokens.length > 0)

describe('a JSON Patch', () => {
  it.each(appendix)('$what', ({ target, patch, result }) => {
    const apply = () => jsonPatch(JSON.parse(target), JSON.parse(patch))
    if (result === undefined) expect(apply).toThrow(PatchError)
    else expect(apply()).toStrictEqual(JSON.parse(result))
  })

  it.each(pointers)('finds %s', (path, value) => {
    expect(jsonPatch(pointed, [{ op: 'test', path, value }])).toStrictEqual(pointed)
  })

  it('finds every place of a document', () => {
    check(
      placed,
      ({ target, path, value }) => {
        expectSame(jsonPatch(target, [{ op: 'test', path, value }]), target)
      },
      500,
    )
  })

  it('puts back with add what remove took', () => {
    check(placedInside, ({ target, path, value }) => {
      const removed = jsonPatch(target, [{ op: 'remove', path }])
      expect(placesOf(removed).length).toBe(placesOf(target).length - placesOf(value).length)
      expectSame(jsonPatch(removed, [{ op: 'add', path, value }]), target)
    })
  })

  it('leaves only the replaced value different', () => {
    check(fc.tuple(placed, jsonValues), ([{ target, path, value }, other]) => {
      const replaced = jsonPatch(target, [
        { op: 'replace', path, value: other },
        { op: 'test', path, value: other },
      ])
      expectSame(jsonPatch(replaced, [{ op: 'replace', path, value }]), target)
    })
  })

  it('moves as remove and add do, and copies as add does', () => {
    const twoPlaces = fc.tuple(jsonValues, fc.nat(), fc.nat()).map(([target, one, other]) => {
      const places = placesOf(target)
      return {
        target: deepFreeze(target),
        from: places[one % places.length] ?? [],
        to: places[other % places.length] ?? [],
      }
    })
    check(twoPlaces, ({ target, from, to }) => {
      const source = toPointer(from)
      const path = toPointer(to)
      const value = valueAt(target, from)
      expectSame(
        jsonPatch(target, [{ op: 'copy', from: source, path }]),
        jsonPatch(target, [{ op: 'add', path, value }]),
      )
      const move = outcomeOf(target, [{ op: 'move', from: source, path }])
      if (path.startsWith(`${source}/`)) expect(move).toBeInstanceOf(PatchError)
      else if (source === path) expectSame(move, target)
      else if (source !== '') {
        expectSame(
          toPlain(move),
          toPlain(
            outcomeOf(target, [
              { op: 'remove', path: source },
              { op: 'add', path, value },
            ]),
          ),
        )
      }
    })
  })

  it('adds members such as __proto__ as properties', () => {
    check(fc.tuple(objectsOf(jsonValues), names, jsonValues), ([target, name, value]) => {
      const added = jsonPatch(deepFreeze(target), [{ op: 'add', path: toPointer([name]), value }]) as object
      expect(Object.getPrototypeOf(added)).toBe(Object.prototype)
      expectSame(Object.getOwnPropertyDescriptor(added, name)?.value, value)
      expectSame(new Set(Object.keys(added)), new Set([...Object.keys(target), name]))
    })
  })

  it('finds no inherited properties', () => {
    for (const path of [
      '/constructor',
      '/__proto__',
      '/toString/name',
      '/a/length',
      '/a/-',
      '/a/1',
      '/a/00',
      '/a/1e0',
      '/b/0',
    ]) {
      for (const op of ['remove', 'test', 'replace']) {
        expect(() => jsonPatch({ a: ['x'], b: 'text' }, [{ op, path, value: 1 }])).toThrow(PatchError)
      }
    }
  })

  it('applies all operations or throws a PatchError, and leaves target and patch as they are', () => {
    check(
      fc.tuple(jsonValues, junkPatches),
      ([target, patch]) => {
        const outcome = outcomeOf(deepFreeze(target), deepFreeze(patch))
        if (!(outcome instanceof PatchError)) {
          const steps = (patch as unknown[]).reduce((value, operation) => jsonPatch(value, [operation]), target)
          expectSame(outcome, steps)
        }
      },
      500,
    )
  })

  it('throws nothing but a PatchError for what is no patch', () => {
    check(
      jsonValues.filter((value) => !Array.isArray(value) || value.length > 0),
      (patch) => {
        expect(outcomeOf({}, patch)).toBeInstanceOf(PatchError)
      },
    )
  })

  it.each([
    ['an op', '[{"op":12345678901234567890,"path":"/a","value":1}]'],
    ['a path', '[{"op":"add","path":12345678901234567890,"value":1}]'],
    ['an integer in a path', '[{"op":"add","path":{"a":[12345678901234567890]},"value":1}]'],
    ['a from', '[{"op":"copy","path":"/a","from":12345678901234567890}]'],
  ])('throws a PatchError for a bigint as %s', (_, text) => {
    expect(() => jsonPatch({ a: 1 }, parseExactJson(text).exact)).toThrow(PatchError)
  })

  it('names the operation and the place that fails', () => {
    const patch = [
      { op: 'add', path: '/a', value: [] },
      { op: 'remove', path: '/a/0' },
    ]
    expect(() => jsonPatch({}, patch)).toThrow('[1].path "/a/0" does not exist')
  })
})

/** Patches that are right now and then. */
const junkPointers = fc.oneof(
  fc.array(fc.oneof(names, fc.constantFrom('0', '1', '-', '01', 'a')), { maxLength: 3 }).map(toPointer),
  fc.constantFrom('', '/', 'a', '/~', '/~2', '//', '/0/-'),
  fc.oneof(names, fc.constantFrom(null, 1, true, [], {})),
)
const junkPatches: fc.Arbitrary<unknown> = fc.array(
  fc.oneof(
    fc.record(
      {
        op: fc.oneof(
          { weight: 20, arbitrary: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test') },
          { weight: 1, arbitrary: fc.constantFrom('', 'constructor', '__proto__', 'toString', 1, null) },
        ),
        path: junkPointers,
        from: junkPointers,
        value: jsonValues,
      },
      { requiredKeys: ['op', 'path'] },
    ),
    fc.constantFrom(null, 1, 'add', [], {}),
  ),
  { maxLength: 4 },
)

function outcomeOf(target: unknown, patch: unknown): unknown {
  try {
    return jsonPatch(target, patch)
  } catch (error) {
    expect(error).toBeInstanceOf(PatchError)
    return error
  }
}

/** An error as something that can be compared. */
function toPlain(outcome: unknown): unknown {
  return outcome instanceof PatchError ? 'PatchError' : outcome
}
