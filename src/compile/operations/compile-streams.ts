/** Finds how an answer is sent as a stream of events, by the schema of its items. */

import type { Copy, Stream, StreamedEvent, StreamedText } from '../../contract/http/stream.js'
import {
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { withLazy } from '../../document/once.js'
import { toJson } from '../../json/exact-json.js'
import { isStreamedName, isStreamField, placeInStream } from '../../lexicon/events.js'
import { isWrittenText } from '../../lexicon/kinds.js'
import { toStreamEvent, writeStream } from '../../media/write-stream.js'
import { exampleOf } from '../../schemas/examples.js'
import {
  allowedValues,
  behindReference,
  type FlatSchema,
  flattenSchema,
  isObjectSchema,
  placeOf,
} from '../../schemas/flatten-schema.js'
import { type DescribedOperation, jsonBody } from '../../schemas/operations/describe-operations.js'
import { isStream } from '../../schemas/operations/streams.js'
import { type EnsureCompiler, sampleValid } from './compile-ensure.js'

/** The data that ends a stream, which only texts of the document show. */
const sentinel = '[DONE]'

const maxDepth = 5
const maxLeaves = 2_000

interface Alternative {
  schema: Located<Schema>
  /** The schema of the data: `schema` unless that has the fields of an event. */
  data: Located<Schema>
  /** The properties that lead to it. */
  at: string[]
  /** The constant that names it. */
  constant?: [property: string, value: string]
}

interface StreamSource {
  document: OpenApiDocument
  /** Whose texts may show how the stream ends. */
  described?: DescribedOperation
  media: Located<MediaTypeObject>
  mediaType: string
}

/** @param whole the schema of the answer that is not streamed */
export function compileStream(
  source: StreamSource,
  whole: Located<Schema> | undefined,
  ensures: EnsureCompiler,
): Stream {
  const { document } = source
  const { alternatives, end, isEnvelope } = describeItems(source)
  const [first] = alternatives
  const text = whole && findText(document, alternatives, whole, ensures)
  const list = whole && first && !text ? findList(document, whole, first.data) : undefined
  const stream = {
    ...(isEnvelope && { isEnvelope: true as const }),
    ...(end !== undefined && { end }),
    ensure: ensures.add(first?.schema ?? itemSchema(document, source.media)),
    ...(text && { text }),
    ...(list && { list }),
  }
  return withLazy(stream, 'samples', () => sampleStream(source))
}

/** Whether a media type is a stream whose items are described. A text may be the whole stream or the data of an item. */
export function isStreamOf(document: OpenApiDocument, bare: string, media: Located<MediaTypeObject>): boolean {
  if (!isStream.test(bare) || (media.value.itemSchema ?? media.value.schema) === undefined) return false
  const { types } = flattenSchema(document, itemSchema(document, media))
  return !(types.has('string') && types.size === 1)
}

/** A stream by the examples or the schema of a media type. */
export function sampleStream(source: StreamSource): string {
  const { document, media, mediaType } = source
  const { alternatives, end, isEnvelope } = describeItems(source)
  const example = exampleOf(document, media)
  if (typeof example === 'string') return example
  const made = alternatives.slice(0, 3).map(({ schema }) => sampleValid(document, schema))
  const items = Array.isArray(example)
    ? example
    : example !== undefined
      ? [example]
      : made.length === 1
        ? [made[0], made[0]]
        : made
  const events = items.map((item) => toStreamEvent(item, isEnvelope, toJson))
  return writeStream(mediaType, events, end)
}

/** `itemSchema` (OpenAPI 3.2), or the items of a list: a schema describes the whole stream, or each item. */
function itemSchema(document: OpenApiDocument, media: Located<MediaTypeObject>): Located<Schema> {
  const { itemSchema: own } = media.value
  if (own !== undefined) return { value: own, path: [...media.path, 'itemSchema'] }
  const schema = schemaOf(media)
  const { types, items } = flattenSchema(document, schema)
  return types.has('array') && items ? items : schema
}

function describeItems({ document, described, media }: StreamSource): {
  alternatives: Alternative[]
  end: string | undefined
  isEnvelope: boolean
} {
  const all = branchesOf(document, itemSchema(document, media)).flatMap(toAlternatives)
  const isEnd = ({ data }: Alternative) => {
    return allowedValues(flattenSchema(document, data).keywords)?.includes(sentinel) === true
  }
  const alternatives = all.filter((each) => !isEnd(each))
  const texts = [described?.value.description, described?.value.summary, media.value, streamDescription()]
  const isEnded = alternatives.length < all.length || toJson(texts).includes(sentinel)
  return { alternatives, end: isEnded ? sentinel : undefined, isEnvelope: all.some(({ at }) => at.length > 0) }

  function streamDescription(): unknown {
    const body = described && jsonBody(described)
    const property = body && flattenSchema(document, schemaOf(body)).properties.get('stream')
    return property && flattenSchema(document, property).keywords.description
  }

  function toAlternatives(schema: Located<Schema>): Alternative[] {
    const { properties } = flattenSchema(document, schema)
    const data = properties.get('data')
    const isEnvelope = data && [...properties.keys()].every(isStreamField)
    if (!isEnvelope) return [withConstant({ schema, data: schema, at: [] })]
    return branchesOf(document, data).map((each) => withConstant({ schema, data: each, at: ['data'] }))
  }

  function withConstant(alternative: Alternative): Alternative {
    for (const [property, schema] of flattenSchema(document, alternative.data).properties) {
      const [value, ...others] = allowedValues(flattenSchema(document, schema).keywords) ?? []
      if (isStreamedName(property) && typeof value === 'string' && others.length === 0)
        return { ...alternative, constant: [property, value] }
    }
    return alternative
  }
}

/** The alternatives of a schema without null. */
function branchesOf(document: OpenApiDocument, schema: Located<Schema>, depth = 0): Located<Schema>[] {
  const { value, path } = behindReference(document, schema)
  const keyword = typeof value === 'object' ? (['oneOf', 'anyOf'] as const).find((each) => value[each]) : undefined
  const branches = typeof value === 'object' && keyword ? (value[keyword] ?? []) : []
  if (branches.length === 0 || depth > 3 || !keyword) return [schema]
  return branches.flatMap((each, index) => {
    const branch = { value: each, path: [...path, keyword, index] }
    const { types } = flattenSchema(document, branch)
    return types.size === 1 && types.has('null') ? [] : branchesOf(document, branch, depth + 1)
  })
}

/** A list of the answer, or in it, whose items have the schema of the events. */
function findList(document: OpenApiDocument, whole: Located<Schema>, item: Located<Schema>): string[] | undefined {
  const place = placeOf(document, item)
  const isSame = ({ items }: FlatSchema) =>
    items && (placeOf(document, items) === place || toJson(items.value) === toJson(item.value))
  const flat = flattenSchema(document, whole)
  if (isSame(flat)) return []
  const found = [...flat.properties].find(([, property]) => isSame(flattenSchema(document, property)))
  return found && [found[0]]
}

/** The places of the texts in a value. */
function textsOf(document: OpenApiDocument, root: Located<Schema>): string[][] {
  const found: string[][] = []
  let left = maxLeaves
  visit(root, [])
  return found

  function visit(schema: Located<Schema>, at: string[]): void {
    if (left-- <= 0 || at.length > maxDepth) return
    const flat = flattenSchema(document, schema)
    const { types, items, keywords, properties } = flat
    const isFixed = allowedValues(keywords) !== undefined || keywords.format !== undefined
    if (types.has('string') && !isFixed && isWrittenText(at.at(-1) ?? '')) found.push(at)
    if (items) visit(items, [...at, '*'])
    else if (isObjectSchema(flat)) for (const [name, property] of properties) visit(property, [...at, name])
  }
}

const words = (text: string): string[] => text.toLowerCase().split(/[^a-z]+/)

/** The text of an answer whose name, or `delta`, the events have. */
function findText(
  document: OpenApiDocument,
  alternatives: readonly Alternative[],
  whole: Located<Schema>,
  ensures: EnsureCompiler,
): StreamedText | undefined {
  const sources = textsOf(document, whole)
  const pairs = alternatives.flatMap((alternative) => {
    const constant = words(alternative.constant?.[1] ?? '')
    return textsOf(document, alternative.data).flatMap((to) =>
      sources.flatMap((from) => {
        const name = from.at(-1) ?? ''
        const isPiece = to.includes('delta') || constant.includes('delta')
        const isNamed =
          to.at(-1) === name || (to.at(-1) === 'delta' && (constant.includes(name) || sources.length === 1))
        const score =
          (isPiece ? 4 : 0) + (to.at(-1) === name ? 1 : 0) + (constant.includes(name) ? 2 : 0) - to.length / 10
        return isNamed && (isPiece || alternatives.length === 1) ? [{ alternative, to, from, score }] : []
      }),
    )
  })
  const best = pairs.toSorted((one, other) => other.score - one.score)[0]
  return best && compileText(document, best, { alternatives, whole, ensures })
}

function compileText(
  document: OpenApiDocument,
  { alternative, to, from }: { alternative: Alternative; to: string[]; from: string[] },
  {
    alternatives,
    whole,
    ensures,
  }: { alternatives: readonly Alternative[]; whole: Located<Schema>; ensures: EnsureCompiler },
): StreamedText {
  const copies: Copy[] = []
  const first: Copy[] = []
  const last: Copy[] = []
  const nulls: [string[], unknown][] = []
  const stars = from.flatMap((name, index) => (name === '*' ? [from[index - 1] ?? ''] : []))
  const common = to.findIndex((name, index) => name !== from[index] || index === to.length - 1)
  const owners = Array.from({ length: common + 1 }, (_, length): Copy => [to.slice(0, length), from.slice(0, length)])
  const parents: Copy = [to.slice(0, -1), from.slice(0, -1)]
  if (to.length - 1 > common) owners.push(parents)
  for (const [own, other] of owners) {
    const event = at(alternative.data, own)
    const answer = at(whole, other)
    for (const [name, schema] of event?.properties ?? []) {
      const source = answer?.properties.get(name)
      const path = [...own, name]
      if (!source || name === '__proto__' || to[own.length] === name || from[other.length] === name) continue
      const [flat, known] = [flattenSchema(document, schema), flattenSchema(document, source)]
      if (allowedValues(flat.keywords)?.length === 1 || flat.items) continue
      const isLate = flat.types.has('null') && !known.types.has('null')
      const copy: Copy = [
        [...alternative.at, ...path],
        [...other, name],
      ]
      if (isLate && event?.required.has(name)) nulls.push([copy[0], null])
      if (isLate || isObjectSchema(flat)) last.push(copy)
      else if (own.length === to.length - 1 && own.length > common && !event?.required.has(name)) first.push(copy)
      else copies.push(copy)
    }
  }
  const piece = toEvent(alternative)
  const around = alternatives.filter((each) => each !== alternative && isAround(each))
  return {
    ...{ from, to: [...alternative.at, ...to], first, last },
    piece: { ...piece, sets: [...piece.sets, ...nulls], copies: [...piece.copies, ...copies] },
    before: around.filter(({ constant }) => placeInStream(constant?.[1]) === 'beginning').map(toEvent),
    after: around.filter(({ constant }) => placeInStream(constant?.[1]) === 'end').map(toEvent),
  }

  /** Whether an event shows the whole answer, or is the end of the pieces. */
  function isAround({ data, constant }: Alternative): boolean {
    const topic = (each: string | undefined) => each?.replace(/(?<![^a-z])[^a-z]*(?<![a-z])[a-z]+$/i, '')
    const own = topic(alternative.constant?.[1])
    const isOwn = own !== undefined && (topic(constant?.[1]) === own || own.startsWith(topic(constant?.[1]) || own))
    return isOwn || [...flattenSchema(document, data).properties.values()].some(isWhole)
  }

  function isWhole(schema: Located<Schema>): boolean {
    return placeOf(document, schema) === placeOf(document, whole)
  }

  /** An event with what it says of the answer, of its text, and of the place of that. */
  function toEvent({ schema, data, at: within, constant }: Alternative): StreamedEvent {
    const event: StreamedEvent = { ensure: ensures.add(schema), sets: [], copies: [], indexes: [] }
    if (constant) event.sets.push([[...within, constant[0]], constant[1]])
    if (constant && within.length === 0) event.name = constant[1]
    if (constant && within.length > 0 && flattenSchema(document, schema).properties.has('event'))
      event.sets.push([['event'], constant[1]])
    for (const [name, property] of flattenSchema(document, data).properties) {
      const star = name === 'index' ? stars.length - 1 : stars.findIndex((list) => name === `${list}_index`)
      const path = [...within, name]
      if (isWhole(property)) event.copies.push([path, []])
      else if (star >= 0) event.indexes.push([path, star])
      else if (data !== alternative.data && name === from.at(-1)) event.copies.push([path, from])
    }
    return event
  }

  function at(root: Located<Schema>, path: readonly string[]): FlatSchema | undefined {
    let found: Located<Schema> | undefined = root
    for (const name of path) {
      const flat: FlatSchema | undefined = found && flattenSchema(document, found)
      found = name === '*' ? flat?.items : flat?.properties.get(name)
    }
    return found && flattenSchema(document, found)
  }
}
