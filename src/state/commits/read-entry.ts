/** Reads entries of a store, to which others may have written. */
import { firstTime, isWritable, lastTime } from '../../contract/parse-time.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { quote, shorten } from '../../contract/violations.js'
import { parseExactJson } from '../../json/exact-json.js'
import { isObject, ownValue } from '../../json/own-value.js'

export type Check = (value: unknown) => boolean

/** By kind, what the parts of the name after it are, and the value. Other kinds are left alone: a newer version may know them. */
export type EntryChecks = Readonly<
  Record<string, [parts: readonly Check[], check: (value: unknown, names: readonly unknown[]) => boolean]>
>

/**
 * @param use gets the parts of the name, and the value; undefined for an entry that is removed
 * @throws SandboxError `STORE_UNAVAILABLE` for an entry that cannot be read or used
 */
export function useEntry<T>(
  name: string,
  text: string | null | undefined,
  checks: EntryChecks,
  use: (names: readonly unknown[], value: unknown) => T,
): T {
  try {
    const names = parseExactJson(name).exact
    if (!Array.isArray(names)) throw new Error('its name is no list')
    const value = typeof text === 'string' ? parseExactJson(text).exact : undefined
    const [parts, check] = ownValue(checks, String(names[0])) ?? []
    // Another spelling would be another entry for the same thing.
    const isKnown = parts?.length === names.length - 1 && parts.every((each, at) => each(names[at + 1]))
    if (parts && !(isKnown && JSON.stringify(names) === name)) throw new Error('its name has another form')
    if (value !== undefined && check?.(value, names) === false)
      throw new Error(`its value is ${quote(shorten(text ?? ''))}`)
    return use(names, value)
  } catch (error) {
    const why = `${quote(shorten(name))}: ${(error as Error).message}`
    const message = `The store has an entry that cannot be read, ${why}. Put the right text there, or remove the entry`
    throw new SandboxError('STORE_UNAVAILABLE', message)
  }
}

/** Whether a value is an object whose members pass. */
export function hasMembers(value: unknown, checks: Readonly<Record<string, Check>>): boolean {
  return isObject(value) && Object.entries(checks).every(([name, check]) => check(ownValue(value, name)))
}

export const isText: Check = (value) => typeof value === 'string'
/** The part of a name of which there is only one. */
export const isNone: Check = (value) => value === ''
export const isHash: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
/** Integers with many digits are bigints. */
export const isNumber: Check = (value) => typeof value === 'bigint' || Number.isFinite(value)
export const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
/** Within the range of `Date`. */
export const isTime: Check = (value) => typeof value === 'number' && Math.abs(value) <= 8.64e15
export const isTimeOfClock: Check = (value) => typeof value === 'number' && isWritable(value)
export const isClock: Check = (value) =>
  hasMembers(value, {
    offset: (offset) => typeof offset === 'number' && Math.abs(offset) <= lastTime - firstTime,
    frozenAt: optional(isTimeOfClock),
  })

export function optional(check: Check): Check {
  return (value) => value === undefined || check(value)
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check)
}
