/** Chooses the media type of an answer by the `Accept` header (RFC 9110, section 12.5.1), and converts the answer to it. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { Ensure } from '../../contract/effects/ensure.js'
import type { Representation } from '../../contract/http/representation.js'
import type { Copy, Stream, StreamedEvent, StreamedText } from '../../contract/http/stream.js'
import { shorten } from '../../contract/violations.js'
import { decodeBytes } from '../../json/base64.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { toStreamEvent, writeStream } from '../../media/write-stream.js'
import { writeXml } from '../../media/write-xml.js'
import type { Progress } from '../finish.js'
import { Refusal, type Written, type WrittenOutcome } from '../outcome.js'
import type { Leniency } from '../request/leniency.js'
import type { SandboxRequest } from '../request/request.js'
import type { ValidRequest } from '../validate.js'
import { ensureText, ensureValue } from '../writes/sampler.js'

export interface Negotiation {
  /**
   * @returns the position of the media type: 0 for that of the effect, else 1 more than that in `others`; -1 for the first one,
   * although it is not acceptable. A refusal if nothing is acceptable and the operation documents 406
   */
  choose(
    request: SandboxRequest,
    operation: Operation,
    others: readonly Representation[],
    valid: ValidRequest,
    progress: Progress,
  ): number | Refusal
  /** Converts the outcome of an effect. @param position from `choose` */
  represent(operation: Operation, outcome: WrittenOutcome, position: number): WrittenOutcome
}

export interface NegotiationOptions {
  contract: RequestContract
  /** Reads `Accept` as what it means. @default only as it was sent */
  readAccept: Leniency['readAccept'] | undefined
}

export type CreateNegotiation = (options: NegotiationOptions) => Negotiation

export const createNegotiation: CreateNegotiation = (options) => {
  const { contract, readAccept } = options
  return {
    choose(request, operation, others, valid, progress) {
      const { effect } = operation
      const own = 'mediaType' in effect ? effect.mediaType : undefined
      if (own === undefined) return 0
      const sent = request.header('accept')
      const meant = sent === undefined ? undefined : readAccept?.(sent, operation)
      if (meant !== undefined) progress.notes = [...progress.notes, `Accept was read as ${shorten(meant)}`]
      const accept = meant ?? sent
      const types = [own, ...others.map(({ mediaType }) => mediaType)]
      const position = accept === undefined ? 0 : choose(accept, types)
      const refuses = contract.hasHttpSemantics || operation.responses.some(({ status }) => status === '406')
      if (position === -1 && refuses) {
        return new Refusal('not_acceptable', `Accept must allow ${types.join(' or ')} (got ${JSON.stringify(accept)})`)
      }
      return isStreamAsked(operation, valid) ? others.findIndex(({ from }) => from === 'stream') + 1 : position
    },
    represent(operation, outcome, position) {
      if (outcome instanceof Refusal) return outcome
      const { effect, representations: others = [] } = operation
      const own = 'mediaType' in effect ? effect.mediaType : undefined
      if (own === undefined) return outcome
      const vary: Record<string, string> = others.length === 0 ? {} : { Vary: 'Accept' }
      if (outcome.status === 304) return { ...outcome, headers: { ...outcome.headers, ...vary } }
      if (outcome.body === undefined || outcome.mediaType !== own) return outcome
      const chosen = others[position - 1]
      const answer = chosen
        ? { ...outcome, bytes: undefined, ...convert(options, operation, outcome, chosen) }
        : outcome
      return others.length === 0 ? answer : { ...answer, headers: { ...answer.headers, ...vary } }
    },
  }
}

/** Whether a property of the body asks for a stream, whatever `Accept` says. */
function isStreamAsked({ streamedBy, representations }: Operation, { body: { value } }: ValidRequest): boolean {
  if (streamedBy === undefined || !isObject(value) || ownValue(value, streamedBy) !== true) return false
  return representations?.some(({ from }) => from === 'stream') === true
}

/** The parts of an answer in another media type. */
function convert(
  { contract }: NegotiationOptions,
  operation: Operation,
  { body, content }: Written,
  chosen: Representation,
): Partial<Written> {
  const { mediaType } = chosen
  const toValue = () => content?.value?.() ?? null
  if (chosen.from === 'json') return { mediaType, body }
  if (chosen.from === 'text') {
    const value = toValue()
    return { mediaType, body: typeof value === 'string' ? value : body }
  }
  if (chosen.from === 'stream') {
    const { stream } = chosen
    const name = operation.id
    return { mediaType, body: streamAnswer({ contract, mediaType, stream, value: toValue(), name }) }
  }
  if (chosen.from === 'xml') {
    return { mediaType, body: writeXml(toValue(), contract.xml ?? [], chosen.element, chosen.root) }
  }
  const { base64, body: text = '', ensure } = chosen
  if (base64 !== undefined) return { mediaType, body: decodeBytes(base64) }
  const name = `${mediaType} ${operation.id}`
  return { mediaType, body: (ensure && ensureText(contract, ensure, text, name)) ?? text }
}

/** The position of the media type of an answer: 0 for that of the effect. */
export function positionOfType({ effect, representations = [] }: Operation, accept: string | undefined): number {
  const own = 'mediaType' in effect ? effect.mediaType : undefined
  if (own === undefined || accept === undefined || representations.length === 0) return 0
  return Math.max(0, choose(accept, [own, ...representations.map(({ mediaType }) => mediaType)]))
}

/** @returns the position of the preferred type, the first of equals; -1 if none is acceptable */
export function choose(accept: string, types: readonly string[]): number {
  const ranges = accept.split(',').map(parseRange)
  const weights = types.map((type) => weigh(ranges, (type.split(';')[0] ?? '').trim().toLowerCase()))
  const greatest = Math.max(...weights)
  return greatest === 0 ? -1 : weights.indexOf(greatest)
}

interface MediaRange {
  range: string
  quality: number
}

function parseRange(written: string): MediaRange {
  const [range = '', ...parameters] = written.split(';').map((part) => part.trim().toLowerCase())
  const quality = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1)
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 1 }
}

/** The weight of the most specific range that contains a type. */
function weigh(ranges: readonly MediaRange[], type: string): number {
  for (const wanted of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const qualities = ranges.filter(({ range }) => range === wanted).map(({ quality }) => quality)
    if (qualities.length > 0) return Math.max(...qualities)
  }
  return 0
}

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
function streamAnswer({ contract, mediaType, stream, value, name }: StreamedAnswer): string {
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
