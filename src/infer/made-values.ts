/** Finds texts of records that are made from their other values, where examples show the pattern: `full_name`, `url`. */

import { type Evidence, fromAbout, guess, toAbout } from '../behaviour/line.js'
import { toMade } from '../behaviour/made-values.js'
import type { MadeValue } from '../contract/contract.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { valueAt } from '../json/nested.js'
import { isObject } from '../json/own-value.js'
import { isKey } from '../lexicon/keys.js'
import { isVersionName } from '../lexicon/numbers.js'
import { isLinks } from '../lexicon/pages.js'
import {
  endsLikeAddress,
  familyName,
  firstTitle,
  givenName,
  isAddress,
  isAtEndOfAddress,
  isKeyWord,
  isOwnAddress,
  isSelf,
  isSlug,
  saysSlug,
} from '../lexicon/record-names.js'
import { saysSelf, saysVersion } from '../lexicon/texts.js'
import { sameName, wordsOf } from '../lexicon/words.js'
import { homeOf, withOrigin } from '../schemas/addresses.js'
import { examplesAt, recordsIn, schemaExamples } from '../schemas/examples.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../schemas/flatten-schema.js'
import { findExamplePlaces } from '../schemas/operations/example-places.js'
import { findSent, sentBy } from '../schemas/operations/request-record.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { findCount } from './facts/find-count.js'
import { isVersion } from './facts/find-version.js'

type Values = Record<string, unknown>

interface Leaf {
  pointer: string[]
  text: string
  isNumber: boolean
}

/** Maximum example records that are compared, and texts of one. */
const [maxExamples, maxTexts] = [8, 60]
/** Shorter texts may be equal by chance. */
const minLength = 4

interface Making {
  document: OpenApiDocument
  group: KnownCollection
  /** What is made so far, by the names that lead to it. */
  made: Map<string, MadeValue>
  /** Whether requests send a property. */
  isSent(property: string): boolean
}

/** Says what is made of other values of its record: texts, addresses, counts and versions. */
export function findMadeValues(document: OpenApiDocument, group: KnownCollection): void {
  if (!group.members.some(({ kind }) => kind === 'create')) return
  const making: Making = { document, group, made: new Map(), isSent: findSent(document, group) }
  addTexts(making)
  addSlugs(making)
  addFullName(making)
  if (!isBelow(group)) addAddresses(making)
  addNumbers(making)
  addKeys(making)
  for (const value of making.made.values()) {
    const { pointer, ...made } = withOrigin(document, group.record, value)
    group.lines.add('made', toAbout(pointer), toMade(made), whyMade(value))
  }
}

function add({ made, isSent }: Making, value: MadeValue): void {
  const id = value.pointer.join('.')
  if (!made.has(id) && !isSent(value.pointer[0] ?? '')) made.set(id, value)
}

/** Adds texts that all examples make of other values. */
function addTexts(making: Making): void {
  const { document, group, made, isSent } = making
  const { key } = group.model
  const places = findExamplePlaces(document, group).filter(({ is }) => is === 'list' || is === 'record')
  const whole = places.flatMap((place) => examplesAt(document, place).flatMap((value) => recordsIn(place, value)))
  // The examples of properties belong together less often, so that only addresses with a name or the key are made of them.
  const isAlone = whole.length === 0
  const examples = isAlone ? [exampleOfSchema(document, group.record)] : whole.slice(0, maxExamples)
  for (const example of examples) {
    const leaves = leavesOf(example, []).slice(0, maxTexts)
    for (const { pointer, text, isNumber } of leaves) {
      const id = pointer.join('.')
      if (isNumber || made.has(id) || isSent(pointer[0] ?? '') || id === key || text.length < minLength) continue
      if (isAlone && !endsLikeAddress(id)) continue
      const isNamed = (each: Leaf) => !isAlone || isAtEndOfAddress(each.pointer.join('.')) || each.pointer[0] === key
      const parts = toParts(text, leaves.filter(isSource(pointer)).filter(isNamed), key)
      const value: MadeValue = { pointer, parts }
      if (parts.length > 1 && examples.every((each) => isKept(each, value))) made.set(id, value)
    }
  }
}

/** Adds the slugs of names that creations send. */
function addSlugs({ document, group, made }: Making): void {
  const sent = sentBy(document, group)
  const isText = ([, schema]: readonly [string, Located<Schema>]) => isOpenText(flattenSchema(document, schema))
  const { properties } = flattenSchema(document, group.record)
  const slugOf = firstTitle([...sent].filter((each) => properties.has(each[0]) && isText(each)).map(([name]) => name))
  if (slugOf === undefined) return
  for (const each of properties)
    if (isSlug(each[0]) && isSlugText(flattenSchema(document, each[1])))
      made.set(each[0], { pointer: [each[0]], parts: [], slugOf })
}

/** Adds the name of a person that creations send in two parts. */
function addFullName(making: Making): void {
  const names = [...flattenSchema(making.document, making.group.record).properties.keys()]
  const [first, last] = [givenName(names), familyName(names)]
  const full = names.find((name) => sameName(name) === 'fullname' || sameName(name) === 'displayname')
  if (full === undefined || first === undefined || last === undefined) return
  if (making.isSent(first) && making.isSent(last)) add(making, { pointer: [full], parts: [[first], ' ', [last]] })
}

/** Whether a text may be a slug, also by the usual pattern of one: `^[-a-zA-Z0-9_]+$` */
function isSlugText(flat: FlatSchema): boolean {
  const { pattern, ...keywords } = flat.keywords
  return isOpenText({ ...flat, keywords }) && (pattern === undefined || saysSlug(pattern))
}

function isOpenText({ types, keywords }: FlatSchema): boolean {
  return types.has('string') && !keywords.enum && !keywords.pattern && keywords.format === undefined
}

/** Adds the addresses of the record itself. */
function addAddresses(making: Making): void {
  const { document, group } = making
  for (const { pointer, text } of leavesOf(exampleOfSchema(document, group.record), [])) {
    const parts = toPathParts(text, group) ?? (isOwnAddress(pointer.join('.')) ? toEndParts(text, group) : undefined)
    if (parts) add(making, { pointer, parts })
  }
  for (const { pointer, isAbsolute } of findSelves(document, group.record))
    add(making, { pointer, parts: [toHome(document, group, isAbsolute), [group.model.key]] })
}

/** Adds the lengths of lists, and numbers of versions. */
function addNumbers({ document, group, made, isSent }: Making): void {
  const { properties } = flattenSchema(document, group.record)
  for (const [counts, schema] of properties) {
    const isList = flattenSchema(document, schema).types.has('array')
    const named = isKeyWord(wordsOf(counts).at(-1)) ? wordsOf(counts).slice(0, -1).join('_') : counts
    const pointer = isList ? findCount(document, group.record, named) : undefined
    if (pointer && !isSent(pointer[0] ?? '')) made.set(pointer.join('.'), { pointer, parts: [], counts })
  }
  for (const [name, schema] of properties)
    if (isVersion(name, flattenSchema(document, schema), isSent(name)))
      made.set(name, { pointer: [name], parts: [], isVersion: true })
  // Beside a key that callers choose, a version is a text of which they know nothing.
  const [holder = '', key] = fromAbout(group.lines.value('key') ?? '')
  const beside = key === undefined ? undefined : properties.get(holder)
  for (const [name, schema] of beside ? flattenSchema(document, beside).properties : []) {
    const { types, keywords } = flattenSchema(document, schema)
    if (types.has('string') && isVersionName(name) && saysVersion(String(keywords.description)))
      made.set(`${holder}.${name}`, { pointer: [holder, name], parts: [], isVersion: true })
  }
}

/** Adds the keys of records that are also inside of their record: `creatorId` beside `creator`. */
function addKeys(making: Making): void {
  const { properties } = flattenSchema(making.document, making.group.record)
  const named = new Map([...properties.keys()].map((name) => [sameName(name), name]))
  for (const [name, schema] of properties) {
    const inner = [...flattenSchema(making.document, schema).properties.keys()]
    for (const key of inner.filter(isKey)) {
      const beside = named.get(sameName(`${name} ${key}`))
      if (beside !== undefined) add(making, { pointer: [beside], parts: [[name, key]] })
    }
  }
}

function whyMade({ isVersion, counts, slugOf, parts }: MadeValue): Evidence {
  if (parts.length === 1 && typeof parts[0] !== 'string') return guess('name', `it is the key of ${parts[0]?.[0]}`)
  if (isVersion) return guess('name', 'it counts changes')
  if (slugOf !== undefined) return guess('name', `a slug is made of ${slugOf}`)
  if (counts !== undefined) return guess('name', `it counts ${counts}`)
  return guess('example', 'examples make it from other values')
}

/** Texts without an example whose name or description says that they are the address of their record. */
function findSelves(
  document: OpenApiDocument,
  schema: Located<Schema>,
  above: string[] = [],
): { pointer: string[]; isAbsolute: boolean }[] {
  const { properties, required } = flattenSchema(document, schema)
  return [...properties].flatMap(([name, each]) => {
    const pointer = [...above, name]
    const flat = flattenSchema(document, each)
    const isAlone = above.length === 0 || [...required].every((other) => other === name)
    if (isObjectSchema(flat)) {
      const isOnWay = above.length === 0 ? isLinks(name) : name === 'self' && isAlone
      return isOnWay && above.length < 2 ? findSelves(document, each, pointer) : []
    }
    const said = String(flat.keywords.description ?? '')
    const isOwn = above.length === 2 ? name === 'href' : isSelf(name) || (isAddress(name) && saysSelf(said))
    const isText = flat.types.has('string') && !flat.keywords.enum && !flat.keywords.pattern
    if (!isOwn || !isText || !isAlone || schemaExamples(document, each).length > 0) return []
    return [
      {
        pointer,
        isAbsolute: /^(uri|url)$/.test(flat.keywords.format ?? '') || (above.length === 0 && isAddress(name)),
      },
    ]
  })
}

/** What the addresses of the records of a collection begin with. */
function toHome(document: OpenApiDocument, { path }: KnownCollection, isAbsolute: boolean): string {
  const { origin, pathname } = homeOf(document)
  return `${isAbsolute ? origin : ''}${pathname.replace(/\/$/, '')}${path.replace(/\/$/, '')}/`
}

/**
 * The addresses of a record that its answer has beside it: `links.self`
 * @param answer the schema of the whole answer
 */
export function findAddresses(
  document: OpenApiDocument,
  { kind, pointer }: Candidate,
  answer: Located<Schema>,
  group: KnownCollection,
): MadeValue[] {
  const [place, last] = [pointer[0] ?? '', pointer.at(-1)]
  if (kind === 'list' || pointer.length === 0 || last === '0' || isBelow(group)) return []
  const [shown] = examplesAt(document, { path: answer.path.slice(0, -1), pointer: [], is: 'record' })
  const { [place]: _, ...others } = { ...exampleOfSchema(document, answer), ...(isObject(shown) && shown) }
  const leaves = leavesOf(others, [])
  const ofExamples = leaves.flatMap(({ pointer, text }): MadeValue[] => {
    const parts = toPathParts(text, group)
    return parts ? [{ pointer, parts }] : []
  })
  const isOther = ([name, inner]: string[]) =>
    name !== place && !leaves.some((each) => each.pointer[0] === name && each.pointer[1] === inner)
  const selves = findSelves(document, answer).flatMap(({ pointer, isAbsolute }): MadeValue[] =>
    isOther(pointer) ? [{ pointer, parts: [toHome(document, group, isAbsolute), [group.model.key]] }] : [],
  )
  return [...ofExamples, ...selves].map((each) => withOrigin(document, answer, each))
}

/** Whether the keys of owners are in the path of a collection. */
function isBelow({ path }: KnownCollection): boolean {
  return path.includes('{')
}

/** The examples of the properties of a schema. */
function exampleOfSchema(document: OpenApiDocument, schema: Located<Schema>): Values {
  const shown = [...flattenSchema(document, schema).properties].map(
    ([name, schema]) => [name, schemaExamples(document, schema)[0]] as const,
  )
  return Object.fromEntries(shown)
}

/** Splits the path of a record, which may be behind an address and before more: `/api/v2/buckets/1/labels` */
function toPathParts(text: string, { path, model }: KnownCollection): MadeValue['parts'] | undefined {
  const before = `${path.replace(/\/$/, '')}/`
  const at = text.indexOf(before)
  const [key = ''] = at < 0 ? [] : text.slice(at + before.length).split(/[/?#]/)
  if (key === '') return undefined
  const end = at + before.length
  return [text.slice(0, end), [model.key], text.slice(end + key.length)].filter((each) => each !== '')
}

/** Splits an address that ends with the last name of the path of a collection and a key: `/users/2/books/7` for `/me/books` */
function toEndParts(text: string, { path, model }: KnownCollection): MadeValue['parts'] | undefined {
  const name = path.split('/').findLast((segment) => segment !== '')
  const [, before = '', key] = /^(.*\/([^/]+)\/)[\w-]+$/.exec(text) ?? []
  return key !== undefined && key === name ? [before, [model.key]] : undefined
}

/** The texts and numbers of a record, and of the objects in it. */
function leavesOf(values: Values, above: string[]): Leaf[] {
  return Object.entries(values).flatMap(([name, value]): Leaf[] => {
    const pointer = [...above, name]
    if (typeof value === 'string') return [{ pointer, text: value, isNumber: false }]
    if (typeof value === 'number') return [{ pointer, text: String(value), isNumber: true }]
    return isObject(value) && !Array.isArray(value) && above.length === 0 ? leavesOf(value, pointer) : []
  })
}

/** Whether a value may be in the text at a place: another one, which is not a text of such parts itself. */
function isSource(pointer: string[]): (leaf: Leaf) => boolean {
  return (leaf) => leaf.pointer.join('.') !== pointer.join('.') && !/[/:\s]/.test(leaf.text)
}

/** Splits a text at the values that it contains as whole words. */
function toParts(text: string, sources: readonly Leaf[], key: string): MadeValue['parts'] {
  const isKey = ({ pointer }: Leaf) => pointer.length === 1 && pointer[0] === key
  const usable = sources.filter((each) => isKey(each) || (!each.isNumber && each.text.length >= minLength))
  const ordered = usable.toSorted((a, b) => b.text.length - a.text.length || Number(isKey(b)) - Number(isKey(a)))
  let parts: MadeValue['parts'] = [text]
  for (const { pointer, text: value } of ordered) {
    parts = parts.flatMap((part) => {
      if (typeof part !== 'string') return [part]
      const at = lastWord(part, value)
      return at < 0 ? [part] : [part.slice(0, at), pointer, part.slice(at + value.length)].filter((each) => each !== '')
    })
  }
  return parts
}

/** The last place of a whole word in a text, or -1. */
function lastWord(text: string, word: string): number {
  const isInside = (at: number) => /[A-Za-z0-9]/.test(text[at] ?? '')
  let at = word === '' ? -1 : text.lastIndexOf(word)
  while (at >= 0 && (isInside(at - 1) || isInside(at + word.length)))
    at = at === 0 ? -1 : text.lastIndexOf(word, at - 1)
  return at
}

/** Whether an example has a text that is made in this way, or has none. */
function isKept(example: Values, { pointer, parts }: MadeValue): boolean {
  const text = valueAt(example, pointer)
  const values = parts.map((part) => (typeof part === 'string' ? part : valueAt(example, part)))
  return typeof text !== 'string' || values.includes(undefined) || values.join('') === text
}
