/** What exchanges show of answers: statuses, bodies of errors, and what a success has besides its record. */
import { decodeText } from '../contract/path-template.js'
import { groupBy } from '../json/group-by.js'
import { fromJsonPointer, toJsonPointer } from '../json/json-pointer.js'
import { isObject } from '../json/own-value.js'
import { formOf, isFree, isTime } from './compare-answers.js'
import type { Learned, Observed, SentRequest } from './observed.js'
import { isRecord, placeIn, valueAt } from './shown-records.js'

/** The status of successes, where the service has another one than the document. */
export function* proposeStatus(all: readonly Observed[]): Generator<Learned> {
  const successes = all.filter(({ real, own }) => real.status < 300 && own.status < 300)
  for (const [operation, group] of groupBy(successes, ({ operation: { id } }) => id)) {
    const [first, ...others] = group
    if (!first || first.real.status === first.own.status) continue
    const { status } = first.real
    if (others.every(({ real }) => real.status === status))
      yield { operation, member: 'status', about: '', says: status, seen: group.map(({ number }) => number) }
  }
}

/** Reasons of errors that a correction can have. */
export type IsReason = (reason: string) => boolean

/** The statuses and bodies of errors, for each operation and reason: a general one if it is enough. */
export function* proposeErrors(all: readonly Observed[], isReason: IsReason): Generator<Learned> {
  const refused = all.filter(({ real, own: { reasons, status } }) => {
    return real.status >= 400 && status >= 400 && isReason(reasons.at(-1) ?? '')
  })
  for (const [, group] of groupBy(refused, ({ operation: { id }, own }) => JSON.stringify([id, own.reasons.at(-1)]))) {
    const general = toError(group, -1)
    if (general !== 'various') yield* general
    else
      for (const [, own] of groupBy(group, ({ own: { reasons } }) => reasons[0] ?? '')) {
        const found = toError(own, 0)
        if (found !== 'various') yield* found
      }
  }
}

/** @param group errors of one operation. @param at the position of their reason. @returns one line at most */
function toError(group: readonly Observed[], at: 0 | -1): Learned[] | 'various' {
  const [first] = group
  if (!first || group.every(({ differences }) => differences.length === 0)) return []
  const { operation, own, real } = first
  const { status } = real
  if (group.some((each) => each.real.status !== status)) return 'various'
  const bodies = new Set(group.map((each) => JSON.stringify(toTemplate(each.real.body, each.request))))
  const [body = ''] = bodies
  const isSameBody = bodies.size === 1 && real.body !== undefined
  if (!isSameBody && group.every((each) => each.own.status === status)) return at === 0 ? [] : 'various'
  const says = isSameBody ? { status, body: JSON.parse(body) } : status
  const seen = group.map(({ number }) => number)
  return [{ operation: operation.id, member: 'errors', about: own.reasons.at(at) ?? '', says, seen }]
}

/** Replaces a text where it is no part of a longer word, and not within an expression. */
function replaceWord(text: string, part: string, by: string): string {
  const isInWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_$#{]/u.test(character)
  let result = ''
  for (let from = 0; ; ) {
    const at = text.indexOf(part, from)
    if (at < 0) return result + text.slice(from)
    const isWord = !isInWord(text[at - 1]) && !isInWord(text[at + part.length])
    result += text.slice(from, at) + (isWord ? by : part)
    from = at + part.length
  }
}

/** The texts of a request, with the expressions for them. */
function givenIn({ path, query, type, body }: SentRequest): [text: string, expression: string][] {
  const named = (place: string, values: object) =>
    Object.entries(values).map(([name, text]): [string, string] => [text, `$request.${place}.${name}`])
  const sent = Object.entries(Object(body)).filter(([, value]) => typeof value === 'string')
  return [
    ...named('path', path),
    ...named('query', query),
    ...(type === '' ? [] : named('header', { 'content-type': type })),
    ...sent.map(([name, value]): [string, string] => [String(value), `$request.body#${toJsonPointer([name])}`]),
  ]
}

/** A body with runtime expressions in place of what the request has. */
function toTemplate(body: unknown, request: SentRequest): unknown {
  const known = givenIn(request)
    .filter(([text]) => text !== '')
    .toSorted(([one], [other]) => other.length - one.length)
  const fill = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => fill(each, name))
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, fill(inner, each)]))
    if (typeof value !== 'string') return value
    if (isTime(name, value)) return '$now'
    if (formOf(value) === 'uuid' && !known.some(([part]) => value.includes(part))) return '$random'
    const whole = known.find(([part]) => part === value)?.[1]
    const plain = value.replace(/^\$/, '$$$$')
    return whole ?? known.reduce((text, [part, expression]) => replaceWord(text, part, `{${expression}}`), plain)
  }
  return fill(body, '')
}

/** The header `Location` of successes, with what the request or the answer has in its place. */
export function* proposeLocation(all: readonly Observed[]): Generator<Learned> {
  const located = all.filter(({ real, own }) => real.location !== undefined && own.status === real.status)
  for (const [operation, group] of groupBy(located, ({ operation: { id } }) => id)) {
    if (!group.some(({ differences }) => differences.some(({ kind }) => kind === 'location'))) continue
    const paths = group.map(({ real: { location = '', body }, request }) => {
      const known = [...givenIn(request), ...textsIn(body).map(([at, text]) => [text, `$response.body#${at}`] as const)]
      return location.split('/').map((part) => ({
        part,
        from: known.flatMap(([text, expression]) => (text === (decodeText(part) ?? part) ? [`{${expression}}`] : [])),
      }))
    })
    const parts = paths[0]?.map(({ part, from }, index) => {
      const isSame = group.length > 1 && paths.every((each) => each[index]?.part === part)
      const shared = from.find((each) => paths.every((other) => other[index]?.from.includes(each)))
      return isSame ? part : (shared ?? (group.length === 1 ? part : undefined))
    })
    const seen = group.map(({ number }) => number)
    if (parts && !parts.includes(undefined) && paths.every((each) => each.length === parts.length))
      yield { operation, member: 'headers', about: 'Location', says: parts.join('/'), seen }
  }
}

/** The texts and numbers of a body, with JSON Pointers. */
function textsIn(body: unknown, at = ''): [at: string, text: string][] {
  if (isObject(body)) return Object.entries(body).flatMap(([name, each]) => textsIn(each, at + toJsonPointer([name])))
  return typeof body === 'string' || typeof body === 'number' ? [[at, String(body)]] : []
}

/** What successes have besides records: constants at the same place of each answer. */
export function* proposeAnswers(all: readonly Observed[], keyOf: (collection: string) => string): Generator<Learned> {
  const successes = all.filter(
    ({ real, own }) => real.status < 300 && own.status === real.status && isObject(real.body),
  )
  for (const [operation, group] of groupBy(successes, ({ operation: { id } }) => id)) {
    for (const pointer of new Set(group.flatMap((each) => placesBeside(each, keyOf)))) {
      const at = fromJsonPointer(pointer)
      const values = group.map(({ real }) => valueAt(real.body, at))
      const [says] = values
      if (says === undefined || isTime(at.at(-1) ?? '', says)) continue
      if (isFree(at.at(-1) ?? '', says) && group.length < manyTimes) continue
      if (values.some((each) => JSON.stringify(each) !== JSON.stringify(says))) continue
      const seen = group.map(({ number }) => number)
      yield { operation, member: 'answer', about: pointer, says, seen }
    }
  }
}

/** What the answers of an operation leave out of a record that others show. */
export function* proposeLeftOut(all: readonly Observed[]): Generator<Learned> {
  const successes = all.filter(
    ({ real, own, operation: { effect } }) => real.status < 300 && own.status === real.status && effect.kind !== 'list',
  )
  for (const [operation, group] of groupBy(successes, ({ operation: { id } }) => id)) {
    const extras = group.flatMap(({ differences }) =>
      differences.filter(({ kind }) => kind === 'extra').map(({ at }) => toJsonPointer(at)),
    )
    for (const about of new Set(extras)) {
      if (group.some(({ real }) => valueAt(real.body, fromJsonPointer(about)) !== undefined)) continue
      yield { operation, member: 'answer', about, says: '$none', seen: group.map(({ number }) => number) }
    }
  }
}

/** The places of an answer that differ and are in no record or list. */
function placesBeside({ operation, real, differences }: Observed, keyOf: (collection: string) => string): string[] {
  const { effect } = operation
  const place = placeIn(operation)
  const found = valueAt(real.body, place)
  const isShown = 'collection' in effect && (Array.isArray(found) || isRecord(found, keyOf(effect.collection ?? '')))
  const isInside = (at: readonly string[]) => isShown && place.every((name, index) => at[index] === name)
  return differences
    .filter(({ kind, at }) => kind !== 'extra' && at.length > 0 && at.length <= maxDepth && !isInside(at))
    .filter(({ at }) => at.every((name) => !/^\d+$/.test(name)))
    .map(({ at }) => toJsonPointer(at))
}

/** The deepest place that is looked at. */
const maxDepth = 3
/** How often a value is the same that it is no chance, even if it has keys in it. */
export const manyTimes = 3
