/** Finds the values of a body that identify the event, and the places of the changed record. */

import type { CollectionModel } from '../../contract/contract.js'
import type { RecordPlace, WebhookBody } from '../../contract/webhook.js'
import type { Located, OpenApiDocument, Schema, SchemaObject } from '../../document/document.js'
import { isBeforeEvent, isEventId, isEventName, stemOf } from '../../lexicon/events.js'
import { isSameName, nounOf, wordsOf } from '../../lexicon/words.js'
import { schemaExamples } from '../../schemas/examples.js'
import { flattenSchema, placeOf } from '../../schemas/flatten-schema.js'
import { findKeyForm, toSimilar } from '../../schemas/key-form.js'
import type { NamedEvent, WebhookContext } from './webhook-context.js'

/** @param records the places of record values, which do not identify the event */
export function findEvents(
  context: WebhookContext,
  body: Located<Schema>,
  event: NamedEvent,
  records: readonly RecordPlace[],
): Pick<WebhookBody, 'events' | 'ids' | 'times'> {
  const { document, plans, collections } = context
  const events: [pointer: string[], value: string][] = []
  const ids: [pointer: string[], plan: number][] = []
  const times: string[][] = []
  const isOfRecord = (pointer: readonly string[]) =>
    records.some(
      (place) =>
        startsWith(pointer, place.pointer) &&
        (!place.values || place.values.some(([shown]) => shown === pointer[place.pointer.length])),
    )
  for (const { pointer, schema } of partsOf(document, body)) {
    if (pointer.length === 0 || isOfRecord(pointer)) continue
    const { keywords } = flattenSchema(document, schema)
    const value = chooseEvent(keywords, event) ?? nameEvent(keywords, pointer.at(-1) ?? '', event)
    if (value !== undefined) events.push([pointer, value])
    else if (keywords.format === 'date-time' && keywords.const === undefined) times.push(pointer)
    else if (isOwnId(pointer)) {
      const made = idSchema(document, schema)
      if (made !== undefined) ids.push([pointer, plans.add(made, { isKey: true })])
    }
  }
  return {
    ...(events.length > 0 && { events }),
    ...(ids.length > 0 && { ids }),
    ...(times.length > 0 && { times }),
  }

  /** Whether a value is the id of the event, not of a record: `event_id`, or `id` next to what has the record. */
  function isOwnId(pointer: readonly string[]): boolean {
    const [first = '', ...others] = wordsOf(pointer.join(' '))
    if (pointer.length === 1 && first === 'id' && others.length === 0)
      return records.some((place) => place.pointer.length > 0)
    return isEventId(pointer.join(' ')) && !collections.some(({ name }) => nounOf(name) === first)
  }
}

/** The characters of an id that make it rare. */
const rare = 12

/** The schema of new ids, in the form that the schema names, or that its examples have. */
function idSchema(document: OpenApiDocument, schema: Located<Schema>): Schema | undefined {
  const { keywords, types } = flattenSchema(document, schema)
  if (keywords.const !== undefined || keywords.enum || !(types.has('string') || types.has('integer'))) return undefined
  if (!types.has('string') || keywords.format !== undefined || keywords.pattern !== undefined) return schema.value
  const texts = schemaExamples(document, schema).filter((each) => typeof each === 'string')
  const pattern = toSimilar(texts[0] ?? '', rare) ?? findKeyForm(texts, [])
  return pattern === undefined || pattern === 'uuid' ? { type: 'string', format: 'uuid' } : { type: 'string', pattern }
}

function startsWith(pointer: readonly string[], start: readonly string[]): boolean {
  return start.every((part, index) => pointer[index] === part)
}

/** The enum value with most words of the webhook, then of the operations. Undefined if no value has any. */
export function chooseEvent({ enum: values }: SchemaObject, { name, on }: NamedEvent): string | undefined {
  if (!values || values.length < 2) return undefined
  const texts = values.filter((each): each is string => typeof each === 'string')
  const [ofName, ofOperations] = [name, on.join(' ')].map((source) => new Set(stems(source)))
  const counts = texts.map((text) => {
    const words = stems(text)
    const named = words.filter((word) => ofName?.has(word)).length
    const done = words.filter((word) => ofOperations?.has(word)).length
    return { text, named, done, share: (named + done) / Math.max(words.length, 1) }
  })
  const [best] = counts
    .filter(({ named, done }) => named + done > 0)
    .toSorted((a, b) => b.named - a.named || b.done - a.done || b.share - a.share)
  return best?.text
}

/** The name of the webhook, for a property that allows any text. */
function nameEvent(
  { type, enum: values, const: constant, example, examples, format, pattern }: SchemaObject,
  property: string,
  { name }: NamedEvent,
): string | undefined {
  const isOpen = [values, constant, example, examples, format, pattern].every((each) => each === undefined)
  return type === 'string' && isOpen && isEventName(property) ? name : undefined
}

/** The stems of words without verb endings: `creat` for `created` and `creates`. */
function stems(text: string): string[] {
  return wordsOf(text).map(stemOf)
}

/** An object in a body. */
export interface BodyPart {
  pointer: string[]
  schema: Located<Schema>
}

/** Maximum depth of the search. */
const maxDepth = 4
const maxParts = 500

/** The part itself and its nested parts, outermost first. A recursive schema is entered once. */
export function* partsOf(document: OpenApiDocument, root: Located<Schema>): Generator<BodyPart> {
  const waiting: (BodyPart & { above: readonly string[] })[] = [{ pointer: [], schema: root, above: [] }]
  for (const { pointer, schema, above } of waiting) {
    const place = placeOf(document, schema)
    if (above.includes(place)) continue
    yield { pointer, schema }
    if (pointer.length >= maxDepth) continue
    const { properties, items } = flattenSchema(document, schema)
    const inner = [...properties, ...(items ? [['0', items] as const] : [])]
    if (waiting.length + inner.length > maxParts) continue
    for (const [name, each] of inner)
      waiting.push({ pointer: [...pointer, name], schema: each, above: [...above, place] })
  }
}

/** The part with the schema of the record, or with most of its properties, and the properties with its key. */
export function findRecordPlaces(
  document: OpenApiDocument,
  body: Located<Schema>,
  record: Located<Schema>,
  { name, key }: Pick<CollectionModel, 'name' | 'key'>,
): RecordPlace[] {
  const known = flattenSchema(document, record).properties
  const parts = [...partsOf(document, body)].filter(({ pointer }) => !isBeforeEvent(pointer.at(-1) ?? ''))
  const home = placeOf(document, record)
  const whole = parts.find(({ schema }) => placeOf(document, schema) === home)
  const places: RecordPlace[] = []
  if (whole) places.push({ pointer: whole.pointer })
  else {
    const shared = parts.map(({ pointer, schema }) => {
      const names = [...flattenSchema(document, schema).properties.keys()].filter((each) => known.has(each))
      return { pointer, values: names.map((each): [string, string] => [each, each]) }
    })
    const most = Math.max(...shared.map(({ values }) => values.length))
    const best = most > 0 ? shared.find(({ values }) => values.length === most) : undefined
    if (best) places.push(best)
  }
  // In addition to the record, or instead of it, a body may have its key: `orderId`.
  for (const { pointer, schema } of parts) {
    if (pointer.length > 1 || whole?.pointer.join() === pointer.join()) continue
    const names = [...flattenSchema(document, schema).properties.keys()]
    const naming = names.filter((each) => isSameName(each, `${nounOf(name)}_${key}`) && !known.has(each))
    if (naming.length > 0) places.push({ pointer, values: naming.map((each) => [each, key]) })
  }
  return places
}
