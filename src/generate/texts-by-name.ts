/** Texts and numbers that fit the name of a property. One table for all documents. */
import type { Faker } from '@faker-js/faker'
import {
  company,
  duty,
  explanationOf,
  failure,
  hasOwnNames,
  label,
  type Make,
  nameMaker,
  noun,
  person,
  remark,
  subject,
} from './names-of-things.js'

/** The current time for all generated dates, fixed so that they are repeatable. */
export const referenceDate: number = Date.UTC(2026, 0, 1)

const earliestDate = Date.UTC(2024, 0, 1)

export const dateTime: Make = (faker) => {
  const milliseconds = faker.number.int({ min: earliestDate / 1000, max: referenceDate / 1000 }) * 1000
  return new Date(milliseconds).toISOString()
}
export const email: Make = (faker) => faker.internet.email({ provider: 'example.com' }).toLowerCase()
export const uri: Make = (faker) => `https://example.com/${label(faker)}/${faker.number.int({ min: 1, max: 9999 })}`
export const path: Make = (faker) => `/${label(faker)}/${faker.number.int({ min: 1, max: 9999 })}`
export const host: Make = (faker) => `${label(faker)}.example.com`
/** Reserved for examples (RFC 5737, RFC 3849). */
export const ipv4: Make = (faker) => `192.0.2.${faker.number.int({ min: 1, max: 254 })}`
export const ipv6: Make = (faker) => `2001:db8::${faker.number.hex({ min: 1, max: 0xffff })}`

const reference: Make = (faker) => faker.string.alphanumeric({ length: 8, casing: 'upper' })
const hexadecimal =
  (length: number): Make =>
  (faker) =>
    faker.string.hexadecimal({ length, casing: 'lower', prefix: '' })
const oneOf = (texts: string): Make => {
  const all = texts.split(' ')
  return (faker) => faker.helpers.arrayElement(all)
}
const oneOfLines = (texts: string): Make => {
  const all = texts.split('|')
  return (faker) => faker.helpers.arrayElement(all)
}
const status = oneOf('active pending completed draft')
const kind = oneOf('standard basic custom')

/** Generic texts. Texts of the document are better. */
const vague = new Set<Make>([duty, failure, remark, subject, reference, status, kind])

/** Makers by the last words of a name. The first match counts. */
const byName: readonly (readonly [RegExp, Make])[] = [
  [/\b(error|failure|warning)( (text|message|reason|details|description))?$/, failure],
  [/\be ?mail( address)?$/, email],
  [
    /\b(phone|mobile|fax|caller|called|from|to|sender|recipient) number$|\b(phone|mobile|fax|tel|telephone) ?\d?$/,
    (faker) => faker.phone.number({ style: 'international' }),
  ],
  [/\b(user ?name|login|nick ?name|screen name|nick)$/, (faker) => faker.internet.username()],
  [/\b(first|given) ?name$/, (faker) => faker.person.firstName()],
  [/\b(last|family|sur) ?name$/, (faker) => faker.person.lastName()],
  [/\bmiddle ?name$/, (faker) => faker.person.middleName()],
  [/\b(file ?name)$/, (faker) => faker.system.commonFileName()],
  [/\b(host ?name|domain( name)?|host|fqdn)$/, host],
  [/\b((full|contact|caller|customer|printable) name|author|owner|customer|recipient|assignee|\w+ed by)$/, person],
  [/\b(company|organi[sz]ation|employer|vendor|supplier|manufacturer|brand)( name)?$/, company],
  [/\b(time ?zone|tz)( iana| id| name)?$/, (faker) => faker.location.timeZone()],
  [/\b(date|timestamp|(created|updated|modified|deleted|started|ended|expires|published)( at| on)?)$/, dateTime],
  [/\b(birth ?date|birthday|date of birth|dob)$/, (faker) => faker.date.birthdate().toISOString().slice(0, 10)],
  [/\b(start|end|begin|expiry|expiration|due|created|updated|deleted|modified)( date)? time$/, dateTime],
  [/\blast (login|seen|used|accessed|access|activity|active|sync|visit)( at| on| time| date)?$/, dateTime],
  [/\b(city|town|locality)$/, (faker) => faker.location.city()],
  [/\bcountry( iso ?\d?| alpha ?\d)?( code)?$/, (faker) => faker.location.countryCode()],
  [/\bnationality$/, (faker) => faker.location.country()],
  [/\b(province|county|region|district)$/, (faker) => faker.location.state()],
  [/\b(address|street|location) state$/, (faker) => faker.location.state()],
  [/\b(ip)( address)?( v4)?$/, ipv4],
  [/\bmac( address)?$/, (faker) => faker.internet.mac()],
  [/\b(house|building|street) ?(number|no)$/, (faker) => faker.location.buildingNumber()],
  [/\b(street|address)( line)? ?\d?$/, (faker) => faker.location.streetAddress()],
  [/\b(zip|postal|post)( ?code)?$/, (faker) => faker.location.zipCode('#####')],
  [/\b(lat|latitude)$/, (faker) => String(faker.location.latitude())],
  [/\b(lng|lon|longitude)$/, (faker) => String(faker.location.longitude())],
  [
    /\b(image|photo|picture|avatar|thumbnail|logo|icon|banner|cover)( (url|uri|link|href))?$/,
    (faker) => `https://example.com/images/${label(faker)}.jpg`,
  ],
  [/\b(url|uri|link|href|website|home ?page|callback|webhook|endpoint)$/, uri],
  [/\b(dns|name) ?servers?$/, (faker) => `ns${faker.number.int({ min: 1, max: 4 })}.${host(faker)}`],
  [/\bcron( expression| schedule)?$/, oneOfLines('0 * * * *|0 6 * * 1|30 2 * * *|*/15 * * * *')],
  [/\b(path|folder|directory)$/, path],
  [/\bcurrency( code)?$/, (faker) => faker.finance.currencyCode()],
  [/\biban$/, (faker) => faker.finance.iban()],
  [/\b(bic|swift)$/, (faker) => faker.finance.bic()],
  [/\bcolou?r$/, (faker) => faker.color.human()],
  [/\b(uuid|guid)$/, (faker) => faker.string.uuid()],
  [/\b(sha ?1|commit( sha)?|sha)$/, hexadecimal(40)],
  [/\b(hash|checksum|digest|e ?tag|md ?5|sha ?256)$/, hexadecimal(32)],
  [/\blast ?(4|four)( digits)?$/, (faker) => faker.string.numeric(4)],
  [/\b(vat|tax)( id| number| code| registration)+$/, (faker) => `DE${faker.string.numeric(9)}`],
  [
    /\b(token|secret|password|nonce|signature|(api|access|public|private|sharing|license|encryption) key)$/,
    (faker) => faker.string.alphanumeric(24),
  ],
  [/\bid$/, hexadecimal(12)],
  [/\b(slug|handle|permalink)$/, (faker) => `${label(faker)}-${label(faker)}`],
  [/\bisbn$/, (faker) => faker.commerce.isbn()],
  [/\b(ean|upc|gtin|barcode)$/, (faker) => faker.string.numeric({ length: 13, allowLeadingZeros: false })],
  [/\b(locale)$/, oneOf('en-US en-GB de-DE fr-FR es-ES pt-BR')],
  [/\b(language|lang)( code)?$/, oneOf('en de fr es it pt nl')],
  [/\b(version|release|revision)$/, (faker) => faker.system.semver()],
  [/\b(mime|content|media) ?type$/, (faker) => faker.system.mimeType()],
  [/\b(format|extension|file type)$/, oneOf('pdf csv png json')],
  [/\buser agent$/, (faker) => faker.internet.userAgent()],
  [/\b(gender|sex)$/, oneOf('female male')],
  [/\b(job title|occupation|profession|position)$/, (faker) => faker.person.jobTitle()],
  [/\brole$/, oneOf('admin editor member viewer')],
  [/\b(priority|severity|level|urgency|importance)$/, oneOf('low normal high')],
  [/\b(status|state|phase|stage)$/, status],
  [/\b(action|event|operation|activity|trigger)$/, oneOf('created updated deleted viewed')],
  [/\b(type|kind|variant|class|tier|mode|scope)$/, kind],
  [/\bunit$/, oneOf('kg m l pcs')],
  [/\b(days? of( the)? week|day|weekday)s?$/, (faker) => faker.date.weekday()],
  [/\bmonth$/, (faker) => faker.date.month()],
  [/\b(department|category)$/, (faker) => faker.commerce.department()],
  [/\b(tag|keyword|topic|skill)$/, noun],
  [/\b(symbol|ticker)$/, (faker) => faker.string.alpha({ length: 4, casing: 'upper' })],
  [/\b(sku|reference|number|serial|code)$/, reference],
  [/\b(price|amount|cost|total|fee|tax|balance)$/, (faker) => faker.commerce.price()],
  [/\b(text|message|comment|note|notes|body|content|reason|bio|feedback|answer|question|remark|caption)$/, remark],
  [/\b(subject|headline|slogan|heading)$/, subject],
]

/** Makers by words in descriptions, for unknown names. The first match counts. */
const byDescription: readonly (readonly [RegExp, Make])[] = [
  [/\bYYYY-MM-DD\b(?!T)/, (faker) => dateTime(faker).slice(0, 10)],
  [/\b(ISO[- ]?8601|RFC[- ]?3339|timestamp|date and time)\b/i, dateTime],
  [/\bE\.?164\b|\b(phone|telephone) number\b/i, (faker) => faker.phone.number({ style: 'international' })],
  [/\be-?mail address\b/i, email],
  [/\b(URL|URI|web address)\b/, uri],
  [/\bIP address\b/i, ipv4],
  [/\bISO[- ]?4217\b|\bcurrency code\b/i, (faker) => faker.finance.currencyCode()],
  [/\bISO[- ]?3166\b|\bcountry code\b/i, (faker) => faker.location.countryCode()],
  [/\bUUID\b/, (faker) => faker.string.uuid()],
  [/^(the |an? )?(unique |internal |external )*(id|identifier)\b/i, hexadecimal(12)],
]

/** Finds the maker for a description. */
export function findByDescription(description: string): Make | undefined {
  return byDescription.find(([pattern]) => pattern.test(description))?.[1]
}

/** The texts that a description lists between quotes: `One of 'open' and 'closed'` */
export function textsIn(description: string): string[] {
  if (!/\b(one of|either|values?|can be|possible|valid|allowed|supported|options?)\b/i.test(description)) return []
  const quoted = [...description.matchAll(/(['"`])([A-Za-z][\w.-]{0,29})\1/g)].map(([, , text = '']) => text)
  return quoted.length > 1 && quoted.length <= 20 ? [...new Set(quoted)] : []
}

/** Names of properties with the kind of the record. */
const kindOfThing = /^(object|object type|resource type)$/

const duties =
  /\b(task|issue|ticket|todo|card|story|bug|case|request|incident|event|meeting|activity|action|goal|milestone|reminder|appointment|job|step|check|item)s?$/

const people = nameMaker('person')

/** Finds the maker for a property, and whether texts of the document would be better. Undefined if the name is unknown. */
export function findText(words: string, owner: string): { make: Make; isVague: boolean } | undefined {
  if (kindOfThing.test(words)) return { make: () => owner.replaceAll(' ', '_'), isVague: true }
  const own = /\b(display |public |short |long )?name$/.test(words)
  const isTitle = /\b(title|label)$/.test(words)
  // The name of another thing: `city name`
  const [, other] = /^(?:.* )?(\w+) name$/.exec(words) ?? []
  if (other !== undefined && hasOwnNames(other)) return { make: nameMaker(other), isVague: false }
  if (!/\berror\b/.test(words) && /\b(description|summary|details|abstract|about|overview|instructions?)$/.test(words))
    return { make: explanationOf(owner), isVague: true }
  const make = findByName(byName, words)
  if (make) return { make, isVague: vague.has(make) }
  if (own) return { make: nameMaker(owner), isVague: !hasOwnNames(owner) }
  if (!isTitle) return undefined
  const maker = nameMaker(owner)
  if (maker === people) return { make: (faker: Faker) => faker.person.jobTitle(), isVague: true }
  if (duties.test(owner)) return { make: duty, isVague: true }
  return hasOwnNames(owner) ? { make: maker, isVague: false } : { make: subject, isVague: true }
}

const rangesByName: readonly (readonly [RegExp, readonly [number, number]])[] = [
  [/\bage$/, [1, 90]],
  [/\byear$/, [2000, 2025]],
  [/\bmonth$/, [1, 12]],
  [/\bday$/, [1, 28]],
  [/\bhours?$/, [0, 23]],
  [/\b(percent|percentage|progress|popularity|opacity|completion)$/, [0, 100]],
  [/\b(rating|stars|score)$/, [1, 5]],
  [/\blat(itude)?$/, [-90, 90]],
  [/\b(lng|lon|longitude)$/, [-180, 180]],
  [/\b(quantity|count|stock|amount of \w+)$/, [0, 100]],
  [/\b(timestamp|(created|updated|modified)( at)?)$/, [earliestDate / 1000, referenceDate / 1000]],
  [/\b(ms|millis|milliseconds)$/, [1000, 600_000]],
  [/\b(minutes?|mins?)$/, [1, 120]],
  [/\b(duration|seconds?|secs?|timeout|ttl)$/, [10, 3600]],
  [/\b(bytes|file size)$/, [1000, 5_000_000]],
  [/\b(width|height|pixels)$/, [100, 2000]],
  [/\bport$/, [1024, 65_535]],
  [
    /\b(position|rank|index|order|row|column|page|level|priority|(disc|track|line|item|episode) number|version)$/,
    [1, 20],
  ],
  [/\b(price|amount|cost|fee|total|subtotal|balance|tax|salary)$/, [1, 500]],
  [/\b(rate|ratio|probability|confidence|share)$/, [0, 1]],
  [/\btemperature$/, [-10, 35]],
  [/\b(weight|distance|length|depth)$/, [1, 100]],
]

export function findUsualRange(words: string): readonly [minimum: number, maximum: number] | undefined {
  return findByName(rangesByName, words)
}

/** Whether a number of this name usually has a fraction. */
export function isUsuallyFractional(words: string): boolean {
  return /\b(price|amount|cost|fee|total|subtotal|balance|tax|salary|rate|ratio|probability|confidence|share|percent|percentage|score|rating|average|mean|lat|latitude|lng|lon|longitude|temperature|weight|distance|length|depth|speed|value|x|y|z)$/.test(
    words,
  )
}

function findByName<T>(table: readonly (readonly [RegExp, T])[], words: string): T | undefined {
  // The name of a list is a plural.
  const names = [words, words.replace(/s$/, '')]
  return table.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1]
}
