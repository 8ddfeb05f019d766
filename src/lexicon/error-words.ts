/** Which reason of an error documented values mean, by their words. */
import { singular, wordsOf } from './words.js'

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

/** Whether a documented value stands for any other, or differs with each error. */
export function standsForAny(value: string): boolean {
  return /^(string|text|integer|error.?code|<.*>|\.*|[\da-f]{8}-[\da-f-]{27}|[\da-f]{16,})$/i.test(value)
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
