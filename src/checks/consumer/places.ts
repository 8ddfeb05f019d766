/**
 * Matches paths with documented ones, without the sandbox's router, so that checks can find the router's mistakes, and names places
 * in requests in a way that is the same in every run.
 */
import { decodeText, matchSegment, type PathSegment, parsePathTemplate } from '../../contract/path-template.js'
import type { Violation } from '../../contract/violations.js'
import { toJson } from '../../json/exact-json.js'
import type { FoundProblem } from '../finding.js'
import type { Call } from './consumer-rule.js'

/** Decoded values of path parameters by name. Invalid percent-encoding stays as it is. */
export function pathValues(documented: string, path: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const { segment, text } of pairSegments(documented, path)) {
    const matched = segment.names.length === 0 ? [] : (matchSegment(segment, text) ?? [])
    for (const [index, value] of matched.entries()) values[segment.names[index] ?? ''] = value ?? text
  }
  return values
}

/** Whether a path matches a documented one. */
export function fitsPath(documented: string, path: string): boolean {
  const pairs = pairSegments(documented, path)
  const fits = ({ segment, text }: SegmentPair) =>
    segment.names.length === 0
      ? decode(text) === decode(segment.texts[0] ?? '')
      : matchSegment(segment, text) !== undefined
  return pairs.length === path.split('/').length - 1 && pairs.every(fits)
}

interface SegmentPair {
  segment: PathSegment
  text: string
}

/** The documented segments with the texts at their places; empty if there are more documented ones. */
function pairSegments(documented: string, path: string): SegmentPair[] {
  const texts = path.split('/').slice(1)
  const { segments } = parsePathTemplate(documented)
  return segments.length > texts.length ? [] : segments.map((segment, index) => ({ segment, text: texts[index] ?? '' }))
}

/** Replaces segments with a key or a time by `{}`, because they differ from run to run. */
export function generalizePath(path: string): string {
  return path
    .split('/')
    .map((segment) => (isVariable(decode(segment)) ? '{}' : segment))
    .join('/')
}

/** Numbers, UUIDs, dates and times. */
const variable =
  /^(-?\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d(-\d\d)?([T_ ].*)?|\d\d?[.-]\d\d?[.-]\d{4})$/i

/** Whether a name looks like a key or a time. Includes long hexadecimal and random names. */
function isVariable(name: string): boolean {
  return variable.test(name) || /\d{8}|^[\da-f]{16,}$/i.test(name) || /^(?=.*\d\D+\d)[\w~-]{16,}$/.test(name)
}

function decode(segment: string): string {
  return decodeText(segment) ?? segment
}

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
