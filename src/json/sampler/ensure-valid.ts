/** Makes values valid: keeps those that are. */
import type { ExactValue } from '../exact-value.js'
import { toRounded } from '../rounding.js'
import { makeValid, type ValueToEnsure } from './make-valid.js'

/** @returns the value itself if it is valid, else a new one; undefined if no valid value is found */
export function ensureValid(input: ValueToEnsure): ExactValue | undefined {
  const { value, judge } = input
  const isValid = (each: unknown) => each !== undefined && judge(toRounded(each))
  return isValid(value) ? value : makeValid(input, isValid)
}
