/** Reads entries of a store, to which others may have written. */
import { SandboxError } from '../../contract/sandbox-error.js'
import { quote, shorten } from '../../contract/violations.js'
import { parseExactJson } from '../../json/exact-json.js'
import { isObject } from '../../json/own-value.js'

/** Whether a value is one that entries of a kind have. Entries of other kinds are left alone. */
export type EntryChecks = Readonly<Record<string, (value: unknown, names: readonly unknown[]) => boolean>>

/**
 * Reads an entry, and uses it.
 * @param use gets the parts of the name and the value, undefined for an entry that is removed
 * @throws SandboxError `STORE_UNAVAILABLE` for an entry that cannot be read or used
 */
export function useEntry<T>(
  name: string,
  text: string | null | undefined,
  checks: EntryChecks,
  use: (names: readonly unknown[], value: unknown) => T,
): T {
  const fail = (why: string) => {
    const message = `The store has an entry that cannot be read, ${quote(shorten(name))}: ${why}`
    return new SandboxError('STORE_UNAVAILABLE', `${message}. Put the right text there, or remove the entry`)
  }
  try {
    const names = parseExactJson(name).exact
    if (!Array.isArray(names)) throw fail('its name is no list')
    const value = text === null || text === undefined ? undefined : parseExactJson(text).exact
    const check = checks[String(names[0])]
    if (value !== undefined && check?.(value, names) === false)
      throw fail(`its value is ${quote(shorten(String(text)))}`)
    return use(names, value)
  } catch (error) {
    if (error instanceof SandboxError && error.code === 'STORE_UNAVAILABLE') throw error
    throw fail((error as Error).message)
  }
}

/** Whether a value is an object whose members pass. */
export function hasMembers(value: unknown, checks: Readonly<Record<string, (member: unknown) => boolean>>): boolean {
  return isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]))
}

export const isText = (value: unknown): boolean => typeof value === 'string'
/** Numbers with many digits are read as objects. */
export const isNumber = (value: unknown): boolean =>
  typeof value !== 'string' && Number.isFinite(Number(value ?? Number.NaN))
