/** Writes an answer as a stream of events. */
import type { RequestContract } from '../../contract/contract.js'
import type { Ensure } from '../../contract/effects/ensure.js'
import type { Copy, Stream, StreamedEvent, StreamedText } from '../../contract/http/stream.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { toStreamEvent, writeStream } from '../../media/write-stream.js'
import { ensureValue } from '../writes/sampler.js'

interface StreamedAnswer {
  contract: RequestContract
  mediaType: string
  stream: Stream
  /** The whole answer. */
  value: unknown
  /** The seed. */
  name: string
}

/** The same answer has the same events. */
export function streamAnswer({ contract, mediaType, stream, value, name }: StreamedAnswer): string {
  const { isEnvelope = false, list, text, samples, end } = stream
  const pieces = text ? toPieces(text, value) : []
  const listed = list && valueAt(value, list, [])
  if (pieces.length === 0 && !Array.isArray(listed)) return samples
  const items = Array.isArray(listed)
    ? listed.map((item): Item => [isEnvelope ? { data: item } : item, stream])
    : pieces
  const events = items.map(([item, { ensure, name: event }], index) => {
    const valid = ensureValue(contract, ensure, item as ExactValue, toSeed(`${name} ${index}`)) ?? item
    const written = toStreamEvent(valid, isEnvelope, (each) => writeByShape(each as ExactValue, contract.shapes, 0))
    return event === undefined ? written : { ...written, event }
  })
  return writeStream(mediaType, events, end)
}

type Item = [value: unknown, event: { ensure: Ensure; name?: string }]

function toPieces({ from, to, piece, first, last, before, after }: StreamedText, whole: unknown): Item[] {
  const found = textsAt(whole, from, [])
  const [start] = found
  if (!start) return []
  const make = (event: StreamedEvent, stars: number[], copies: Copy[] = [], text?: string): Item => {
    const item = {}
    for (const [at, value] of event.sets) put(item, at, value)
    for (const [at, source] of [...event.copies, ...copies]) put(item, at, valueAt(whole, source, stars))
    for (const [at, star] of event.indexes) put(item, at, stars[star] ?? 0)
    if (text !== undefined) put(item, to, text)
    return [item, event]
  }
  const pieces = found.flatMap(({ text, stars }) => [
    ...cut(text).map((part, index) => make(piece, stars, index === 0 ? first : [], part)),
    ...(after.length > 0 ? [] : [make(piece, stars, last, '')]),
  ])
  const around = (event: StreamedEvent) => make(event, start.stars)
  return [...before.map(around), ...pieces, ...after.map(around)]
}

/** Cuts a text before spaces into at most five pieces. */
function cut(text: string): string[] {
  const words = text.split(/(?<=\S)(?=\s+\S)/)
  const size = Math.ceil(words.length / 5)
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size).join(''),
  )
}

interface FoundText {
  text: string
  /** The numbers of the items that lead to it. */
  stars: number[]
}

function textsAt(value: unknown, [name, ...rest]: string[], stars: number[]): FoundText[] {
  if (name === undefined) return typeof value === 'string' && value !== '' ? [{ text: value, stars }] : []
  if (name !== '*') return textsAt(isObject(value) ? ownValue(value, name) : undefined, rest, stars)
  return Array.isArray(value) ? value.flatMap((item, index) => textsAt(item, rest, [...stars, index])) : []
}

function valueAt(value: unknown, path: readonly string[], stars: readonly number[]): unknown {
  let at = value
  let star = 0
  for (const name of path) {
    if (name === '*') at = Array.isArray(at) ? at[stars[star++] ?? 0] : undefined
    else at = isObject(at) ? ownValue(at, name) : undefined
  }
  return at
}

/** Puts a value that exists into objects and lists, each with one item. */
function put(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  if (value === undefined) return
  let owner = root
  path.forEach((step, index) => {
    const name = step === '*' ? '0' : step
    const next = path[index + 1]
    if (next === undefined) {
      owner[name] = value
      return
    }
    owner[name] ??= next === '*' ? [] : {}
    owner = owner[name] as Record<string, unknown>
  })
}
