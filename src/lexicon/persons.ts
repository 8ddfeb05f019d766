/** What names data of persons. */
import { table } from './table.js'
import { wordsOf } from './words.js'

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

/** Paths at which users register. */
const registrations = table(
  'segment',
  `register 8, signup 6, sign up 2, registration 5, create account 1, register user 1, signup user 1`,
)
/** Names of the record of the user who is logged in. */
const ownUsers = table(
  'segment',
  `me 57, user 48, account 59, profile 36, self 5, whoami 3, current user 4, current 7, userinfo 6, my profile 1,
  my account 1, users me 1, user info 2, session 10`,
)

/** Whether a path or an operation registers a user. */
export function isRegistration(name: string): boolean {
  return registrations.has(name)
}

/** Whether a path is that of the user who is logged in. */
export function isOwnUser(name: string): boolean {
  return ownUsers.has(name)
}
