/** What exchanges show of answers: statuses, bodies of errors, and what a success has besides its record. */
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

/** The statuses and bodies of errors, for each operation and reason. */
export function* proposeErrors(all: readonly Observed[], isReason: IsReason): Generator<Learned> {
  const refused = all.filter(
    ({ real, own: { refused, status } }) => real.status >= 400 && status >= 400 && isReason(refused ?? ''),
  )
  for (const [, group] of groupBy(refused, ({ operation: { id }, own }) => JSON.stringify([id, own.refused]))) {
    const [first] = group
    if (!first || group.every(({ differences }) => differences.length === 0)) continue
    const { operation, own, real } = first
    if (group.some((each) => each.real.status !== real.status)) continue
    const bodies = new Set(group.map((each) => JSON.stringify(toTemplate(each.real.body, each.request))))
    const [body = ''] = bodies
    const status = real.status
    const isSameBody = bodies.size === 1 && body !== undefined && real.body !== undefined
    if (!isSameBody && group.every((each) => each.own.status === status)) continue
    const says = isSameBody ? { status, body: JSON.parse(body) } : status
    yield {
      ...{ operation: operation.id, member: 'errors', about: own.refused ?? '', says },
      seen: group.map(({ number }) => number),
    }
  }
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

/** A body with runtime expressions in place of what the request has. */
function toTemplate(body: unknown, request: SentRequest): unknown {
  const given: [text: string, expression: string][] = [
    ...Object.entries(request.path).map(([name, text]): [string, string] => [text, `$request.path.${name}`]),
    ...Object.entries(request.query).map(([name, text]): [string, string] => [text, `$request.query.${name}`]),
    ...(request.type === '' ? [] : [[request.type, '$request.header.content-type'] as [string, string]]),
    ...(isObject(request.body)
      ? Object.entries(request.body).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' ? [[value, `$request.body${`#${toJsonPointer([name])}`}`]] : [],
        )
      : []),
  ]
  const known = given.filter(([text]) => text !== '').toSorted(([one], [other]) => other.length - one.length)
  const fill = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => fill(each, name))
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, fill(inner, each)]))
    if (isTime(name, value)) return '$now'
    if (typeof value !== 'string') return value
    if (formOf(value) === 'uuid' && !known.some(([part]) => value.includes(part))) return '$random'
    return known.reduce((text, [part, expression]) => {
      if (text === part) return expression
      return replaceWord(text, part, `{${expression}}`)
    }, value)
  }
  return fill(body, '')
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
