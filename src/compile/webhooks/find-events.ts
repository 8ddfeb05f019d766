/** Finds the values of a body that say which event it is, and when it happened. */
import type { HookBody, RecordPlace } from '../../contract/hook.js'
import type { Located, OpenApiDocument, Schema, SchemaObject } from '../document.js'
import { singular, wordsOf } from '../resources/paths/words.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { partsOf } from './find-record-places.js'
import type { NamedEvent } from './hook-context.js'

/** @param records where values of records are, which say nothing of the event */
export function findEvents(
  document: OpenApiDocument,
  body: Located<Schema>,
  event: NamedEvent,
  records: readonly RecordPlace[],
): Pick<HookBody, 'events' | 'times'> {
  const events: [pointer: string[], value: string][] = []
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
  }
  return { ...(events.length > 0 && { events }), ...(times.length > 0 && { times }) }
}

function startsWith(pointer: readonly string[], start: readonly string[]): boolean {
  return start.every((part, index) => pointer[index] === part)
}

/** The value of an enum that has most words of the hook, and among these of the operations. Undefined if none has any. */
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

const eventNames = /^(event|event_?(type|name)|topic)$/i

/** The name of the hook, in a property that may have any text. */
function nameEvent(
  { type, enum: values, const: constant, example, examples, format, pattern }: SchemaObject,
  property: string,
  { name }: NamedEvent,
): string | undefined {
  const isOpen = [values, constant, example, examples, format, pattern].every((each) => each === undefined)
  return type === 'string' && isOpen && eventNames.test(property) ? name : undefined
}

/** Words without the endings of verbs: `created` and `creates` are `creat`. */
function stems(text: string): string[] {
  return wordsOf(text).map((word) => singular(word).replace(/(?:e|ed|ing)$/, ''))
}
