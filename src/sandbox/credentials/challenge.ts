/** The challenge of a 401: which credentials an operation requires (RFC 9110, section 11.6.1). */
import type { Operation, RequestContract, SecurityScheme } from '../../contract/contract.js'
import { writeScheme } from '../../contract/credentials.js'
import { ownValue } from '../../json/own-value.js'

/** The alternatives of an operation, each a list of schemes that are all required. */
export function alternativesOf({ schemes }: RequestContract, { security }: Operation): SecurityScheme[][] {
  return security.map((names) => names.flatMap((name) => ownValue(schemes, name) ?? []))
}

/** The scheme that a refusal names: the first one. */
export function firstScheme(alternatives: readonly SecurityScheme[][]): SecurityScheme {
  return alternatives[0]?.[0] ?? { kind: 'bearer' }
}

/** The value of `WWW-Authenticate`. */
export function challengeOf({ title }: RequestContract, scheme: SecurityScheme): string {
  const realm = title.replace(/["\\]|[^\x20-\x7e]/g, '')
  return `${writeScheme(scheme)} realm="${realm}"`
}
