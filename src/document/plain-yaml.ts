/**
 * Reads JSON and the subset of YAML that most documents use, five times as fast as `any-yaml.ts`. Text that this parser
 * refuses is left to `any-yaml.ts`, which also reports errors.
 */

import {
  CORE_SCHEMA,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  load,
  parseEvents,
  SCALAR_STYLE,
} from 'js-yaml'
import { toExactNumber } from '../json/exact-json.js'
import { getOrInsert } from '../json/own-value.js'
import type { DuplicateKey, TextPlaces } from './any-yaml.js'

/** Merge keys, directives and numbers beyond a double: the other parser reads these differently. */
const unusual = /<<["']?\s*:|^%|(?:^|[\s[{,:])[-+]?[\d.]+e\+?\d{3,}(?![\w-])/im
/** More than the maximum levels of a document. */
const maxDepth = 1_000
const schema = CORE_SCHEMA.withTags(withDigits(intCoreTag), withDigits(floatCoreTag))

/** A tag of numbers that keeps every digit of an integer. */
function withDigits(tag: typeof intCoreTag): typeof intCoreTag {
  return {
    ...tag,
    resolve(source, isExplicit, name) {
      const value = tag.resolve(source, isExplicit, name)
      return typeof value === 'number' ? (toExactNumber(source, value) as number) : value
    },
  }
}

/** @returns undefined if the text is not plain: the parser also refuses custom tags and duplicate keys */
export function readPlain(text: string): { value: unknown } | undefined {
  if (unusual.test(text)) return undefined
  try {
    return { value: load(text, { schema, maxDepth }) }
  } catch {
    return undefined
  }
}

/** Finds the places of a plain text. @returns undefined if it is not plain */
export function findPlaces(text: string): TextPlaces | undefined {
  try {
    return placesOf(text, parseEvents(text, { filename: '', maxDepth }))
  } catch {
    return undefined
  }
}

function placesOf(text: string, events: readonly Event[]): TextPlaces {
  const ends = endsOf(events)
  /** By the first event of an object or array: the event and offset of each value in it. */
  const known = new Map<number, Map<string, Part>>()

  function partsOf(start: number): Map<string, Part> {
    const parts = new Map<string, Part>()
    const isObject = events[start]?.type === EVENT_ID.MAPPING
    for (let at = start + 1, index = 0; at < (ends[start] ?? 0); index++) {
      const value = isObject ? (ends[at] ?? 0) + 1 : at
      const key = isObject ? scalarText(text, events[at]) : String(index)
      if (key !== undefined) parts.set(key, { at: value, offset: offsetOf(events[at]) })
      at = (ends[value] ?? 0) + 1
    }
    return parts
  }

  return {
    get duplicateKeys() {
      return findDuplicateKeys(text, events)
    },
    offsetOf(path) {
      let at = 1
      let offset = offsetOf(events[at])
      for (const name of path) {
        const part = isCollection(events[at]) ? getOrInsert(known, at, () => partsOf(at)).get(String(name)) : undefined
        if (!part) break
        at = part.at
        offset = part.offset
      }
      return offset
    },
  }
}

/** A value in an object or array. */
interface Part {
  /** The number of its first event. */
  at: number
  offset: number
}

/** The index of the last event of each value, by that of its first event. */
function endsOf(events: readonly Event[]): Int32Array {
  const ends = new Int32Array(events.length)
  const open: number[] = []
  for (const [index, event] of events.entries()) {
    ends[index] = index
    if (event.type === EVENT_ID.DOCUMENT || isCollection(event)) open.push(index)
    else if (event.type === EVENT_ID.POP) ends[open.pop() ?? 0] = index
  }
  return ends
}

function findDuplicateKeys(text: string, events: readonly Event[]): DuplicateKey[] {
  const found: DuplicateKey[] = []
  /** The names in each open object, or undefined for an array, and whether a key is next. */
  const open: { names: Set<string> | undefined; isKeyNext: boolean }[] = []
  for (const event of events) {
    const around = open.at(-1)
    if (event.type === EVENT_ID.POP) open.pop()
    else if (around?.names) {
      const key = around.isKeyNext ? scalarText(text, event) : undefined
      if (key !== undefined && around.names.has(key)) found.push({ key, offset: offsetOf(event), isMerged: false })
      if (key !== undefined) around.names.add(key)
      around.isKeyNext = !around.isKeyNext
    }
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.SEQUENCE) {
      open.push({ names: undefined, isKeyNext: false })
    } else if (event.type === EVENT_ID.MAPPING) open.push({ names: new Set(), isKeyNext: true })
  }
  return found
}

function isCollection(event: Event | undefined): boolean {
  return event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE
}

function scalarText(text: string, event: Event | undefined): string | undefined {
  return event?.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : undefined
}

function offsetOf(event: Event | undefined): number {
  if (event === undefined) return 0
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1
  if (event.type !== EVENT_ID.SCALAR) return 'start' in event ? event.start : 0
  const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
  return isQuoted ? event.valueStart - 1 : Math.max(event.valueStart, 0)
}
