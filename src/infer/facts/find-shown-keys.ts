/** Finds keys in the texts of a document: in samples of code and answers, and where other places refer to a record. */

import { isReference, type Located, type OpenApiDocument, type Schema } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { resolve } from '../../document/references.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { keysInJson, mayShowKeys } from '../../lexicon/keys.js'
import { bareName, mostSearched, nounsOf, singular } from '../../lexicon/words.js'
import { isMadeKey } from '../../schemas/key-form.js'
import type { Candidate } from './candidate.js'

/** The keys that answers in extensions and descriptions show, and those in addresses of the records. */
export function findShownKeys(
  document: OpenApiDocument,
  members: readonly Candidate[],
  record: Located<Schema>,
  name: string,
): string[] {
  const { value, path } = record
  const schema = isReference(value) ? resolve<Schema>(document, value, path) : value
  const answers = [schema, ...members.map(({ operation }) => operation.value)].flatMap(textsOf)
  // Placeholders are no keys.
  const shown = answers.flatMap((text) => keysInAnswer(text, name)).filter(isMadeKey)
  if (shown.length > 0) return shown
  const addresses = members.flatMap(({ operation, parameter }) => {
    const [start, end] = operation.path.slice(0, mostSearched).split(`{${parameter}}`)
    if (parameter === undefined || end === undefined || !/^(\/|$)/.test(end)) return []
    const parts = (start ?? '').slice(1).split(/\{[^{}]*\}/)
    const pattern = new RegExp(`/${parts.map(escaped).join('[^/\\s]+')}([\\w:-]+)(?![\\w}:-])`)
    return textsOf(operation.value).flatMap((text) => pattern.exec(text)?.[1] ?? [])
  })
  // A text may have the address of another path.
  return addresses.filter(isMadeKey)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The description of an object of the document, and the texts in its extensions. */
function textsOf(object: unknown): string[] {
  if (!isObject(object)) return []
  const own = Object.entries(object).filter(([name]) => name.startsWith('x-') && !name.startsWith('x-sandbox'))
  return [object['description'], ...own.map(([, value]) => value)].flatMap((value) => textsIn(value))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : []
}

/** The keys of the records in an answer, which may be written with comments: those of the outermost objects. */
function keysInAnswer(text: string, name: string): string[] {
  if (name.length > mostSearched) return []
  const start = /^\s*[[{]/.test(text) ? text : (/```(?:json)?\s*\n([[{][^`]*)```/.exec(text)?.[1] ?? '')
  const found = [...start.matchAll(new RegExp(`^( *)"${escaped(name)}": *"([^"]+)"`, 'gm'))]
  const [outermost] = found.map(([, { length } = '']) => length).toSorted((one, other) => one - other)
  return found.flatMap(([, { length } = '', key]) => (length === outermost && key !== undefined ? [key] : []))
}

/** The keys that other places show of records: the examples of `file_id`, `fileId` and `file_ids` for files. */
export function findReferringKeys(document: OpenApiDocument, path: string, key: string): string[] {
  const known = shownByName(document)
  const noun = path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? ''
  const names = nounsOf(noun).map((each) => bareName(each) + bareName(key))
  return [...new Set(names.flatMap((name) => known.get(name) ?? []))].filter(isMadeKey)
}

const mostShown = 20

/** The texts that a document shows under names of keys. */
const shownByName = oncePer((document: OpenApiDocument): ReadonlyMap<string, string[]> => {
  const known = new Map<string, string[]>()
  add('', document, false)
  return known

  function add(name: string, value: unknown, isShown: boolean): void {
    if (typeof value === 'string') {
      if (isShown) keep(name, value)
      else if (value.includes('": "')) for (const [, each = '', text = ''] of keysInJson(value)) keep(each, text)
      return
    }
    if (Array.isArray(value)) {
      for (const each of value) add(singular(name), each, isShown)
      return
    }
    if (!isObject(value)) return
    const own = ownValue(value, 'in') === undefined ? name : String(ownValue(value, 'name'))
    for (const [each, inner] of Object.entries(value)) {
      const isExample = each === 'example' || each === 'examples'
      add(isShown || !isExample ? (within.has(each) && !isShown ? own : each) : own, inner, isShown || isExample)
    }
  }

  function keep(name: string, text: string): void {
    if (!mayShowKeys(name) || text.length > 100) return
    const bare = bareName(name)
    const texts = known.get(bare) ?? []
    if (texts.length < mostShown) known.set(bare, [...texts, text])
  }
})

/** Names of the parts of a property or parameter that say what it has. */
const within = new Set(['schema', 'items', 'example', 'examples', 'value'])
