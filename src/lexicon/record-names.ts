/** Which properties and parameters name a record: with its key, its address, or for people. */
import { isKey } from './keys.js'
import { type Table, table } from './table.js'
import { bareName, nounsOf, wordsOf } from './words.js'

const keyWords = table('word', `id 490, key 233, ids 154, uuid 59, keys 59, guid 28, sid 15, gid 12, uuids 7, guids 2`)

/** Whether the last word of a property says that it holds keys of other records: `owner_id`, `tagIds` */
export const isKeyWord = (word: string | undefined): boolean => keyWords.has(word)

/** The record whose key a parameter of a path is: `project` for `project_id` and `projectSlug` */
export function recordOfKey(parameter: string): string {
  return bareName(parameter).replace(/(id|gid|uuid|guid|key|slug)$/, '')
}

/** Whether a name is that of the key of records: `id`, `planId`, `travel_plan_id` and `travelPlanUuid` for `TravelPlan` with a `uuid`. */
export function isKeyOf(name: string, collection: string, key = 'id'): boolean {
  const [bare, own] = [bareName(name), bareName(key)]
  const isOfNoun = (end: string) => bare.endsWith(end) && nounsOf(collection).includes(bare.slice(0, -end.length))
  return bare === own || bare === 'id' || isOfNoun('id') || (isKey(key) && isOfNoun(own))
}

const spoken = table(
  'word',
  `name 493, code 360, email 270, title 262, country 199, username 157, label 139, path 137, language 115,
  currency 111, domain 82, login 59, locale 56, host 55, slug 50, alias 37, hostname 33, handle 16, mailbox 3`,
)
/** Whether people read the keys of this name. */
export const isSpokenKey = (name: string): boolean => spoken.has(wordsOf(name).at(-1))

const personal = table(
  'property',
  `name 435, title 245, username 162, first name 148, last name 142, label 121, phone 103, display name 99, subject 68,
  phone number 60, full name 55, slug 45, sku 33, login 30, nickname 25, given name 23, serial number 21,
  short name 21, family name 21, surname 15, headline 12, handle 8, short title 8, display title 7, display label 6,
  login name 5, user title 4, screen name 4`,
)
/** Whether people call a record by values of this name, so that they differ from record to record. */
export function isCalledBy(name: string): boolean {
  return personal.has(name) || /\be ?mail( address)?$/.test(wordsOf(name).join(' '))
}

/** Whether a code is that of one record, and of nothing else: `garage_code`, but not `country_code` */
export const isCodeOfOne = (name: string): boolean =>
  /(?<!country|currency|postal|zip|post|language|region|state|status|type|dial|area|phone|error|color|class|house|room|page|line|build|part|version) (code|number|plate|barcode|sku|serial|vin)$|^(code|plate|barcode|serial|vin)$/.test(
    wordsOf(name).join(' '),
  )

/** The parts of the name of a person, and the whole of it. */
const [given, family, whole] = [
  table('property', `first name 148, given name 23, forename 5`),
  table('property', `last name 142, surname 15, family name 21`),
  table('property', `full name 55, display name 99, title 245, username 162`),
]
export const givenName: Table['first'] = given.first
export const familyName: Table['first'] = family.first
/** The one of some names that people call a record of any kind by. */
export const calledName: Table['first'] = table(
  'property',
  `name 435, full name 55, display name 99, title 245, label 121`,
).first
export const wholeName: Table['first'] = whole.first

/** What slugs are made of, the usual first. */
const titles = table('property', `title 245, name 435, subject 68, headline 12, label 121, display name 99`)
export const firstTitle: Table['first'] = titles.first
/** Whether a pattern allows what slugs have: `^[-a-zA-Z0-9_]+$` */
export const saysSlug = (pattern: string): boolean => /^\^\[[-\w\\]+\]\+\$$/.test(pattern)
export const isSlug: Table['has'] = table('property', `slug 45, permalink 4, url slug 1`).has

const unique = table(
  'property',
  `email 246, username 162, sku 33, isbn 5, barcode 15, slug 45, code 234, login 30, serial number 21, handle 8`,
)
/** The one of some names that most likely no two records have the same value of. */
export const mostUnique: Table['first'] = unique.first

/** Whether keys of this name are shown with names of all kinds: `team_slug` */
export const endsLikeName = (name: string): boolean => /(name|slug|handle|login|email|title|code)$/i.test(name)
/** Whether people call a record by a property, or describe it. */
export const isTitle = (name: string): boolean => /^(name|title|description|slug|label)$/i.test(name)
/** Whether records of many kinds have a property: `id`, `created_at`, `status` */
export const isUsual = (name: string): boolean =>
  /^((.*[_-])?(ids?|type|kind|object|href|ur[il]|self|links?|meta(data)?|status|state|version|etag|(at|date|time|on|by))|(created|updated|modified).*)$|(?<=[a-z])(At|Date|Time|On|By|Id)$/.test(
    name,
  )
/** Whether an object says which record it is of: `metadata` */
export const isIdentity = (name: string): boolean =>
  /^(meta|metadata|identity|identifier|reference|attributes|properties|info)$/i.test(name)

/** Whether a property has the address of its own record. */
export const isSelf = (name: string): boolean => /^(self|self_?(url|uri|link|href)|resource_uri)$/i.test(name)
/** Whether it has any address, which may be that of the record. */
export const isAddress = (name: string): boolean => /^(url|uri|href)$/i.test(name)
/** Whether its name, behind those of the objects that have it, is that of the address of the record: `links.self` */
export const isOwnAddress = (names: string): boolean =>
  /^(uri|url|href|self|link|links\.self|_links\.self)$/i.test(names)
export const endsLikeAddress = (name: string): boolean => /(url|uri|href|link|path)$/i.test(name)
/** Whether addresses end with values of a property. */
export const isAtEndOfAddress = (names: string): boolean => /^(name|label|title|slug|id|uuid|uid)$/i.test(names)

/** Whether a word in place of a key chooses a record: `/books/latest` */
export const choosesRecord = (word: string): boolean =>
  /^(latest|newest|last|first|current|live|active|default|primary)$/i.test(word)
