/** Turns the violations of an exchange into problems, one per place. */
import type { Violation } from '../../contract/contract.js'
import type { Call, CallProblem } from './consumer-rule.js'

/** Problems for the violations that a filter accepts. None for a forced response, as the request was not validated. */
export function violatedPlaces(
  { exchange, isForced }: Call,
  isWanted: (violation: Violation) => boolean,
): CallProblem[] {
  if (isForced) return []
  const messages = new Map<string, string[]>()
  for (const violation of exchange.violations ?? []) {
    if (!isWanted(violation)) continue
    const at = withoutIndexes(violation.in, violation.at)
    messages.set(at, [...(messages.get(at) ?? []), violation.message])
  }
  return [...messages].map(([at, words]) => ({ at, message: words.join('; ') }))
}

/** A place without indexes, so that all items of a list are one finding. */
export function withoutIndexes(place: string, at: string): string {
  return `${place} ${at.replace(/\[\d+\]/g, '[]')}`.trimEnd()
}
