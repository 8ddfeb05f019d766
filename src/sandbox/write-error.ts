/** Writes error bodies as their documents describe them. Separate, so that bundles of documents without them drop it. */
import type { ErrorBody, ErrorPart, ErrorSource } from '../contract/documented-response.js'
import type { Violation } from '../contract/violations.js'
import { createNamed, ownValue } from '../json/own-value.js'
import { toSeed } from '../json/random.js'
import { getOrInsert } from '../state/get-or-insert.js'

/** What an error body is made of. */
export interface ErrorFacts {
  code: string
  message: string
  status: number
  violations?: readonly Violation[] | undefined
  path?: string
  /** Milliseconds since 1970. */
  now?: number
  /** Whether to leave out what is neither required nor the message. */
  isBrief?: boolean
}

export function writeText(form: NonNullable<ErrorBody['form']>, message: string): string {
  return form === 'text' ? message : `<error><message>${message.replace(/[&<>]/g, toReference)}</message></error>`
}

/** A numeric character reference (XML 1.0, section 4.1). */
function toReference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

export function writeErrorValue({ part, fields = [] }: ErrorBody, facts: ErrorFacts): unknown {
  return part ? write(part, facts) : Object.fromEntries(fields.map((name) => [name, facts[name]]))
}

/** @returns undefined for a part that says nothing */
function write(part: ErrorPart, facts: ErrorFacts): unknown {
  const { violations = [] } = facts
  switch (part.from) {
    case 'constant':
      return part.value
    case 'choice': {
      const [first] = violations
      const rule = violations.every((each) => each.rule === first?.rule) ? first?.rule : undefined
      const unread = !facts.violations && facts.code === 'invalid_request' ? 'unreadable' : undefined
      const keys = [rule, first?.in, unread, facts.code]
      return keys.map((key = '') => ownValue(part.values, key)).find((value) => value !== undefined) ?? part.otherwise
    }
    case 'object':
      return toObject(
        part.members.map(([name, inner, isAside]) => {
          if (facts.isBrief && isAside) return [name, undefined]
          const value = write(inner, facts)
          return [name, value === undefined && !isAside ? blanks[inner.from] : value]
        }),
      )
    case 'steps': {
      const [first] = violations
      const steps = first && [...(part.isPlaced ? [first.in] : []), ...stepsOf(first)]
      return part.isText ? steps?.map(String) : steps
    }
    case 'list':
    case 'map': {
      if (violations.length === 0 && part.isExtra) return undefined
      if (part.from === 'map') return writeMap(part.item, facts, violations)
      const each = violations.length === 0 ? [facts] : violations.map((one) => toEntry(facts, one))
      return each.map((one) => write(part.item, one)).filter((item) => item !== undefined)
    }
    default:
      return sources[part.from](facts, violations[0])
  }
}

function toEntry(facts: ErrorFacts, violation: Violation): ErrorFacts {
  return { ...facts, message: violation.message, violations: [violation] }
}

/** An object by the places of the violations. */
function writeMap(item: ErrorPart, facts: ErrorFacts, violations: readonly Violation[]): unknown {
  const byPlace = new Map<string, Violation[]>()
  for (const each of violations) getOrInsert(byPlace, each.at || each.in, () => []).push(each)
  if (byPlace.size === 0) return toObject([[facts.code, write(item, facts)]])
  const toText = (all: readonly Violation[]) => all.map(({ message }) => message).join('; ')
  return toObject(
    [...byPlace].map(([place, all]) => [place, write(item, { ...facts, message: toText(all), violations: all })]),
  )
}

function toObject(entries: [string, unknown][]): Record<string, unknown> | undefined {
  const object = createNamed<unknown>()
  for (const [name, value] of entries) if (value !== undefined) object[name] = value
  return Object.keys(object).length > 0 || entries.length === 0 ? object : undefined
}

/** What a required place is if there is none. */
const blanks: Partial<Record<ErrorPart['from'], unknown>> = {
  ...{ field: '', pointer: '', fragment: '', parameter: '', steps: [] },
}

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
  field: (_, violation) => violation?.at || violation?.in,
  pointer: (_, violation) => (violation?.in === 'body' ? toPointer(violation) : undefined),
  fragment: (_, violation) => (violation?.in === 'body' ? `#${toPointer(violation)}` : undefined),
  parameter: (_, violation) => (violation?.in === 'body' ? undefined : violation?.at),
  place: (_, violation) => violation?.in,
  keyword: ({ code }, violation) => violation?.rule ?? code,
}

const toWords = (code: string) => `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`

/** RFC 6901. */
function toPointer(violation: Violation): string {
  return stepsOf(violation)
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

function stepsOf({ at }: Violation): (string | number)[] {
  return [...at.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) => (index === undefined ? name : Number(index)))
}
