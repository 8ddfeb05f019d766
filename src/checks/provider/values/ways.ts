/** Ways to make a body unique: which of its values are varied. */
import { randomInt } from 'node:crypto'
import { type Leaf, leavesOf } from './leaves.js'
import { isDate } from './other-values.js'

export interface Way {
  /** Decides which other values are chosen. */
  salt: number
  varies(leaf: Leaf): boolean
}

/** Properties by which people know a record. */
const nameOfNames = /name|title|mail|user|login|slug|sku|label|isbn|serial|phone|handle|subject/i
/** For how many values there is a way that varies nothing else. */
const maxSingles = 8

export const nothing: Way['varies'] = () => false
/** Numbers are often ids of other records, and dates belong together. */
export const isText: Way['varies'] = ({ value }) => typeof value === 'string' && !isDate(value)
const isName: Way['varies'] = (leaf) => isText(leaf) && nameOfNames.test(leaf.name)
const anything: Way['varies'] = () => true

/** All ways but the given one. A service may refuse to have one value varied and accept another one only once. */
export function otherWays(way: Way, body: unknown): Way[] {
  const singles = leavesOf(body)
    .slice(0, maxSingles)
    .map<Way['varies']>(
      ({ name }) =>
        (leaf) =>
          leaf.name === name,
    )
  const varied = new Set([way.varies, isText, anything, isName, nothing, ...singles])
  // An earlier check with the same seed may have left records with the same values.
  const salts = [way.salt, randomInt(2 ** 32)]
  return [...varied].flatMap((varies) => salts.map((salt) => ({ salt, varies }))).slice(1)
}
