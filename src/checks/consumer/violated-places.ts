/** Turns the violations that an exchange holds into problems, one for each place. */
import type { Violation } from '../../contract/contract.js'
import type { Call, CallProblem } from './consumer-rule.js'

/** Of those that are wanted; none where the answer was forced, as nothing was judged then. */
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

/** The same for each item of a list, so that a finding is one however long the list was. */
export function withoutIndexes(place: string, at: string): string {
  return `${place} ${at.replace(/\[\d+\]/g, '[]')}`.trimEnd()
}
