/** Reads entries of a store, to which others may have written. */
import { SandboxError } from '../../contract/sandbox-error.js'
import { quote, shorten } from '../../contract/violations.js'
import { parseExactJson } from '../../json/exact-json.js'
import { isObject } from '../../json/own-value.js'

/** By kind, whether a value is one of its entries. Other kinds are left alone: a newer version may know them. */
export type EntryChecks = Readonly<Record<string, (value: unknown, names: readonly unknown[]) => boolean>>

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
    if (value !== undefined && checks[String(names[0])]?.(value, names) === false)
      throw new Error(`its value is ${quote(shorten(text ?? ''))}`)
    return use(names, value)
  } catch (error) {
    const why = `${quote(shorten(name))}: ${(error as Error).message}`
    const message = `The store has an entry that cannot be read, ${why}. Put the right text there, or remove the entry`
    throw new SandboxError('STORE_UNAVAILABLE', message)
  }
}

/** Whether a value is an object whose members pass. */
export function hasMembers(value: unknown, checks: Readonly<Record<string, (member: unknown) => boolean>>): boolean {
  return isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]))
}

export const isText = (value: unknown): boolean => typeof value === 'string'
/** Numbers with many digits are read as objects. */
export const isNumber = (value: unknown): boolean => !isText(value) && Number.isFinite(Number(value ?? Number.NaN))
