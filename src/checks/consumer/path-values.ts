/** Matches paths with documented ones, without the sandbox's router, so that checks can find the router's mistakes. */
import { decodeText, matchSegment, type PathSegment, parsePathTemplate } from '../../contract/path-template.js'

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
export function isVariable(name: string): boolean {
  return variable.test(name) || /\d{8}|^[\da-f]{16,}$/i.test(name) || /^(?=.*\d\D+\d)[\w~-]{16,}$/.test(name)
}

function decode(segment: string): string {
  return decodeText(segment) ?? segment
}
