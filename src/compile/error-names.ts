/** What names, descriptions and examples say of the properties of error bodies. */
import type { ErrorSource } from '../contract/documented-response.js'
import type { SchemaObject } from './document.js'
import { singular, wordsOf } from './resources/words.js'

/** Further words of documented values for the reasons of `refusal-status.ts`, which also fit by their own words. */
const reasonWords: Record<string, string> = {
  invalid_request:
    'validation bad malformed parameters param arguments input unprocessable entity format schema fields values missing incorrect query body payload',
  incomplete_body: 'invalid bad request malformed',
  unsupported_media_type: 'mediatype content invalid bad request',
  payload_too_large: 'body entity size limit exceeded request',
  malformed_path: 'invalid bad request parameters arguments input',
  not_found: 'missing unknown nonexistent exist resource no such',
  conflict: 'exists already duplicated taken unique invalid request',
  removed: 'gone deleted deprecated expired',
  unauthorized: 'unauthorised unauthenticated authentication authorization auth credentials token denied access key',
  not_described: 'implemented unimplemented unsupported',
  unavailable: 'service overloaded maintenance temporarily server',
  internal_error: 'server unexpected unknown exception api',
  rate_limited: 'limit quota throttled throttling many requests exceeded',
  precondition_failed: 'modified version stale',
  ...{ not_acceptable: '', method_not_allowed: '', not_made: '', precondition_required: '', key_reused: 'idempotency' },
}

/** Words that values for every reason may have. */
const commonWords = new Set(
  'error errors err fail failed failure exception e not is code the a of or fault ko nok'.split(' '),
)

/** Chooses from the values of an enum for each reason: those whose words fit best. */
export function chooseByReason(values: readonly unknown[]): Record<string, unknown> {
  const chosen = Object.entries(reasonWords).flatMap(([reason, text]): [string, unknown][] => {
    const fitting = new Set(`${reason.replaceAll('_', ' ')} ${text}`.split(' ').map(singular))
    const scored = values.map((value) => ({ value, score: scoreOf(value, reason, fitting) }))
    const best = scored.reduce((one, other) => (other.score > one.score ? other : one), { value: undefined, score: 0 })
    return best.score > 0 ? [[reason, best.value]] : []
  })
  return Object.fromEntries(chosen)
}

function scoreOf(value: unknown, reason: string, fitting: ReadonlySet<string>): number {
  const words = wordsOf(String(value))
  if (typeof value !== 'string' || words.join('_') === reason) return typeof value === 'string' ? 10 : 0
  const telling = words.filter((word) => !commonWords.has(word))
  if (telling.length === 0) return words.some((word) => /^(err|fail|fault|exc)/.test(word)) ? 0.1 : 0
  const hits = telling.filter((word) => fitting.has(singular(word))).length
  return hits - 0.7 * (telling.length - hits)
}

/** How surely a text is for people: from 4 for a message to 1 for a code. 0 if it is for something else. */
export type Strength = 0 | 1 | 2 | 3 | 4

const endsWith = (words: string) => new RegExp(`\\b(${words})$`)
const isMessage = endsWith('messages?|msgs?|details?|description|desc|explanation')
const isSummary = endsWith(
  'title|summary|reasons?|errors?|text|cause|info|information|issues?|problems?|faults?|violations?|warnings?|exceptions?|diagnostics?|hint',
)
const isCode = endsWith('codes?|type|kind|status|state|name|category')
const isOther = endsWith(
  'ids?|uuid|guid|url|uri|links?|href|path|pointer|fields?|propert(y|ies)|param(eter)?s?|locations?|loc|source|target|attributes?|keys?|time|timestamp|date|at|trace|stack|version|host|method|locale|language|lang|token|instance|documentation|docs?|help|support|service|server|value|index|line|tags?|scopes?|schema|rel|operation|resource|region|currency|hash|signature|nonce|domain|severity|level|number|query|next|previous',
)
const isForPeople =
  /\b(human|readable|explanation|explains?|messages?|what went wrong|describ(es|ing)|reason|details of)\b/i

/** @param shown a documented example, if there is one */
export function strengthOf(name: string | undefined, keywords: SchemaObject, shown: unknown): Strength {
  const { format, pattern, maxLength, description } = keywords
  if (pattern !== undefined || (maxLength !== undefined && Number(maxLength) < 20)) return 0
  if (format !== undefined && !/^(string|text|markdown|html|nullable|normal)$/i.test(String(format))) return 0
  // An item of a list without a name is what the list is for.
  if (name === undefined) return 3
  const words = wordsOf(name).join(' ')
  if (typeof shown === 'string' && /^\w+:\/\//.test(shown)) return 0
  if (isMessage.test(words)) return 4
  if (typeof shown === 'string' && /\S \S+ \S/.test(shown) && !isOther.test(words)) return 4
  if (isSummary.test(words)) return 3
  if (isOther.test(words)) return 0
  if (isForPeople.test(String(description ?? '')) && !isCode.test(words)) return 3
  return isCode.test(words) ? 1 : 2
}

/** Whether a list, a map or an object is of errors, and not of what they are about. */
export function isOfErrors(name: string | undefined): boolean {
  return (
    name === undefined ||
    /\b(err|errors?|messages?|details?|issues?|problems?|faults?|violations?|exceptions?|failures?|reasons?|causes?|warnings?)\b/.test(
      wordsOf(name).join(' '),
    )
  )
}

export function isAside(name: string): boolean {
  return /\b(links?|meta|metadata|help|docs?|documentation|debug|request|context|extensions?|inner|stack|trace|data|parameters?|args?)\b/.test(
    wordsOf(name).join(' '),
  )
}

/** The places of a violation, which only entries of lists and the error itself have. In this order. */
const places: readonly (readonly [RegExp, ErrorSource])[] = [
  [endsWith('pointer'), 'pointer'],
  [
    endsWith(
      '(json )?path|field( name| path)?|propert(y|ies)( name| path)?|attribute|param( name)?|parameter( name)?|argument|target|source|loc|key|data path',
    ),
    'field',
  ],
  [endsWith('keyword|rule|constraint|validator|validation'), 'keyword'],
  [endsWith('location( type)?|in|place'), 'place'],
]

/** @param isEntry whether it is of one violation, where a name and a code are those of the violation */
export function sourceOf(name: string, isEntry: boolean, shown: unknown): ErrorSource | undefined {
  const words = wordsOf(name).join(' ')
  const found = places.find(([pattern]) => pattern.test(words))?.[1]
  if (found === 'pointer' || found === 'field') {
    if (!isEntry && /^(path|source|target|key)$/.test(words)) return undefined
    const text = String(shown)
    return text.startsWith('#') ? 'fragment' : text.startsWith('/') ? 'pointer' : found
  }
  if (found) return isEntry || found === 'keyword' ? found : undefined
  return isEntry && words === 'name' ? 'field' : isEntry && isCode.test(words) ? 'keyword' : undefined
}

/** Whether a property has the status of the response. */
export function isStatus(name: string): boolean {
  return /^((http )?(status|code)|(http |response )?status ?code|http ?(status|code|status ?code)|status|error ?code|type)$/.test(
    wordsOf(name).join(' '),
  )
}

const isCodeBeside = endsWith('reasons?|errors?|cause|issues?|problems?|exceptions?')

/** What a text is whose name says less than that of the message beside it. */
export function besideMessage(name: string): ErrorSource | undefined {
  const words = wordsOf(name).join(' ')
  if (isCodeBeside.test(words) || isCode.test(words)) return 'code'
  return /\b(title|summary)$/.test(words) ? 'title' : undefined
}

export const isTimeName: (name: string) => boolean = (name) => /\b(time|timestamp|date)$/.test(wordsOf(name).join(' '))
