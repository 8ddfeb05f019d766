/** Checks a value by the vocabulary, and says what is wrong with the nearest right name. */
import { suggestion } from '../contract/suggest-closest.js'
import { quote } from '../contract/violations.js'
import { isObject } from '../json/own-value.js'
import type { Vocabulary } from './vocabulary.js'

/** What the vocabulary does not have, and where: the members that lead to it. */
export interface WrongValue {
  message: string
  at: (string | number)[]
}

/**
 * @param name of the extension
 * @returns undefined for a value of the vocabulary
 * @example findWrong('x-sandbox-resource', { keyy: 'id' }, resourceVocabulary)?.at // ['keyy']
 */
export function findWrong(
  name: string,
  value: unknown,
  vocabulary: Vocabulary,
  at: (string | number)[] = [],
): WrongValue | undefined {
  const { title, type, enum: allowed, pattern, minimum, maximum, anyOf } = vocabulary
  const wrong = (why: string): WrongValue => ({ message: `${name} ${why}`, at })
  const got = `(got ${value === undefined ? 'nothing' : quote(value)})`
  if (anyOf) {
    const branch = anyOf.find((each) => ('const' in each ? each.const === value : !each.type || isOf(value, each.type)))
    if (!branch) return wrong(`must be ${title} ${got}`)
    return 'const' in branch ? undefined : findWrong(name, value, branch, at)
  }
  if (type && !isOf(value, type)) return wrong(`must be ${(type !== 'string' && title) || `a ${type}`} ${got}`)
  if (allowed && !allowed.includes(value)) {
    const names = allowed.map(String)
    return wrong(`must be one of ${names.join(', ')} ${got}${suggestion(String(value), names)}`)
  }
  const isWrong = typeof value === 'string' && pattern !== undefined && !new RegExp(pattern, 'u').test(value) // unmeasured: a pattern of the vocabulary
  const isBeyond = typeof value === 'number' && (value < (minimum ?? value) || value > (maximum ?? value))
  if (isWrong || isBeyond) return wrong(`must be ${title} ${got}`)
  if (Array.isArray(value))
    return firstOf(value.entries(), ([index, item]) => findWrong(name, item, vocabulary.items ?? {}, [...at, index]))
  return isObject(value) && type === 'object' ? findWrongMember(name, value, vocabulary, at) : undefined
}

function findWrongMember(
  name: string,
  value: Record<string, unknown>,
  { properties = {}, additionalProperties, required = [] }: Vocabulary,
  at: (string | number)[],
): WrongValue | undefined {
  const lost = required.find((member) => !Object.hasOwn(value, member))
  if (lost !== undefined) return { message: `${name} has no "${lost}"`, at }
  return firstOf(Object.entries(value), ([member, inner]) => {
    const own = Object.hasOwn(properties, member) ? properties[member] : additionalProperties
    const path = [...at, member]
    if (own) return findWrong(`${name}.${member}`, inner, own, path)
    return { message: `${name} has no member "${member}"${suggestion(member, Object.keys(properties))}`, at: path }
  })
}

function firstOf<T>(all: Iterable<T>, find: (each: T) => WrongValue | undefined): WrongValue | undefined {
  for (const each of all) {
    const found = find(each)
    if (found) return found
  }
  return undefined
}

function isOf(value: unknown, type: NonNullable<Vocabulary['type']>): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value) && !Array.isArray(value)
  return typeof value === type
}
