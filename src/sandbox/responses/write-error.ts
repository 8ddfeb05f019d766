/** Writes error bodies as their documents describe them. */
import type { ErrorBody, ErrorPart, ErrorSource } from '../../contract/documented-response.js'
import type { Violation } from '../../contract/violations.js'
import { toJsonPointer } from '../../json/json-pointer.js'
import { createNamed, ownValue } from '../../json/own-value.js'
import { toSeed } from '../../json/random.js'
import { escapeXml } from '../../media/write-xml.js'

/** What an error body is made of. */
export interface ErrorFacts {
  code: string
  message: string
  status: number
  violations?: readonly Violation[] | undefined
  path?: string
  /** Milliseconds since 1970. */
  now?: number
  /** Brief: only the message and required parts. Full: also writes lists when there are no violations. */
  extent?: 'brief' | 'full' | undefined
}

export function writeText(form: NonNullable<ErrorBody['form']>, message: string): string {
  return form === 'text' ? message : `<error><message>${escapeXml(message)}</message></error>`
}

export function writeErrorValue({ part, fields = [] }: ErrorBody, facts: ErrorFacts): unknown {
  return part ? write(part, facts) : Object.fromEntries(fields.map((name) => [name, facts[name]]))
}

/** @returns undefined for a part without a value */
function write(part: ErrorPart, facts: ErrorFacts): unknown {
  const { code, extent, violations = [] } = facts
  const [first] = violations
  switch (part.from) {
    case 'constant':
      return part.value
    case 'choice':
      return choose(part.values, facts) ?? part.otherwise ?? (part.source && sources[part.source](facts, first))
    case 'branch': {
      const chosen = part.parts[choose(part.values, facts) ?? 0]
      return chosen && write(chosen, facts)
    }
    case 'object':
      return toObject(
        part.members.map(([name, inner, isAside]) => {
          const value = extent === 'brief' && isAside ? undefined : write(inner, facts)
          return [name, value === undefined && !isAside ? blanks[inner.from] : value]
        }),
      )
    case 'steps': {
      const steps = first && [...(part.isPlaced ? [first.in] : []), ...stepsOf(first)]
      return part.isText ? steps?.map(String) : steps
    }
    case 'list':
    case 'map': {
      if (!first && part.isExtra && extent !== 'full') return undefined
      const groups = part.from === 'list' ? violations.map((each) => [each]) : groupByPlace(violations)
      const entries = groups.map((all): ErrorFacts => {
        return { ...facts, message: all.map(({ message }) => message).join('; '), violations: all }
      })
      const written = (first ? entries : [facts]).map((entry): [string, unknown] => {
        return [placeOf(entry.violations?.[0]) ?? code, write(part.item, entry)]
      })
      if (part.from === 'map') return toObject(written)
      return written.flatMap(([, item]) => (item === undefined ? [] : [item]))
    }
    default:
      return sources[part.from](facts, first)
  }
}

function choose<Value>(values: Record<string, Value>, { code, status, violations }: ErrorFacts): Value | undefined {
  const first = violations?.[0]
  const rule = violations?.every((each) => each.rule === first?.rule) ? first?.rule : undefined
  const unread = !violations && code === 'invalid_request' ? 'unreadable' : undefined
  const chosen = [rule, first?.in, unread, String(status), code].map((key = '') => ownValue(values, key))
  return chosen.find((value) => value !== undefined)
}

function placeOf(violation: Violation | undefined): string | undefined {
  return violation?.at || violation?.in
}

function groupByPlace(violations: readonly Violation[]): Violation[][] {
  const places = new Set(violations.map(placeOf))
  return [...places].map((place) => violations.filter((each) => placeOf(each) === place))
}

/** @returns undefined if no member has a value */
function toObject(members: [string, unknown][]): Record<string, unknown> | undefined {
  const said = members.filter(([, value]) => value !== undefined)
  return said.length > 0 || members.length === 0
    ? Object.assign(createNamed<unknown>(), Object.fromEntries(said))
    : undefined
}

/** Values of required places for errors without a place. */
const blanks: Record<string, unknown> = { field: '', pointer: '', fragment: '', parameter: '', steps: [] }

/** Reason phrases (RFC 9110, section 15), which are the titles of problems of the type `about:blank` (RFC 9457). */
const phrases: Record<number, string> = {
  ...{ 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed' },
  ...{ 406: 'Not Acceptable', 409: 'Conflict', 410: 'Gone', 412: 'Precondition Failed', 413: 'Content Too Large' },
  ...{ 415: 'Unsupported Media Type', 422: 'Unprocessable Content', 428: 'Precondition Required' },
  ...{ 429: 'Too Many Requests', 500: 'Internal Server Error', 501: 'Not Implemented', 503: 'Service Unavailable' },
}

/** What each source gives for a refusal, and for its first violation. */
const sources: Record<ErrorSource, (facts: ErrorFacts, violation: Violation | undefined) => unknown> = {
  code: ({ code }) => code,
  message: ({ message }) => message,
  status: ({ status }) => status,
  title: ({ code }) => toWords(code),
  phrase: ({ code, status }) => phrases[status] ?? toWords(code),
  statusText: ({ status }) => String(status),
  id: ({ code, message, path }) => toSeed(`${code} ${message} ${path}`).toString(16).padStart(8, '0'),
  count: ({ violations }) => violations?.length || 1,
  path: ({ path }) => path,
  time: ({ now = 0 }) => new Date(now).toISOString(),
  milliseconds: ({ now }) => now,
  field: (_, violation) => placeOf(violation),
  pointer: (_, violation) => (violation?.in === 'body' ? toJsonPointer(stepsOf(violation)) : undefined),
  fragment: (_, violation) => (violation?.in === 'body' ? `#${toJsonPointer(stepsOf(violation))}` : undefined),
  parameter: (_, violation) => (violation?.in === 'body' ? undefined : violation?.at),
  place: (_, violation) => violation?.in,
  keyword: ({ code }, violation) => violation?.rule ?? code,
}

const toWords = (code: string) => `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`

function stepsOf({ at, path }: Violation): (string | number)[] {
  if (path) return path.map((name) => (/^\d+$/.test(name) ? Number(name) : name))
  return [...at.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) => (index === undefined ? name : Number(index)))
}
