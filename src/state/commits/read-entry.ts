/** Reads entries of a store, to which others may have written. */
import { firstTime, isWritable, lastTime } from '../../contract/parse-time.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { quote, shorten } from '../../contract/violations.js'
import { decodeBytes } from '../../json/base64.js'
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

export function optional(check: Check): Check {
  return (value) => value === undefined || check(value)
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check)
}

function matches(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value)
}

const isClockTime: Check = (value) => typeof value === 'number' && isWritable(value)
const isOffset: Check = (value) => typeof value === 'number' && Math.abs(value) <= lastTime - firstTime

const isStatus: Check = (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) < 600

type Kind =
  | 'answer'
  | 'text'
  | 'nothing'
  | 'hash'
  | 'header'
  | 'base64'
  | 'number'
  | 'count'
  | 'time'
  | 'clockTime'
  | 'clock'

/** What parts of entries may be. A header is a text that may be one; nothing is the part of a name of which there is only one. */
export const is: Readonly<Record<Kind, Check>> = {
  text: /* @__PURE__ */ matches(/^/),
  nothing: /* @__PURE__ */ matches(/^$/),
  hash: /* @__PURE__ */ matches(/^[0-9a-f]{64}$/),
  header: /* @__PURE__ */ matches(/^(?:\P{Cc}|[\t\x80-\x9f])*$/u),
  base64: (value) => typeof value === 'string' && decodeBytes(value) !== undefined,
  // Integers with many digits are bigints.
  number: (value) => typeof value === 'bigint' || Number.isFinite(value),
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  // Within the range of `Date`.
  time: (value) => typeof value === 'number' && Math.abs(value) <= 8.64e15,
  clockTime: isClockTime,
  // Either a success, or one of the refusals that are kept.
  answer: (value) =>
    hasMembers(value, {
      ...{ id: is.text, print: is.text, at: is.time, until: optional(is.time), message: optional(is.text) },
      ...{ mediaType: optional(is.header), body: optional(is.text), base64: optional(is.base64) },
      headers: optional((headers) => isObject(headers) && Object.entries(headers).flat().every(is.header)),
      violations: optional(listOf(isObject)),
      ...{ status: optional(isStatus), refused: optional(matches(/^(not_found|conflict)$/)) },
    }) && ['status', 'refused'].some((name) => !hasMembers(value, { [name]: (own) => own === undefined })),
  clock: (value) => hasMembers(value, { offset: isOffset, frozenAt: optional(isClockTime) }),
}
