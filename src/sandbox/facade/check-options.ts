/** Validates user options. Separate from the engine, so that bundles with the default options can drop it. */
import { SandboxError } from '../../contract/sandbox-error.js'
import { suggestName } from '../../contract/suggest-closest.js'
import { quote } from '../../contract/violations.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { toTime } from '../../state/clock.js'
import type { JournalOptions } from '../../state/journal.js'
import type { CommonOptions } from '../create-engine.js'

/** Returns what a value must be, or undefined if it is valid. May throw its own `SandboxError`. */
export type OptionCheck = (value: unknown) => string | undefined

/** A check for each option, so that a new option cannot be forgotten. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: OptionCheck }

/**
 * Refuses unknown options, which would have no effect, and wrong values. `undefined` is the default of each option.
 * @param place prefix of the names in messages, e.g. `journal.`
 * @throws SandboxError `INVALID_OPTION`
 */
export function checkOptions<Options>(options: unknown, checks: OptionChecks<Options>, place = ''): void {
  if (!isObject(options)) throw invalid(`Options must be an object (got ${show(options)})`)
  for (const [name, value] of Object.entries(options)) {
    const check = ownValue(checks as Record<string, OptionCheck>, name)
    if (!check) throw unknownOption(name, Object.keys(checks), place)
    const must = value === undefined ? undefined : check(value)
    if (must !== undefined) throw invalid(`${place}${name} must be ${must} (got ${show(value)})`)
  }
}

function unknownOption(name: string, known: readonly string[], place: string): SandboxError {
  const close = suggestName(name, known)
  const hint = close === undefined ? '' : ` did you mean "${place}${close}"?`
  return invalid(`Unknown option "${place}${name}";${hint} available: ${known.join(', ')}`)
}

export const anything: OptionCheck = () => undefined
export const aFunction: OptionCheck = (value) => (typeof value === 'function' ? undefined : 'a function')
export const aString: OptionCheck = (value) => (typeof value === 'string' ? undefined : 'a string')
export const aBoolean: OptionCheck = (value) => (typeof value === 'boolean' ? undefined : 'true or false')
export const oneOf =
  (values: readonly string[]): OptionCheck =>
  (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : values.join(', ').replace(/, (?=[^,]*$)/, ' or ')
const aLimit: OptionCheck = (value) => (typeof value === 'number' && value >= 0 ? undefined : '0 or more')

/** An object with these functions. @param words describes the object in messages */
export function anObjectWith(words: string, ...names: readonly string[]): OptionCheck {
  return (value) => (isObject(value) && names.every((name) => typeof value[name] === 'function') ? undefined : words)
}

export const aSandbox: OptionCheck = /* @__PURE__ */ anObjectWith(
  'what createSandbox() returns',
  'fetch',
  'handle',
  'world',
)

/** Names of data, or records by collection, which are validated when they are used. */
export const aScenario: OptionCheck = (value) =>
  typeof value === 'string' || isObject(value) ? undefined : 'the name of a scenario, or records by collection'

const journalChecks: OptionChecks<JournalOptions> = { maxExchanges: aLimit, maxBytes: aLimit }

/** The checks of the options that all entries share. */
export const commonChecks: OptionChecks<CommonOptions> = {
  apiKeys(value) {
    if (!Array.isArray(value)) return 'a list of API keys'
    const wrong = value.findIndex((key) => typeof key !== 'string' || !sendable.test(key))
    if (wrong === -1 && value.length > 0) return undefined
    const found = wrong === -1 ? 'none' : show(value[wrong])
    throw invalid(`API keys must be one or more strings of visible ASCII without spaces (got ${found})`)
  },
  cors: aBoolean,
  maxBodyBytes: (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= mostBodyBytes
      ? undefined
      : `a whole number of bytes, at most ${mostBodyBytes}`,
  at(value) {
    try {
      toTime(value as number)
      return undefined
    } catch (error) {
      throw invalid(`Failed to set the clock: ${(error as Error).message}`)
    }
  },
  now: aFunction,
  maxWorlds: aLimit,
  journal(value) {
    checkOptions<JournalOptions>(value, journalChecks, 'journal.')
    return undefined
  },
  onUnexpectedError: aFunction,
}

/** The checks of the options about callbacks and webhooks. */
export const webhookChecks: OptionChecks<{ fetch?: unknown; webhookUrl?: unknown; webhookSecret?: unknown }> = {
  fetch: aFunction,
  webhookUrl: (value) =>
    typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
      ? undefined
      : 'a URL with http or https',
  webhookSecret: aString,
}

export const overrideChecks: OptionChecks<{ overrides?: unknown; overrideTimeoutMs?: unknown }> = {
  overrides: (value) =>
    [value].flat().every((each) => isObject(each))
      ? undefined
      : 'functions by the name of their operation, or a list of such objects',
  overrideTimeoutMs: (value) =>
    Number.isFinite(value) && Number(value) > 0 ? undefined : 'a number of milliseconds, more than 0',
}

/** Visible ASCII: keys are sent in headers. */
const sendable = /^[\x21-\x7e]+$/

/** Higher limits could exhaust memory: a list of empty objects takes about 50 times the size of its text. */
const mostBodyBytes = 64 * 1024 * 1024

/** Refuses options next to an existing sandbox: it keeps its own options, so these would have no effect. */
export function checkNoOptionsBeside(sandbox: unknown, options: object): void {
  const [name] = Object.entries(options).flatMap(([each, value]) => (value === undefined ? [] : [each]))
  if (sandbox === undefined || name === undefined) return
  throw invalid(`Give either a sandbox or options for a new one, not both (got ${name})`)
}

function show(value: unknown): string {
  // JSON has no NaN.
  if (typeof value === 'number') return String(value)
  return typeof value === 'function' ? 'a function' : quote(value)
}

function invalid(message: string): SandboxError {
  return new SandboxError('INVALID_OPTION', message)
}
