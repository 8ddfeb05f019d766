/** Merges overlay updates into a document, and remembers the source of each new part (OpenAPI Overlay 1.1, section 4.4.3). */
import { copyValue } from '../json/copy.js'
import type { ExactValue } from '../json/exact-value.js'
import { getOrInsert, isObject, ownValue } from '../json/own-value.js'
import type { DocumentPath } from './document.js'
import type { Notes } from './notes.js'
import type { Places, WrittenPlace } from './places.js'
import { namePart, quoteValue } from './quote-value.js'

type Holder = Record<string | number, unknown>

export interface Merger {
  /** @param from the place where the value was written */
  merge(path: DocumentPath, update: unknown, from: WrittenPlace): void
  remove(paths: readonly DocumentPath[]): void
}

/** @param document is modified */
export function createMerger(document: object, { places, notes }: { places: Places; notes: Notes }): Merger {
  /** Copies made by this function. Other objects may be in several places by YAML aliases. */
  const own = new WeakSet<object>([document])

  function ownAt(path: DocumentPath): Holder {
    let holder = document as Holder
    for (const part of path) holder = ownMember(holder, part)
    return holder
  }

  function ownMember(holder: Holder, key: string | number): Holder {
    const value = holder[key]
    if (own.has(value as object)) return value as Holder
    const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
    own.add(copy)
    holder[key] = copy
    return copy as Holder
  }

  function mergeMember(holder: Holder, key: string | number, update: unknown, path: DocumentPath, from: WrittenPlace) {
    const current = holder[key]
    if (isObject(current) && isObject(update)) mergeMembers(ownMember(holder, key), update, path, from)
    else if (Array.isArray(current) && update !== null) append(ownMember(holder, key), update, path, from)
    else {
      if (typeof current === 'object' && current !== null) {
        const message = `${namePart(path)} cannot be merged with ${quoteValue(update)}`
        const instead = update === null ? 'it is left as it is' : 'it is replaced'
        notes.add({ file: from.source.file, at: from.path }, message, instead)
        if (update === null) return
      }
      place(holder, key, update, path, from)
    }
  }

  function mergeMembers(holder: Holder, update: Record<string, unknown>, path: DocumentPath, from: WrittenPlace): void {
    for (const [name, value] of Object.entries(update)) {
      const inner = [...path, name]
      const written = { ...from, path: [...from.path, name] }
      if (ownValue(holder, name) === undefined) place(holder, name, value, inner, written)
      else mergeMember(holder, name, value, inner, written)
    }
  }

  function append(list: Holder, update: unknown, path: DocumentPath, from: WrittenPlace): void {
    const items = Array.isArray(update) ? update : [update]
    for (const [index, item] of items.entries()) {
      const end = (list as unknown as unknown[]).length
      const written = Array.isArray(update) ? { ...from, path: [...from.path, index] } : from
      place(list, end, item, [...path, end], written)
    }
  }

  function place(holder: Holder, key: string | number, value: unknown, path: DocumentPath, from: WrittenPlace): void {
    // Defines an own property even if it is named `__proto__`.
    Object.defineProperty(holder, key, {
      value: copyValue(value as ExactValue),
      enumerable: true,
      configurable: true,
      writable: true,
    })
    places.set(path, from)
  }

  function removeItems(list: unknown[], path: DocumentPath, indices: ReadonlySet<number>): void {
    const kept = list
      .map((item, index) => ({ item, place: places.find([...path, index]) }))
      .filter((_, index) => !indices.has(index))
    list.splice(0, list.length, ...kept.map(({ item }) => item))
    for (const [index, { place: before }] of kept.entries()) places.set([...path, index], before)
  }

  return {
    merge(path, update, from) {
      const key = path.at(-1)
      if (key !== undefined) mergeMember(ownAt(path.slice(0, -1)), key, update, path, from)
      else if (isObject(update)) mergeMembers(document as Holder, update, path, from)
      else {
        const message = `The root of the document cannot be merged with ${quoteValue(update)}`
        notes.add({ file: from.source.file, at: from.path }, message, 'the action is ignored')
      }
    },
    remove(paths) {
      const lists = new Map<string, { path: DocumentPath; indices: Set<number> }>()
      for (const path of paths) {
        const key = path.at(-1)
        const holder = path.slice(0, -1)
        if (typeof key === 'string') delete ownAt(holder)[key]
        else if (typeof key === 'number') {
          getOrInsert(lists, JSON.stringify(holder), () => ({ path: holder, indices: new Set<number>() })).indices.add(
            key,
          )
        }
      }
      // Innermost first, before the indices of enclosing lists change.
      const sorted = [...lists.values()].toSorted((a, b) => b.path.length - a.path.length)
      for (const { path, indices } of sorted) removeItems(ownAt(path) as unknown as unknown[], path, indices)
    },
  }
}
