/** Makes the values of a record consistent: times in order, one person, one place, files and flags that are true. */

import { fakerWords } from '../generated/words.js'
import { isObject } from '../json/own-value.js'
import { wordsOf } from '../lexicon/words.js'
import { timeIn, withTimesInOrder } from './agreed-times.js'
import { type Entry, find } from './entry.js'
import { capitalize } from './names-of-things.js'
import { firstNames, type Place, places } from './word-lists.js'

type Values = Record<string, unknown>

/**
 * The record with consistent values, including nested objects and lists.
 * @param now in milliseconds since 1970
 * @param owner the words of the noun of the record, the last one in the singular
 */
export function inAgreement(values: Values, now: number, owner = ''): Values {
  const agreed = agreeing(withTimesInOrder(values, now, owner), now) as Values
  agreeOnPlaces(agreed)
  return agreed
}

function agreeing(value: unknown, now: number): unknown {
  if (Array.isArray(value)) return withoutRepeated(value).map((each) => agreeing(each, now))
  if (!isObject(value)) return value
  const inner: Values = Object.fromEntries(Object.entries(value).map(([name, own]) => [name, agreeing(own, now)]))
  const entries = entriesOf(inner)
  for (const agree of agreements) agree(entries, now)
  return Object.fromEntries(entries.map((entry) => [entry.name, entry.value]))
}

/** Names of what differs from item to item. */
const isUnique = /^(id|uuid|guid|key|code|slug|name|position|rank|language|locale)$/i

/** A list in which no two objects have the same key. */
function withoutRepeated(list: readonly unknown[]): readonly unknown[] {
  const key = list.flatMap((each) => (isObject(each) ? Object.keys(each) : [])).find((name) => isUnique.test(name))
  const keys = list.map((each) => (key !== undefined && isObject(each) ? each[key] : undefined))
  return list.filter((_, index) => keys[index] == null || keys.indexOf(keys[index]) === index)
}

const textOf = (entries: readonly Entry[], pattern: RegExp) => {
  const value = find(
    entries.filter(({ value }) => typeof value === 'string'),
    pattern,
  )?.value
  return typeof value === 'string' ? value : undefined
}

/** Lower case, without marks. */
export const plainText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\w -]/g, '')
    .trim()
    .toLowerCase()

/** Names, addresses and logins that were made are those of one person. Those of the document stay. */
function agreeOnPerson(entries: Entry[], person: string | undefined = namedIn(entries)): void {
  const [first, last] = [textOf(entries, firstName), textOf(entries, lastName)]
  const whole = find(entries, wholeName) ?? find(entries, userName)
  // A name beside that of the family is the first one.
  const given = first === undefined && last !== undefined && person !== undefined ? person : undefined
  const name = given ?? (typeof whole?.value === 'string' ? whole.value : undefined)
  const title = textOf(entries, /^name$/) ?? textOf(entries, /^(title|headline|subject)$/) ?? name
  for (const entry of entries) {
    const { value, words } = entry
    if (typeof value !== 'string') continue
    if (first !== undefined && last !== undefined && entry === whole && /\s/.test(value)) entry.value = person
    const isShort = whole?.words === 'name'
    if (given !== undefined && entry === whole) entry.value = isShort ? given.split(' ')[0] : given
    if (given !== undefined && lastName.test(words)) entry.value = given.split(' ').slice(1).join(' ')
    // That of a company has its name.
    const named = / e ?mail( address)?$/.test(words) ? textOf(entries, nameBeside(words)) : undefined
    const addressee = named ?? person ?? (/^e ?mail( address)?$/.test(words) ? name : undefined)
    if (addressee !== undefined && /^[a-z]+\.[a-z]+@example\.com$/.test(value) && plainText(addressee) !== '')
      entry.value = `${plainText(addressee).replace(/\W+/g, '.')}@example.com`
    if (person !== undefined && isLogin(value)) entry.value = plainText(person).replace(/\s+/g, '_')
    if (
      title !== undefined &&
      /\b(slug|handle|permalink|short ?name|alias)$/.test(words) &&
      /^[a-z]+-[a-z]+$/.test(value)
    )
      entry.value = plainText(title).replace(/\s+/g, '-') || value
  }
}

/** The object with the names of a person that another one has: what a user is called, in the record of a teacher. */
export function withNamesOf(values: Values, person: Values): Values {
  const [name, entries] = [namedIn(entriesOf(person)), entriesOf(values)]
  if (name === undefined || namedIn(entries) === undefined) return values
  const [first, ...others] = name.split(' ')
  for (const entry of entries) {
    if (firstName.test(entry.words)) entry.value = first
    if (lastName.test(entry.words)) entry.value = others.join(' ')
    if (wholeName.test(entry.words) && /^[A-Z]\S* /.test(String(entry.value))) entry.value = name
  }
  agreeOnPerson(entries, name)
  return Object.fromEntries(entries.map((each) => [each.name, each.value]))
}

const firstName = /^(first|given|fore) ?name$|^first$/
const lastName = /^(last|family|sur) ?name$|^last$/
const wholeName = /^((full|display|contact|customer|printable|real|legal) ?)?name$|^label$/
const userName = /^user name$/

/** A login that was made: `elena_weber` */
const isLogin = (text: string) =>
  /^[a-z]+_[a-z]+$/.test(text) && firstNames.includes(capitalize(text.split('_')[0] ?? ''))

/** The name of the person that an object is about, by its names or its login. */
function namedIn(entries: readonly Entry[]): string | undefined {
  const [first, last, full] = [firstName, lastName, wholeName].map((each) => textOf(entries, each))
  const whole = full ?? textOf(entries, userName)
  if (first !== undefined && last !== undefined) return `${first} ${last}`
  if (whole !== undefined && firstNames.includes(whole.split(' ')[0] ?? '')) return whole
  const login = entries.find(
    ({ value }) => typeof value === 'string' && isLogin(value.replace(/@example\.com$/, '').replace('.', '_')),
  )
  const [given = '', family = ''] = String(login?.value ?? '').split(/[._@]/)
  return login && (whole === undefined || whole === login.value)
    ? `${first ?? capitalize(given)} ${last ?? capitalize(family)}`
    : undefined
}

const entriesOf = (values: Values): Entry[] =>
  Object.entries(values).map(([name, value]) => ({ name, words: wordsOf(name).join(' '), value }))

/** The name of whom an address is: `holder_name` for `holder_email` */
const nameBeside = (words: string) => new RegExp(`^${words.replace(/ e ?mail( address)?$/, '')} (full )?name$`)

/** What belongs to a city, by the words at the end of a name. */
const parts: readonly (readonly [RegExp, (place: Place, value: unknown) => unknown])[] = [
  [/\b(city|town|locality|municipality)( name)?$/, ({ city }) => city],
  [
    /\b(region|state|province|county|administrative district level 1)( code| name)?$/,
    ({ region, regionCode }, value) => (String(value).length < 4 ? regionCode : region),
  ],
  [/\b(zip|postal|post) ?(code)?$|\bpostcode$/, ({ postalCode }) => postalCode],
  [
    /\bcountry( code| iso| name)?$/,
    ({ country, countryCode, countryCode3 }, value) =>
      [country, countryCode, countryCode3].find((each) => each.length === String(value).length) ?? country,
  ],
  [/\b(latitude|lat)$/, ({ latitude }, value) => (typeof value === 'number' ? latitude : String(latitude))],
  [
    /\b(longitude|lng|lon|long)$/,
    ({ longitude }, value) => (typeof value === 'number' ? longitude : String(longitude)),
  ],
  [
    /\b(coordinates|lat lng|location)$/,
    ({ city, latitude, longitude }, value) => {
      if (/\d,/.test(String(value))) return `${latitude},${longitude}`
      return places.some((each) => each.city === value) ? city : value
    },
  ],
  [/\b(time ?zone|tz)$/, ({ timeZone }) => timeZone],
]

const placeTexts = new Set(
  places.flatMap((place) => [...Object.values(place).map(String), `${place.latitude},${place.longitude}`]),
)

const countries = new Set(places.map(({ country }) => country))
const cities = new Set(places.map(({ city }) => city))

/** Words of places that differ from the others of a record. */
const elsewhere =
  /\b(from|to|origin|destination|departure|arrival|start|end|pick ?up|drop ?off|sender|recipient|ship from|birth|previous|former)\b/g

interface PlaceEntry {
  object: Values
  name: string
  write: (place: Place, value: unknown) => unknown
}

/** One city for all values of a record that say where it is. What is in a list has its own. */
function agreeOnPlaces(record: Values): void {
  const groups = new Map<string, PlaceEntry[]>()
  visit(record, '')
  for (const group of groups.values()) {
    const texts = group.map(({ object, name }) => object[name])
    const place =
      texts.map((text) => places.find(({ city }) => city === text)).find((each) => each !== undefined) ??
      places.find((each) => Object.values(each).some((own) => typeof own === 'string' && texts.includes(own))) ??
      places.at((Number(texts.flat().find((each) => typeof each === 'number') ?? 0) % places.length) | 0)
    if (place) for (const { object, name, write } of group) object[name] = write(place, object[name])
  }

  function visit(object: Values, above: string): void {
    for (const [name, value] of Object.entries(object)) {
      const own = wordsOf(name).join(' ')
      const kind = countries.has(String(value)) ? 'country' : cities.has(String(value)) ? 'city' : undefined
      const owner = kind ?? above.split(' ').at(-1)
      const words = /^(name|code)$/.test(own) ? `${owner} ${own}` : own
      if (Array.isArray(value)) value.filter(isObject).forEach(agreeOnPlaces)
      else if (isObject(value)) visit(value, `${above} ${own}`)
      const [, write] = Array.isArray(value) ? ofPoint(words, value) : (parts.find(([each]) => each.test(words)) ?? [])
      const isMade =
        typeof value === 'number'
          ? /\b(latitude|lat|longitude|lng|lon)$/.test(words)
          : Array.isArray(value) || placeTexts.has(String(value))
      if (!write || !isMade) continue
      const where = (`${above} ${words}`.match(elsewhere) ?? []).join(' ')
      groups.set(where, [...(groups.get(where) ?? []), { object, name, write }])
    }
  }
}

/** Parts that say more of what they are in. */
const isAboutOwner = /^(meta ?data|details|info|attributes|properties)$/

/** The name of an object, for the texts in a part of it that name it, too. */
function namesIn(entries: readonly Entry[], part: Values): [string, unknown][] {
  const own = textOf(entries, /^(name|title)$/)
  return own === undefined
    ? []
    : ['name', 'title'].flatMap((name) => (typeof part[name] === 'string' ? [[name, own]] : []))
}

/** One name of a thing in all its forms. */
function agreeOnNames(entries: Entry[]): void {
  for (const entry of entries) {
    const { words, value } = entry
    if (!isObject(value)) continue
    if (isAboutOwner.test(words)) entry.value = { ...value, ...Object.fromEntries(namesIn(entries, value as Values)) }
  }
}

const genres = fakerWords['music.genre']

const mediaTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  csv: 'text/csv',
  json: 'application/json',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
}

/** What only files with sound have. */
const isOfSound = /^(bit ?rate|sample rate|bpm|artist( name)?|album( name| title)?|track (name|title|number))$/

const saysImage = /^(image|photo|picture|screenshot|avatar|thumbnail)\b|[a-z](Image|Photo|Picture|Screenshot)$/

/** The type of a file is that of its name. */
function agreeOnFiles(entries: Entry[]): void {
  const file = entries.find(
    ({ value }) => typeof value === 'string' && /^\S+\.(pdf|png|jpg|csv|json|docx|mp4)$/.test(value),
  )
  if (!file) return
  const named = String(file.value).replace(/^.*\./, '')
  const kind = entries.find(({ words, value }) => /\b(type|kind)$/.test(words) && saysImage.test(String(value)))
  const isSound = find(entries, isOfSound) !== undefined
  const extension = isSound ? 'mp3' : kind && !mediaTypes[named]?.startsWith('image/') ? 'jpg' : named
  file.value = String(file.value).replace(/\w+$/, extension)
  for (const entry of entries) {
    // In bytes.
    if (entry.words === 'size' && typeof entry.value === 'number' && entry.value < 1000)
      entry.value = 31_337 * (entry.value + 1)
    if (typeof entry.value !== 'string') continue
    if (isSound && entry.words === 'genre') entry.value = genres[entry.value.length % genres.length] ?? entry.value
    else if (/\b(mime|content|media)( type)?$/.test(entry.words) && /^\w+\/[\w.-]+$/.test(entry.value))
      entry.value = mediaTypes[extension]
    if (/^(file )?(extension|ext|format|type)$/.test(entry.words) && Object.hasOwn(mediaTypes, String(entry.value)))
      entry.value = extension
  }
}

/** The coordinates of a point (RFC 7946, section 3.1.1). */
function ofPoint(words: string, value: readonly unknown[]): readonly [RegExp?, PlaceEntry['write']?] {
  const isPoint = /\bcoordinates$/.test(words) && value.length > 0 && value.every((each) => typeof each === 'number')
  return isPoint ? [/./, ({ latitude, longitude }) => [longitude, latitude]] : []
}

const agreements = [(entries: Entry[]) => agreeOnPerson(entries), agreeOnNames, agreeOnFiles, agreeOnFlags]

const isLate = /^(is )?(past due|over ?due|late|delayed)$/
const isDue = /\b(due|deadline)\b/
const afterStem = /^\w*( (at|on|date|time))?$/

/** A flag says whether the event has a time. */
function agreeOnFlags(entries: Entry[], now: number): void {
  for (const flag of entries) {
    if (typeof flag.value !== 'boolean') continue
    // Whether it has something is whether that is there: `has_file`, `movie_file`
    const [, had] = /^has (.+)$/.exec(flag.words) ?? []
    const part = entries.find(
      ({ words, value }) => had !== undefined && typeof value !== 'boolean' && ` ${words}`.endsWith(` ${had}`),
    )
    if (part)
      flag.value =
        ![null, undefined, '', 0].includes(part.value as null) &&
        !(Array.isArray(part.value) && part.value.length === 0)
    const event = flag.words.replace(/^(is|has been|was) /, '')
    const stem = event.replace(/(ed|e|d)$/, '')
    const time = entries.find(
      ({ words, value }) =>
        value !== undefined &&
        typeof value !== 'boolean' &&
        stem.length > 2 &&
        [words, words.replace(/^date /, '')].some(
          (each) => each.startsWith(stem) && afterStem.test(each.slice(stem.length)),
        ) &&
        words !== event,
    )
    const due = isLate.test(flag.words)
      ? timeIn(entries.find(({ words, value }) => value !== flag.value && isDue.test(words)) ?? flag)
      : undefined
    if (due) flag.value = due.at < now
    if (!time) continue
    const known = timeIn(time)
    if (time.value === null) flag.value = false
    else if (known) flag.value = known.at <= now
  }
  const [available, stock] = [
    find(entries, /^(is )?(available|in stock|is available)$/),
    find(entries, /^(stock|inventory|quantity|available quantity|stock (level|quantity|count))$/),
  ]
  if (typeof available?.value === 'boolean' && typeof stock?.value === 'number') available.value = stock.value > 0
}
