/** The columns of a table: those that distinguish records come first. Choices are kept while the page lives. */
import { type Signal, signal } from '@preact/signals'
import { isPathProperty, reachedMark, singletonKey } from '../../json/path-property.js'
import type { Collection, StoredRecord, Values } from '../api.js'
import { variantsOf } from '../forms/variants.js'
import { Digits, isComposite, toText } from '../json-text.js'
import { choicesOf, fixedOf, propertiesOf, resolve, type Schema, schemaAt } from '../schema.js'

/** What somebody has chosen for a table. */
export interface Choice {
  /** The shown columns. Absent: the usual ones. */
  columns?: string[] | undefined
  /** A property, after a minus sign for the greatest first. Absent: newest first. */
  sort?: string | undefined
}

const choices: Signal<Readonly<Record<string, Choice>>> = signal({})

export function choiceOf(collection: string): Choice {
  return choices.value[collection] ?? {}
}

export function choose(collection: string, choice: Choice): void {
  choices.value = { ...choices.value, [collection]: { ...choiceOf(collection), ...choice } }
}

/** Tables with at most this many columns show all of them; others show this many of the best. */
const usualColumns = 8
/** Records that are looked at. */
const maxRecords = 200

const nameLike = /(^|[_.a-z])(name|title|label|subject|summary|headline|login|email|slug|nickname)$/i
/** Names that people use less than others. */
const loginLike = /(login|email|slug)$/i
const statusLike = /(^|[_a-z])(status|state|type|kind|stage|phase|priority|level|mode)$/i
const timeLike = /(_at|_on|At|[dD]ate|[tT]ime|(^|_)(created|updated|modified)|timestamp)$/

export interface Columns {
  /** All columns, the best first. */
  all: string[]
  /** Those that some of the records have. */
  filled: string[]
  /** Those that are shown until somebody chooses others. */
  usual: string[]
  /** The characters that each column has room for. */
  widths: ReadonlyMap<string, number>
}

/** Characters of the narrowest and the widest column. */
const [narrow, wide] = [8, 34]
/** Characters of a column of references, which show the name of the other record, too. */
const ofReference = 26

export function columnsOf(collection: Collection, loaded: readonly StoredRecord[]): Columns {
  const { key, scope, hidden } = collection
  const records = loaded.slice(0, maxRecords).map(({ values }) => values)
  const schema = schemaAt(collection.schema)
  const ofVariants = variantsOf(schema).flatMap((each) => propertiesOf(each.schema))
  const schemas = new Map([...ofVariants, ...propertiesOf(schema)].map(([name, own]) => [name, own]))
  // These say which variant a record is: they have a single value in one.
  const tags = new Set(ofVariants.flatMap(([name, own]) => (fixedOf(own) === undefined ? [] : name)))
  const used = new Set(records.flatMap((values) => Object.keys(values)))
  const first = [key, ...scope.filter((name) => used.has(name))]
  const others = [...new Set([...schemas.keys(), ...used])]
    .filter((name) => !first.includes(name) && name !== reachedMark)
    .map((name) => ({
      name,
      score: scoreOf(name, schemas.get(name), records, tags) - (hidden.includes(name) ? 300 : 0),
    }))
    .sort((one, other) => other.score - one.score)
  const all = [...new Set([...first, ...others.map(({ name }) => name)])].filter((name) => name !== singletonKey)
  const filled = all.filter((name) => used.has(name) || records.length === 0)
  const widths = new Map(all.map((name) => [name, widthOf(collection, name, records)]))
  if (filled.length <= usualColumns) return { all, filled, usual: filled, widths }
  const good = new Set(others.filter(({ score }) => score > 0).map(({ name }) => name))
  const usual = filled.filter((name) => first.includes(name) || good.has(name)).slice(0, usualColumns)
  return { all, filled, usual, widths }
}

function widthOf({ key, links }: Collection, name: string, records: readonly Values[]): number {
  const isReference = links.some(({ values }) => values.some(({ own }) => own === name))
  const texts = records.map((values) => toText(values[name] ?? ''))
  const longest = Math.max(...texts.map((text) => (isTime(name, text) ? toShownTime(text) : shorten(text)).length), 0)
  const heading = name.length + (name === key ? 6 : 2)
  // Keys have a wider font.
  return Math.min(
    Math.max(narrow, heading, name === key ? longest * 1.2 : longest, isReference ? ofReference : 0),
    wide,
  )
}

/** How well a property distinguishes records: names, short texts, states, then times. What does not is below 0. */
function scoreOf(
  name: string,
  schema: Schema | undefined,
  records: readonly Values[],
  tags: ReadonlySet<string>,
): number {
  if (isPathProperty(name)) return -200
  const values = records.map((each) => each[name]).filter((value) => value !== undefined && value !== null)
  if (values.length === 0) return records.length === 0 ? Number(nameLike.test(name)) : -150
  if (values.some(isComposite)) return -100
  const texts = values.map(toText)
  const distinct = new Set(texts).size
  const filled = values.length / records.length
  // A single record does not show what is constant.
  if (distinct === 1 && records.length > 1) return -50 + filled
  const length = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
  if (tags.has(name)) return 130
  if (nameLike.test(name)) return 100 + 20 * filled - name.length / 10
  if (values.every((value) => typeof value === 'boolean')) return 15 * filled
  if (statusLike.test(name) || (schema && choicesOf(resolve(schema)))) return 50 + 10 * filled
  if (isTime(name, texts[0] ?? '')) return 40 + 10 * filled
  if (/^https?:/.test(texts[0] ?? '')) return 5 * filled
  if (length > 60) return 10 * filled
  const isText = typeof values[0] === 'string' && !isLongId(texts[0] ?? '')
  return 20 + ((isText ? 55 : 20) * filled * distinct) / values.length
}

/** The class of a column of amounts: of numbers that are no key, no reference and no time. */
export function sideOf({ key, links }: Collection, name: string, records: readonly StoredRecord[]): string | undefined {
  const isReference = /(^|_)id$|Id$/.test(name) || links.some(({ values }) => values.some(({ own }) => own === name))
  const values = records.map((each) => each.values[name]).filter((each) => each != null)
  const isAmount = (each: unknown) =>
    (typeof each === 'number' || each instanceof Digits) && !isTime(name, toText(each))
  return name !== key && !isReference && values.length > 0 && values.every(isAmount) ? 'number' : undefined
}

/** Whether a text is an id that no table has room for. */
function isLongId(text: string): boolean {
  return text.length > 16 && /^[\w:./+=-]+$/.test(text) && /\d/.test(text) && !/^https?:|^\d{4}-\d\d-\d\d/.test(text)
}

/** Shortens an id in the middle, where ids differ least. @example shorten('cus_NffrFeUfNV2Hib') // 'cus_Nff…V2Hib' */
export function shorten(text: string): string {
  return isLongId(text) ? `${text.slice(0, 7)}…${text.slice(-5)}` : text
}

/** Whether a property has times: as RFC 3339, or as seconds or milliseconds since 1970. */
export function isTime(name: string, text: string): boolean {
  return /^\d{4}-\d\d-\d\d(T|$)/.test(text) || (timeLike.test(name) && /^[12]\d{9}(\d{3})?$/.test(text))
}

/** A time to the minute, in UTC. */
export function toShownTime(text: string): string {
  const number = Number(text) * (text.length > 10 ? 1 : 1000)
  return (Number.isNaN(number) ? text : new Date(number).toISOString()).replace('T', ' ').slice(0, 16)
}

const maxTitle = 100

/** Names of a record itself, and not of somebody or something that belongs to it. */
const ownName = /^(full|display|legal)?_?name$/i
/** The names of a person, which are shown together. */
const ofPerson = [/^(first|given)_?name$/i, /^((last|family)_?name|surname)$/i]
/** Times that every record has. */
const bookkeeping = /(created|updated|modified|changed|synced)/i

/** A name by which people know a record, besides its key. Without one, its status and its first time. */
export function titleOf({ key }: Collection, values: Values): string {
  const textOf = (name: string | undefined) => (name === undefined ? '' : toText(values[name] ?? ''))
  const isShown = (name: string) => name !== key && !isPathProperty(name) && !isComposite(values[name])
  const filled = Object.keys(values).filter((name) => isShown(name) && textOf(name) !== '')
  const names = filled.toSorted(
    (one, other) => Number(loginLike.test(one)) - Number(loginLike.test(other)) || one.length - other.length,
  )
  const first = (pattern: RegExp) => textOf(names.find((each) => pattern.test(each)))
  const parts = ofPerson.map(first)
  const name = first(ownName) || (parts.every(Boolean) ? parts.join(' ') : first(nameLike))
  const times = filled.filter((each) => isTime(each, textOf(each)))
  const time = textOf(times.find((each) => !bookkeeping.test(each)) ?? times[0])
  const texts = name ? [name] : [first(statusLike), time && toShownTime(time)].filter(Boolean)
  return texts.join(' · ').slice(0, maxTitle)
}
