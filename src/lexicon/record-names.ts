/** Which properties and parameters name a record: with its key, or for people. */
import { table } from './table.js'
import { bareName, singular, wordsOf } from './words.js'

const keyWords = table('word', `id 490, key 233, ids 154, uuid 59, keys 59, guid 28, sid 15, gid 12, uuids 7, guids 2`)

/** Whether the last word of a property says that it holds keys of other records: `owner_id`, `tagIds` */
export const isKeyWord = (word: string | undefined): boolean => keyWords.has(word)

/** The record whose key a parameter of a path is: `project` for `project_id` and `projectSlug` */
export function recordOfKey(parameter: string): string {
  return bareName(parameter).replace(/(id|gid|uuid|guid|key|slug)$/, '')
}

/** Whether a key is in the words of a parameter: `id` and `orderId` for orders. */
export function isKeyOf(words: readonly string[], noun: string): boolean {
  const name = words.join('')
  return /ids?$/.test(name) && ['id', `${noun}id`].includes(singular(name))
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
