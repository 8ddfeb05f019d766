/** Compares JSON values (RFC 6902, section 4.6): objects by their members in any order, numbers by their value. */
import type { ExactValue } from './exact-value.js'

/** @example isSameJson({ a: 1, b: [2n] }, { b: [2], a: 1 }) // true */
export function isSameJson(one: ExactValue, other: ExactValue): boolean {
  if (one === other) return true
  if (typeof one === 'bigint') return isSameInteger(one, other)
  if (typeof other === 'bigint') return isSameInteger(other, one)
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(member(one, name), member(other, name)))
  )
}

function isSameInteger(integer: bigint, other: ExactValue): boolean {
  return typeof other === 'number' && Number.isInteger(other) && BigInt(other) === integer
}

function member(object: object, name: string): ExactValue {
  return (object as Record<string, ExactValue>)[name]
}

/** The same text for values that `isSameJson` accepts, and for no others, so that long lists are compared as sets. */
export function toComparable(value: ExactValue): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (Array.isArray(value)) return `[${value.map(toComparable).join()}]`
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${toComparable(member(value, name))}`).join()}}`
}
