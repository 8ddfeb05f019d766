/** What names data of persons. */
import { type Table, table } from './table.js'
import { bareName, wordsOf } from './words.js'

/** Last words of names of properties. */
const personal = table(
  'word',
  `name 493, email 270, mail 16, phone 120, mobile 34, telephone 14, fax 36, address 228, street 45, zip 55,
  postcode 22, birthday 13, birthdate 5, birth 28, gender 55, ssn 6, iban 22, passport 4, username 157, login 59,
  user 144, latitude 104, longitude 105, ip 75, surname 15, recipient 33, contact 59, note 67, notes 91, comment 92,
  message 324, text 199`,
)

/** Whether a value may be about a person: `email`, `first_name`, `date_of_birth`, and texts that people write. */
export function mayBePersonal(name: string): boolean {
  return wordsOf(name).some((word) => personal.has(word))
}

/** Words of names that anything may have. */
const ofAnything: ReadonlySet<string> = new Set([
  'name',
  'user',
  'ip',
  'note',
  'notes',
  'comment',
  'message',
  'text',
  'contact',
  'recipient',
])
/** What comes before `name` in names of persons. */
const ofPersons: ReadonlySet<string> = new Set(['first', 'last', 'full', 'given', 'family', 'middle', 'sur', 'nick'])

/**
 * Whether a value is about a person, by its name and those beside it: `email`, `first_name`, and a `name` beside an `email`.
 * @param beside the names of all properties of its object
 */
export function isOfPerson(name: string, beside: readonly string[]): boolean {
  const words = wordsOf(name)
  if (words.some((word) => personal.has(word) && !ofAnything.has(word))) return true
  if (words.at(-1) !== 'name') return false
  return words.length > 1
    ? words.some((word) => ofPersons.has(word))
    : beside.some((each) => each !== name && isOfPerson(each, []))
}

/** What people who do something are called. */
const doer = /(er|or|ee|ist|ant|ent|by)$/

/** Whether a text is the name of a person, by the name of its property and its form: `manager` with `Ada Abara` */
export function isPersonName(name: string, text: string): boolean {
  return doer.test(wordsOf(name).at(-1) ?? '') && /^\p{Lu}[\p{L}'’-]+( \p{Lu}[\p{L}'’.-]*){1,3}$/u.test(text)
}

/** Paths at which users register. */
const registrations = table(
  'segment',
  `register 28, signup 4, sign up 4, registration 9, create account 3, register user 2, signup user 0`,
)
/** Names of the record of the user who is logged in. */
const ownUsers = table(
  'segment',
  `me 48, user 73, account 61, profile 27, self 6, whoami 2, current user 1, current 21, userinfo 5, my profile 0,
  my account 0, users me 0, user info 5, session 18`,
)

const makers = table(
  'property',
  `user 116, owner 73, author 49, created by 73, creator 19, sender 19, reporter 6, submitter 2, uploader 2,
  posted by 1, uploaded by 2, submitted by 8, added by 4, created by user 4, requested by 4, updated by 21`,
)
/** What else a name says of the one who made a record: the key of a user, or a name. */
const ofMaker = ['id', 'uuid', 'uid', 'username', 'name', 'email', 'login']

/** Whether a property says who made a record, and what it has of the user: `author_id`, `created_by`, `ownerEmail` */
export function makerOf(property: string): { of: string } | undefined {
  const bare = bareName(property)
  if (makers.has(bare)) return { of: '' }
  const of = ofMaker.find((end) => bare.endsWith(end) && makers.has(bare.slice(0, -end.length)))
  return of === undefined ? undefined : { of }
}

const users = table('segment', `users 118, user 73, accounts 54, members 38, customers 25`)
/** Whether a path lists those who may log in. */
export const isUsers: Table['has'] = users.has

/** Whether a path or an operation registers a user. */
export function isRegistration(name: string): boolean {
  return registrations.has(name)
}

/** Whether a path is that of the user who is logged in. */
export function isOwnUser(name: string): boolean {
  return ownUsers.has(name)
}
