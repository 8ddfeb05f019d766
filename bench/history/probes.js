/** Values that find out where two schemas differ: at the bounds, of each format, and of each value of an enum. */

import { fakeText } from './generate.js'

const texts = [
  '',
  'text',
  'Other text, with signs: \u00e9',
  '12',
  '-1.5',
  'ABC',
  'true',
  '2026-01-02',
  '2026-01-02T03:04:05Z',
  'ada@service.example',
  'https://service.example/page',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  '192.0.2.1',
  'service.example',
  'dGV4dA==',
]
const numbers = [0, -1, 1, 1.5, 2 ** 31, 2 ** 53]
const longest = 5000
/** Texts that are made for a pattern. */
const fakes = 8

/** @param leaves merged schemas of one place, of both documents */
export function toProbes(leaves) {
  const probes = new Map()
  const add = (value) => probes.set(JSON.stringify(value), value)
  const isOfLists = leaves.some(({ types = [] }) => types.includes('array'))
  for (const { values = [] } of leaves) for (const value of values) add(value)
  for (const value of [...texts, ...numbers, true, null]) add(value)
  for (const leaf of leaves) {
    for (const pattern of leaf.patterns ?? []) {
      for (let seed = 0; seed < fakes; seed++) {
        const { minLength = 0, maxLength = minLength + 50 } = leaf
        const made = fakeText({ pattern, minLength, maxLength: Math.min(maxLength, longest) }, seed)
        if (made !== undefined) add(made)
      }
    }
    for (const name of ['minLength', 'maxLength']) {
      if (leaf[name] === undefined || leaf[name] > longest) continue
      for (const length of [leaf[name] - 1, leaf[name], leaf[name] + 1]) if (length >= 0) add('a'.repeat(length))
    }
    for (const name of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) {
      if (leaf[name] === undefined) continue
      for (const value of [leaf[name] - 1, leaf[name], leaf[name] + 1]) add(value)
    }
  }
  if (isOfLists) for (const value of [...probes.values()]) add([value])
  return probes.values()
}
