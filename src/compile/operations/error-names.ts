/** Infers the meaning of error body properties from names, descriptions and examples. */
import type { ErrorSource } from '../../contract/documented-response.js'
import type { SchemaObject } from '../../document/document.js'
import { singular, wordsOf } from '../../lexicon/words.js'

/**
 * Words in documented values for each reason of a refusal, in addition to the words of the reason itself, and for each
 * keyword of a violation. Best first. Words after the bar are weaker.
 */
const reasonWords: Record<string, string> = {
  invalid_request:
    'validation bad malformed parameters param arguments input unprocessable entity schema incorrect query body payload | field value format data',
  // An `invalid_request` without violations means that the body cannot be read.
  unreadable: 'parse parser parsing syntax json malformed decode deserialize body bad request | invalid',
  incomplete_body: 'invalid bad request malformed',
  unsupported_media_type: 'mediatype content invalid bad request',
  payload_too_large: 'body entity size limit exceeded request',
  not_found: 'notfound missing unknown nonexistent exist resource record no such | id',
  conflict: 'exists already duplicate taken unique | invalid request',
  removed: 'gone deleted deprecated expired',
  unauthorized: 'unauthenticated authentication authorization auth credentials token denied access key',
  not_described: 'implemented unimplemented unsupported',
  unavailable: 'service overloaded maintenance temporarily server',
  internal_error: 'server unexpected unknown exception api',
  rate_limited: 'limit quota throttled throttling many requests exceeded',
  precondition_failed: 'modified version stale',
  ...{ not_acceptable: '', method_not_allowed: '', not_made: '', precondition_required: '', key_reused: 'idempotency' },
}
const ruleWords: Record<string, string> = {
  'required,dependentRequired': 'missing mandatory blank empty absent null presence',
  type: 'datatype cast mismatch',
  'enum,const': 'allowed permitted option choice inclusion listed unknown unsupported',
  'format,pattern': 'regex syntax malformed string mismatch',
  'minLength,minItems,minProperties': 'short few small min minimum length size range',
  'maxLength,maxItems,maxProperties': 'long many large big max maximum length size range exceeded',
  'minimum,exclusiveMinimum,multipleOf': 'range low small less min minimum bound',
  'maximum,exclusiveMaximum': 'range high large big greater max maximum bound exceeded',
  'uniqueItems,repeated': 'unique duplicate repeated',
  'oneOf,anyOf,not,unlisted,patch': 'match',
  'additionalProperties,unevaluatedProperties,false schema': 'unknown unexpected unrecognized extra allowed forbidden',
}
/** Words that fit any violation. */
const anyRule =
  'invalid bad wrong incorrect illegal value field property parameter param argument input validation string text number array list item'
const placeWords = { body: 'payload json form', query: 'params', path: 'url uri route', header: '', cookie: '' }

/** The common part of word forms such as "duplicated" and "duplication". */
const stemOf = (word: string) => singular(word).slice(0, 6)

type Weights = [key: string, weights: ReadonlyMap<string, number>][]

function toWeights(words: Record<string, string>, others = ''): Weights {
  return Object.entries(words).flatMap(([keys, text]) => {
    const [strong = '', weak = others] = `${keys.replace(/[_,]/g, ' ')} ${text}`.split(' | ')
    const weigh = (all: string, weight: (index: number) => number) =>
      all.split(' ').map((word, index): [string, number] => [stemOf(word), weight(index)])
    const weights = [...weigh(weak, () => 0.3), ...weigh(strong, (index) => 1 - index / 100).toReversed()]
    return keys.split(',').map((key): Weights[number] => [key, new Map(weights)])
  })
}

const [reasons, rules, inPlaces] = [toWeights(reasonWords), toWeights(ruleWords, anyRule), toWeights(placeWords)]
const vocabulary = new Set([...reasons, ...rules].flatMap(([, weights]) => [...weights.keys()]))

/** Words that values for any reason may contain. */
const commonWords = new Set(
  'error errors err fail failed failure exception e not is code the a of or fault ko nok too out in must be'.split(' '),
)
const isOfSuccess = /^(ok|okay|success(ful(ly)?)?|succeeded|passed|done|completed?|accepted|approved|valid|none)$/
/** Topics that few refusals are about. */
const isOfThing = /^(ids?|uuid|e?mail|phone|password|url|date|currency|amount|address|token|cursor)$/
const isOfAny = /^(err|fail|fault|exc|ko$|nok$|other$|custom$|generic$|general$|unspecified$)/

/** Whether a key of chosen values is a reason of a refusal, not a keyword or a place. */
export const isReason = (key: string): boolean => key !== 'unreadable' && reasons.some(([reason]) => reason === key)

/** Whether a documented value fits any error. */
export function isOfAnyError(value: unknown): boolean {
  const words = typeof value === 'string' ? wordsOf(lastOf(value)) : []
  const isNeutral = (word: string) =>
    isOfAny.test(word) || commonWords.has(word) || /^(list|response|object)$/.test(word)
  return words.some((word) => isOfAny.test(word)) && words.every(isNeutral)
}

/** Whether a documented value is the status of an error. */
export const isStatus = (value: unknown): boolean => /^[45]\d\d$/.test(String(value))

/** The stems of words that errors in general are not about: `seat` of `seat_taken` */
export function thingsIn(text: string): string[] {
  const stems = wordsOf(lastOf(text)).filter(isTelling).map(stemOf)
  return stems.filter((stem) => !vocabulary.has(stem))
}

/** Whether a documented value only reports success. */
export function isSuccess(value: unknown): boolean {
  return typeof value === 'string' && wordsOf(value).every((word) => isOfSuccess.test(word))
}

/**
 * Chooses the values of an enum with the best matching words: for each reason, and for each keyword with a better match. For
 * an enum of places, chooses one for each place.
 * @param texts the documented description of each value
 * @param isEntry whether the property describes one violation
 */
export function chooseByReason(
  values: readonly unknown[],
  texts: readonly string[],
  isEntry: boolean,
): Record<string, unknown> {
  const candidates = values.slice(0, 500).flatMap((value, index) => {
    const all = wordsOf(lastOf(String(value))).slice(0, 500)
    const described = wordsOf(texts[index] ?? '')
      .filter(isTelling)
      .slice(0, 500)
    const own = all.filter(isTelling)
    const isOpaque = described.length > 0 && !own.some((word) => vocabulary.has(stemOf(word)))
    return isSuccess(value) ? [] : [{ value, all, words: isOpaque ? described : own, isOpaque }]
  })
  const best = (table: Weights, least: number) =>
    table.flatMap(([key, weights]) => {
      const scored = candidates.map((each) => ({ key, value: each.value, score: scoreOf(each, key, weights) }))
      const fitting = scored.filter(({ score }) => score > least)
      return fitting.toSorted((one, other) => other.score - one.score)[0] ?? []
    })
  const places = best(inPlaces, 0.9)
  const byReason = best(reasons, 0)
  // For the whole error the reason is more important, unless a value fits the keyword better.
  const least = isEntry ? 0 : Math.max(byReason.find(({ key }) => key === 'invalid_request')?.score ?? 0, 0.5)
  const byStatus = candidates.flatMap(({ value }) => (isStatus(value) ? [{ key: String(value), value }] : []))
  const chosen = places.length > 1 ? places : [...byReason, ...byStatus, ...best(rules, least)]
  return Object.fromEntries(chosen.map(({ key, value }) => [key, value]))
}

/** The last segment of a URL or URN: only that differs by reason. */
const lastOf = (value: string) =>
  /^(\w+:\/\/|urn:)/.test(value) ? (/(?<![^/:#])([^/:#]+?)(\.html?)?\/?$/.exec(value)?.[1] ?? '') : value

const isTelling = (word: string) => !commonWords.has(word) && !/\d/.test(word)

function scoreOf(
  { all, words, isOpaque }: { all: string[]; words: string[]; isOpaque: boolean },
  key: string,
  weights: ReadonlyMap<string, number>,
): number {
  if (all.join('_') === key) return 10
  if (words.every((word) => isOfAny.test(word))) return all.some((word) => isOfAny.test(word)) ? 0.1 : 0
  const miss = (word: string) => (isOpaque ? 0 : isOfThing.test(word) ? -1.2 : -0.7)
  const sum = words.reduce((before, word) => before + (weights.get(stemOf(word)) ?? miss(word)), 0)
  return isOpaque ? sum / words.length : sum
}

/** How likely a text is meant for people: from 4 for a message to 1 for a code. 0 for other texts. */
export type Strength = 0 | 1 | 2 | 3 | 4

const endsWith = (words: string) => new RegExp(`\\b(${words})$`)
const has = (words: string) => new RegExp(`\\b(${words})\\b`)

type NameKind =
  | ('message' | 'summary' | 'title' | 'code' | 'codeBeside' | 'other' | 'status' | 'phrase' | 'time' | 'failure')
  | ('holder' | 'held' | 'language' | 'kind')
  | ('errors' | 'aside' | 'pointer' | 'field' | 'keyword' | 'place')

/** Prefixes of words that otherwise describe the subject of an error, such as the name of an object. */
const ofError =
  '(?<=^|\\b(err|errors?|exception|problem|fault|failure|issue|violation|validation|constraint|rule|message|reason|status) )'

/** The purpose of a property by the words of its name. */
const kinds: Record<NameKind, RegExp> = {
  message: endsWith('messages?|msgs?|details?|description|desc|explanation'),
  summary: endsWith(
    'reasons?|errors?|text|cause|info|information|issues?|problems?|faults?|violations?|warnings?|exceptions?|diagnostics?|hint',
  ),
  title: endsWith('title|summary'),
  code: endsWith(`(err(or)?)?codes?|errno|status|${ofError}(type|kind|state|name|category)`),
  /** Codes, but only next to a message. */
  codeBeside: endsWith('reasons?|errors?|cause|issues?|problems?'),
  other: endsWith(
    'ids?|uuid|guid|url|uri|links?|href|path|pointer|fields?|propert(y|ies)|param(eter)?s?|locations?|loc|source|target|attributes?|keys?|time|timestamp|date|at|trace|stack|version|host|method|locale|language|lang|token|instance|documentation|docs?|help|support|service|server|value|index|line|tags?|scopes?|schema|rel|operation|resource|region|currency|hash|signature|nonce|domain|severity|level|number|query|next|previous|type|kind|state|name|category',
  ),
  /** The status of the response. */
  status:
    /^((http )?(status|code)|(http |response )?status ?code|http ?(status|code|status ?code)|status|error ?code|type)$/,
  phrase: /^(http )?(status (text|phrase)|reason phrase)$/,
  time: endsWith('time|timestamp|date'),
  /** An object that holds the text for people under a neutral name. */
  holder: endsWith('message|msg|error|detail|description|reason|explanation'),
  held: /^(value|content|string)$/,
  /** A text or number that is the same for all errors of one kind. */
  kind: /^(?!.*\b(request|instance|self|trace|log|next|field|parameter)\b).*\b(type|kind|category|class|domain|name|title|codes?|number|errno|object|severity|level|(docs?|documentation|help|info|reference)( (ur[il]|href|link))?)$/,
  language: endsWith('lang|language|locale'),
  failure: has('(is|has)?(err|errors?|fail|failed|failures?)'),
  /** A list, map or object of errors, not of their subjects. */
  errors: has(
    'err|errors?|messages?|details?|issues?|problems?|faults?|violations?|exceptions?|failures?|reasons?|causes?|warnings?|validations?|invalid|model state',
  ),
  aside: has(
    'links?|meta|metadata|help|docs?|documentation|debug|request|context|extensions?|inner|stack|trace|data|parameters?|args?',
  ),
  pointer: endsWith('pointer'),
  field: endsWith(
    '(json )?path|field( name| path)?|propert(y|ies)( name| path)?|attribute|param( name)?|parameter( name)?|argument|target|source|loc|key|data path',
  ),
  keyword: endsWith('keyword|rule|constraint|validator|validation'),
  place: endsWith('location( type)?|in|place'),
}

export function isNamed(kind: NameKind, name: string): boolean {
  return kinds[kind].test(wordsOf(name).join(' '))
}

type JoinedName = 'path' | 'id' | 'count' | 'pointer' | 'parameter' | 'location' | 'flag' | 'format'

/** Names whose words may be joined: `requestid` */
const written: Record<JoinedName, RegExp> = {
  path: /^path$|request.?(path|ur[il])/i,
  id: /(id|uuid)$/i,
  count: /(count|total)$/i,
  pointer: /pointer$/i,
  parameter: /^param(eter)?$/i,
  location: /^loc/i,
  flag: /^(is_?)?(success(ful)?|succeeded|ok|error|failed|failure)$/i,
  /** JSON-LD and protobuf use such names for the type of an object. */
  format: /^[@$]/,
}

export function isWritten(kind: JoinedName, name: string): boolean {
  return written[kind].test(name)
}

const isForMachines = /\b(identif(ier|ies)|codes?|machine)\b/i
const isForPeople =
  /\b(human|readable|explanation|explains?|messages?|what went wrong|describ(es|ing)|reason|details of)\b/i

/** @param shown a documented example, if there is one */
export function strengthOf(name: string | undefined, keywords: SchemaObject, shown: unknown): Strength {
  const { format, pattern, maxLength, description } = keywords
  if (pattern !== undefined || (maxLength !== undefined && Number(maxLength) < 20)) return 0
  if (format !== undefined && !/^(string|text|markdown|html|nullable|normal)$/i.test(String(format))) return 0
  // An unnamed list item has the purpose of the list.
  if (name === undefined) return 3
  const is = (kind: NameKind) => isNamed(kind, name)
  const example = typeof shown === 'string' ? shown : ''
  if (/^\w+:\/\//.test(example)) return 0
  if (is('message')) return 4
  // RFC 9457, section 3.1.3: a title is the same for all occurrences.
  if (is('title')) return 3
  if (is('phrase')) return 1
  if (/\S \S+ \S/.test(example) && !is('other')) return 4
  if (isCodeText(shown)) return 1
  if (is('summary')) return 3
  if (is('code') || is('keyword')) return 1
  if (is('other')) return 0
  if (isForPeople.test(String(description ?? ''))) return 3
  return isForMachines.test(String(description ?? '')) ? 1 : 2
}

const isOfStatus =
  /^(the |an? )?(http (response |error )?(status|code)|response (status )?code|status code)\b(?! (text|phrase|name|message))/i

/** Whether a number or a text is the status of the response. */
export function isStatusPlace(name: string, { type, description }: SchemaObject, shown: unknown): boolean {
  const isDescribed = isOfStatus.test(String(description ?? ''))
  if (!isDescribed && !isNamed('status', name)) return false
  if (/integer|number/.test(String(type))) return typeof shown !== 'number' || (shown >= 100 && shown <= 599)
  return /^\d{3}$/.test(String(shown ?? (isDescribed || /status|http/i.test(name) ? 500 : '')))
}

const isCodeText = (shown: unknown) =>
  typeof shown === 'string' && /^[A-Z0-9]+(_[A-Z0-9]+)+$|^[a-z]+(_[a-z]+)+$/.test(shown)

/** Facts about the place of a violation, in this order. Only list entries and the error itself have them. */
const places = ['pointer', 'field', 'keyword', 'place'] as const

/** @param isEntry whether the property describes one violation, so that a name and a code belong to the violation */
export function sourceOf(name: string, isEntry: boolean, shown: unknown): ErrorSource | undefined {
  const found = places.find((kind) => isNamed(kind, name))
  if (found === 'pointer' || found === 'field') {
    if (!isEntry && /^(path|source|target|key)$/i.test(name)) return undefined
    const text = String(shown)
    return text.startsWith('#') ? 'fragment' : text.startsWith('/') ? 'pointer' : found
  }
  if (!isEntry) return found === 'keyword' ? found : undefined
  return found ?? (/^name$/i.test(name) ? 'field' : isNamed('code', name) ? 'keyword' : undefined)
}

/** The source of a text next to a message with a clearer name. */
export function besideMessage(name: string, shown: unknown): ErrorSource | undefined {
  if (isNamed('phrase', name)) return 'phrase'
  if (isNamed('codeBeside', name) || isNamed('code', name) || isCodeText(shown)) return 'code'
  return isNamed('title', name) ? 'title' : undefined
}
