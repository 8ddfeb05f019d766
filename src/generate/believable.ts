/** Makes believable texts and numbers by the format and the name of a property. */
import type { Faker } from '@faker-js/faker'

/** The current time for all generated dates, fixed so that they are repeatable. */
export const referenceDate: number = Date.UTC(2026, 0, 1)

const earliestDate = Date.UTC(2024, 0, 1)

/** Tries for a text of the required length. */
const maxTries = 20

export interface WantedText {
  /** Name of the property, or of the list that contains the text. */
  name: string
  /** Name of the collection. If it is about people, the property `name` is the name of a person. */
  collection: string
  format: string | undefined
  minLength: number
  maxLength: number
  /** Texts that the document has for this property. */
  examples?: readonly string[]
}

type Make = (faker: Faker) => string

/** Chooses the kind of text once. The length always fits. The format fits too, if it has texts of such a length. */
export function createText(faker: Faker, wanted: WantedText): () => string {
  const { name, collection, format, minLength, maxLength, examples = [] } = wanted
  const words = toWords(name)
  const byFormat = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined
  const byName = words === 'name' && people.test(toWords(collection)) ? person : findByName(textsByName, words)
  const isVague = byName === undefined || vague.has(byName)
  const make = byFormat ?? (isVague && examples.length > 0 ? fromExamples(examples, words) : byName) ?? noun
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

/** What the document has as examples. Names of records differ: behind those of the document, the same ones are numbered. */
function fromExamples(examples: readonly string[], words: string): Make {
  let made = 0
  const isName = /\b(name|title|subject|headline|label)$/.test(words)
  return () => {
    const text = examples[made % examples.length] ?? ''
    const round = Math.floor(made++ / examples.length)
    return isName && round > 0 ? `${text} ${round + 1}` : text
  }
}

/** The range of numbers without bounds in the schema. @param example a number that the document has for this property */
export function findRange(
  name: string,
  records: number,
  example?: number,
): readonly [minimum: number, maximum: number] {
  const words = toWords(name)
  if (/\bids?$/.test(words)) return [1, Math.max(records, 1)]
  const usual = findByName(rangesByName, words)
  if (usual || example === undefined || example === 0) return usual ?? [0, 1000]
  return example > 0 ? [Math.floor(example / 2), Math.ceil(example * 1.5)] : [Math.floor(example * 1.5), 0]
}

const noun: Make = (faker) => faker.word.noun()
const label: Make = (faker) => noun(faker).replace(/[^a-z]+/g, '-')
const person: Make = (faker) => faker.person.fullName()
const dateTime: Make = (faker) => {
  const milliseconds = faker.number.int({ min: earliestDate / 1000, max: referenceDate / 1000 }) * 1000
  return new Date(milliseconds).toISOString()
}
const slogan: Make = (faker) => faker.company.catchPhrase()
const description: Make = (faker) => faker.commerce.productDescription()
const phrase: Make = (faker) => faker.hacker.phrase()
const product: Make = (faker) => faker.commerce.productName()
const reference: Make = (faker) => faker.string.alphanumeric({ length: 8, casing: 'upper' })
/** Texts that fit many things. Those of the document are better. */
const vague = new Set<Make>([slogan, description, phrase, product, reference])
const email: Make = (faker) => faker.internet.email({ provider: 'example.com' }).toLowerCase()
const uri: Make = (faker) => `https://example.com/${label(faker)}/${faker.number.int({ min: 1, max: 9999 })}`
const path: Make = (faker) => `/${label(faker)}/${faker.number.int({ min: 1, max: 9999 })}`
const host: Make = (faker) => `${label(faker)}.example.com`

/** Addresses are reserved for examples (RFC 2606, RFC 5737, RFC 3849). */
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
  'uri-reference': path,
  'iri-reference': path,
  'uri-template': (faker) => `/${label(faker)}/{id}`,
  hostname: host,
  'idn-hostname': host,
  ipv4: (faker) => `192.0.2.${faker.number.int({ min: 1, max: 254 })}`,
  ipv6: (faker) => `2001:db8::${faker.number.hex({ min: 1, max: 0xffff })}`,
  uuid: (faker) => faker.string.uuid(),
  'json-pointer': (faker) => `/${label(faker)}`,
  'json-pointer-uri-fragment': (faker) => `#/${label(faker)}`,
  'relative-json-pointer': (faker) => `0/${label(faker)}`,
  regex: (faker) => `^${label(faker)}$`,
  byte: (faker) => btoa(label(faker)),
}

const people = /\b(user|customer|client|person|people|author|member|employee|contact|owner|patient|student)s?\b/

/** By the last words of a name. The first match counts. */
const textsByName: readonly (readonly [RegExp, Make])[] = [
  [/\be ?mail$/, email],
  [/\b(phone|mobile|fax)( number)?$/, (faker) => faker.phone.number({ style: 'international' })],
  [/\b(user ?name|login|nick ?name)$/, (faker) => faker.internet.username()],
  [/\b(first|given) ?name$/, (faker) => faker.person.firstName()],
  [/\b(last|family|sur) ?name$/, (faker) => faker.person.lastName()],
  [/\b((full|display|contact) name|author|owner|customer|recipient|created by|updated by)$/, person],
  [/\b(company|organi[sz]ation|employer|vendor|supplier|manufacturer|brand)( name)?$/, (faker) => faker.company.name()],
  [/\b(date|timestamp|(created|updated|modified|deleted)( at| on)?)$/, dateTime],
  [/\b(city|town)$/, (faker) => faker.location.city()],
  [/\bcountry code$/, (faker) => faker.location.countryCode()],
  [/\bcountry$/, (faker) => faker.location.country()],
  [/\b(street|address)( line)?( \d)?$/, (faker) => faker.location.streetAddress()],
  [/\b(zip|postal|post)( ?code)?$/, (faker) => faker.location.zipCode('#####')],
  [/\b(url|uri|link|href|website|home ?page|image|photo|avatar)$/, uri],
  [/\b(currency)( code)?$/, (faker) => faker.finance.currencyCode()],
  [/\bcolou?r$/, (faker) => faker.color.human()],
  [/\bid$/, (faker) => faker.string.hexadecimal({ length: 12, casing: 'lower', prefix: '' })],
  [/\b(sku|reference|number|serial)$/, reference],
  [/\b(price|amount|cost|total)$/, (faker) => faker.commerce.price()],
  [/\b(title|subject|headline|slogan)$/, slogan],
  [/\b(description|summary|details)$/, description],
  [/\b(text|message|comment|note|notes|body|content|reason|bio)$/, phrase],
  [/\bname$/, product],
]

const rangesByName: readonly (readonly [RegExp, readonly [number, number]])[] = [
  [/\bage$/, [1, 90]],
  [/\byear$/, [2000, 2025]],
  [/\b(percent|percentage|progress)$/, [0, 100]],
  [/\b(rating|stars|score)$/, [1, 5]],
  [/\blat(itude)?$/, [-90, 90]],
  [/\b(lng|lon|longitude)$/, [-180, 180]],
  [/\b(quantity|count|stock)$/, [0, 100]],
  [/\b(timestamp|(created|updated|modified)( at)?)$/, [earliestDate / 1000, referenceDate / 1000]],
]

function findByName<T>(table: readonly (readonly [RegExp, T])[], words: string): T | undefined {
  // The name of a list is a plural.
  const names = [words, words.replace(/s$/, '')]
  return table.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1]
}

/** Splits a name: `categoryId` and `category_id` become `category id`. */
function toWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .toLowerCase()
}
