/** Turns the violations of an exchange into problems, one per place and kind. */
import type { Violation } from '../../contract/violations.js'
import { toJson } from '../../json/exact-json.js'
import type { FoundProblem } from '../finding.js'
import type { Call } from './consumer-rule.js'
import { isVariable } from './path-values.js'

/** Problems for the violations that a filter accepts. None for a forced response, as the request was not validated. */
export function violatedPlaces(
  { exchange, isForced, documentedNames }: Call,
  isWanted: (violation: Violation) => boolean,
): FoundProblem[] {
  if (isForced) return []
  const problems = new Map<string, FoundProblem>()
  for (const violation of exchange.violations ?? []) {
    if (!isWanted(violation)) continue
    const { rule: kind, message: own } = violation
    const message = kind === 'unlisted' ? `${own} violations in one request` : own
    const at = generalizePlace(violation.in, violation.at, (name) => !documentedNames.has(name))
    const id = `${at} ${kind}`
    const known = problems.get(id)
    problems.set(id, { at, kind, message: known ? `${known.message}; ${message}` : message })
  }
  return [...problems.values()]
}

/**
 * A place that is the same in every run: without indexes, and with `{}` for names that differ by record.
 * @param differs whether a name in the path differs by record. @default those that look like a key or a time
 */
export function generalizePlace(place: string, at: string, differs: (name: string) => boolean = isVariable): string {
  const names = at.replace(/\[\d+\]/g, '[]').split('.')
  // A key may contain dots, and would otherwise count as several names.
  const general = names
    .map((name) =>
      name !== '' && differs(name.replaceAll('[]', '')) ? `{}${'[]'.repeat(name.split('[]').length - 1)}` : name,
    )
    .filter((name, index, all) => name !== '{}' || all[index - 1] !== '{}')
  return `${place} ${general.join('.')}`.trimEnd()
}

/** Every name and text in a document, such as those of properties and parameters, and each part of those with a dot. */
export function wordsIn(document: object): Set<string> {
  const words = new Set<string>()
  toJson(document, (name, value) => {
    for (const text of [name, value]) if (typeof text === 'string') for (const part of text.split('.')) words.add(part)
    return value
  })
  return words
}
