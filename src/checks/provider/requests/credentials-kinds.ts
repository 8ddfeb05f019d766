/** The keys that a check sends: the valid one, and others that must be refused. */
import type { Operation, RequestContract, SecurityScheme } from '../../../contract/contract.js'
import type { ShellKey } from '../../../media/to-curl.js'

/**
 * The key that is sent: the valid one; none; an unknown or an empty one; the valid one by another scheme, with more
 * characters or without its last one; another key of the same form; or that of another account.
 */
export type CredentialsKind =
  | 'valid'
  | 'none'
  | 'unknown'
  | 'empty'
  | 'other-scheme'
  | 'extended'
  | 'shortened'
  | 'other-name'
  | 'other-account'

/** A key that no provider knows. */
export const unknownKey = 'no-such-key-7f3a9c'
/** Letters without a separator, so that a service whose keys are `<key>-<name>` refuses them after the key. */
const addition = 'qxj'
/** Minimum length of a key to shorten. */
const leastLength = 4

/** The alternatives of an operation, each a list of schemes that are all required. */
export function schemesOf({ security }: Operation, { schemes }: RequestContract): SecurityScheme[][] {
  return security.map((names) => names.flatMap((name) => schemes[name] ?? []))
}

/** The key that is sent; undefined if none of this kind can be made from the key. */
export function keyOfKind(kind: CredentialsKind, key: string): string | undefined {
  if (kind === 'none') return undefined
  if (kind === 'unknown') return unknownKey
  if (kind === 'empty') return ''
  if (kind === 'extended') return key === '' ? undefined : `${key}${addition}`
  if (kind === 'shortened') return key.length >= leastLength && /[\x21-\x7e]$/.test(key) ? key.slice(0, -1) : undefined
  return kind === 'other-name' ? withOtherName(key) : key
}

/**
 * The name of an authentication scheme that is none of these. Undefined if one of them is a key in `Authorization`, because
 * documents do not say whether such a key follows a scheme.
 */
export function otherSchemeOf(schemes: readonly SecurityScheme[]): string | undefined {
  const isPlain = (each: SecurityScheme) =>
    each.kind === 'apiKey' && each.in === 'header' && each.name.toLowerCase() === 'authorization'
  const has = (name: string) => schemes.some((each) => each.kind === 'http' && each.scheme.toLowerCase() === name)
  if (schemes.some(isPlain)) return undefined
  return has('token') ? 'Other' : 'Token'
}

/** The valid keys, and one that was made from the first. */
export function secretsOf(
  kind: CredentialsKind,
  { key, otherKey = '' }: { key: string; otherKey?: string | undefined },
): string[] {
  return [key, otherKey, kind === 'unknown' ? '' : (keyOfKind(kind, key) ?? '')]
}

/** The key in a curl line. @param variable name of the variable that holds the valid key */
export function shellKeyOf(kind: CredentialsKind, key: string, variable: string): ShellKey {
  const made: Partial<Record<CredentialsKind, string>> = {
    extended: `\${${variable}}${addition}`,
    shortened: `\${${variable}%?}`,
    // It begins like the valid key, so it is not shown.
    'other-name': '$OTHER_KEY',
  }
  const { [kind]: written } = made
  return written === undefined ? { value: key, variable } : { value: keyOfKind(kind, key) ?? key, variable, written }
}

/**
 * A key with the same beginning, whose last part is another one of the same form: `sandbox-difdl` for `sandbox-check`.
 * Undefined if the last part has neither letters nor digits.
 */
function withOtherName(key: string): string | undefined {
  const name = /((?<![a-z])[a-z]+|(?<![A-Z])[A-Z]+|(?<!\d)\d+)$/.exec(key)?.[0]
  if (name === undefined) return undefined
  // Every character differs, so that the result is not a longer or shorter form of the key.
  const other = name.replace(/./g, (character) => nextCharacters[characters.indexOf(character)] ?? '')
  return key.slice(0, -name.length) + other
}

const characters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const nextCharacters = 'bcdefghijklmnopqrstuvwxyzaBCDEFGHIJKLMNOPQRSTUVWXYZA1234567890'
