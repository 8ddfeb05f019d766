/** Makes believable texts and numbers by the format and the name of a property. */
import type { Faker } from '@faker-js/faker'
import { singular, wordsOf } from '../compile/resources/paths/words.js'
import { label, type Make, noun } from './names-of-things.js'
import {
  dateTime,
  email,
  findByDescription,
  findText,
  findUsualRange,
  host,
  ipv4,
  ipv6,
  isUsuallyFractional,
  path,
  textsIn,
  uri,
} from './texts-by-name.js'

/** Maximum tries for a text of the required length. */
const maxTries = 20

export interface WantedText {
  /** Name of the property, or of the list that contains the text. */
  name: string
  /** The owner of the property: the name of a collection, or of the property with the object. */
  owner: string
  format: string | undefined
  minLength: number
  maxLength: number
  /** Example texts in the document for this property. */
  examples: readonly string[]
  /** The documented description. */
  description: string
}

/** Chooses the kind of text once. The length is always valid. The format is valid if it has texts of that length. */
export function createText(faker: Faker, wanted: WantedText): () => string {
  const { name, owner, format, minLength, maxLength, description } = wanted
  const examples = wanted.examples.length > 0 ? wanted.examples : textsIn(description)
  const words = toWords(name)
  const byFormat = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined
  const byName = findText(words, ownerWords(owner))
  const others = byName?.isVague === false ? byName.make : undefined
  const isGiven = examples.length > 0
  const make =
    byFormat ??
    (isGiven ? fromExamples(examples, words, others) : byName?.make) ??
    findByDescription(description) ??
    numbered(words)
  return () => {
    const fitting = tryToFit(make) ?? (byFormat ? make(faker) : tryToFit(noun))
    if (fitting !== undefined) return fitting
    let text = make(faker)
    while (text.length < minLength) text += ` ${noun(faker)}`
    // The text must not end with a space.
    return text.slice(0, maxLength).replace(/ $/, '.')
  }

  function tryToFit(each: Make): string | undefined {
    for (let left = maxTries; left > 0; left--) {
      const text = each(faker)
      if (text.length >= minLength && text.length <= maxLength) return text
    }
    return undefined
  }
}

/** A text for a property with an unknown name: `service center 7`. For a flag, a boolean as text. */
function numbered(words: string): Make {
  if (/^(is|has|can|should|was)\b/.test(words)) return (faker) => String(faker.datatype.boolean())
  const last = words.split(' ').slice(-3)
  const text = [...last.slice(0, -1), singular(last.at(-1) ?? '')].join(' ')
  return (faker) => `${text === '' ? 'text' : text} ${faker.number.int({ min: 1, max: 50 })}`
}

/**
 * The examples of the document first, then other texts. Without others, examples are repeated, and names get numbers, because
 * names of records differ.
 */
function fromExamples(examples: readonly string[], words: string, others: Make | undefined): Make {
  let made = 0
  const isName = /\b(name|title|subject|headline|label)$/.test(words)
  return (faker) => {
    if (others && made >= examples.length) return others(faker)
    const text = examples[made % examples.length] ?? ''
    const round = Math.floor(made++ / examples.length)
    return isName && round > 0 ? `${text} ${round + 1}` : text
  }
}

/** The range of numbers without bounds in the schema. @param example a number in the document for this property */
export function findRange(
  name: string,
  records: number,
  example?: number,
): readonly [minimum: number, maximum: number] {
  const words = toWords(name)
  if (/\bids?$/.test(words)) return [1, Math.max(records, 1)]
  const usual = findUsualRange(words)
  if (usual || example === undefined || example === 0) return usual ?? [0, 1000]
  return example > 0 ? [Math.floor(example / 2), Math.ceil(example * 1.5)] : [Math.floor(example * 1.5), 0]
}

/** Whether numbers of this name are usually whole. @param example a number in the document for this property */
export function isWhole(name: string, example?: number): boolean {
  return example === undefined ? !isUsuallyFractional(toWords(name)) : Number.isInteger(example)
}

/** Makers by format. Addresses are reserved for examples (RFC 2606, RFC 5737, RFC 3849). */
const formats: Record<string, Make> = {
  'date-time': dateTime,
  'iso-date-time': dateTime,
  date: (faker) => dateTime(faker).slice(0, 10),
  time: (faker) => dateTime(faker).slice(11),
  'iso-time': (faker) => dateTime(faker).slice(11),
  duration: (faker) => `P${faker.number.int({ min: 1, max: 30 })}D`,
  email,
  'idn-email': email,
  uri,
  url: uri,
  iri: uri,
  dateTime,
  datetime: dateTime,
  'uri-reference': path,
  'iri-reference': path,
  'uri-template': (faker) => `/${label(faker)}/{id}`,
  hostname: host,
  'idn-hostname': host,
  ipv4,
  ipv6,
  uuid: (faker) => faker.string.uuid(),
  'json-pointer': (faker) => `/${label(faker)}`,
  'json-pointer-uri-fragment': (faker) => `#/${label(faker)}`,
  'relative-json-pointer': (faker) => `0/${label(faker)}`,
  regex: (faker) => `^${label(faker)}$`,
  byte: (faker) => btoa(label(faker)),
}

/** The words of the owner: `album` for `artists/{id}/albums`. */
function ownerWords(owner: string): string {
  const segment = owner.split('/').findLast((each) => each !== '' && !each.startsWith('{')) ?? ''
  const words = wordsOf(segment.replace(/\.\w+$/, ''))
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join(' ')
}

/** Splits a name: `categoryId` and `category_id` become `category id`. */
function toWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .toLowerCase()
}
