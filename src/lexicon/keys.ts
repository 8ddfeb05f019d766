/** What names keys: those of a record, of other records, of requests, and secrets. */
import { type Table, table } from './table.js'
import { bareName, singular, wordsOf } from './words.js'

/** Names that only identify. `_id` and `ID` are the same. */
const ids = table('property', `id 388, uuid 46, uid 30, guid 17, gid 12, sid 12, oid 7, iid 2, node id 15`)
const keys = table('property', `key 140, identifier 41, arn 1`)
/** Names that may identify, and may be something else: those that services make, and those that people choose. */
const made = table('property', `number 83, fingerprint 20`)
const chosen = table('property', `code 234, slug 45`)
/** What people call a record by. */
const callings = table('property', `name 435, username 162, login 30, handle 8`)
/** Names that any record may have, and that say nothing about which kind it is. */
const kinds = table('property', `name 435, type 375`)

/** Whether a name only identifies: `id`, `_id`, `uuid` */
export function isId(name: string): boolean {
  return ids.has(name)
}

/** Whether a name says that its value identifies a record. */
export function isKey(name: string): boolean {
  return ids.has(name) || keys.has(name)
}

/** Whether the value may identify a record: also a `code`, a `number` or a `slug`. */
export function mayIdentify(name: string): boolean {
  return mayBeMade(name) || chosen.has(name)
}

/** Whether a service may make a further key of a record under a name: what people choose has another form. */
export function mayBeMade(name: string): boolean {
  return isKey(name) || made.has(name)
}

/** Whether a record may be found by a property: it may identify the record, or people call the record by it. */
export function mayFind(name: string): boolean {
  return mayIdentify(name) || callings.has(name)
}

/** Whether a name does not say which kind of record its key is of. */
export function isOfAny(name: string): boolean {
  return bareName(name) === '' || mayIdentify(name) || kinds.has(name)
}

/** Whether what follows the name of a record makes it that of its key: nothing, `id`, `code`, `name` */
export function isOfKey(end: string): boolean {
  return isOfAny(end) && end !== 'type'
}

/** Whether the last word of a name says that it has the key of a record, or a list of keys: `bookId`, `tag_ids` */
export function endsLikeKey(name: string): boolean {
  return mayIdentify(singular(wordsOf(name).at(-1) ?? ''))
}

/** Whether a name ends with `id`, with or without a word of its own: `userId`, `userid`. Also words such as `paid`. */
export function endsWithId(name: string): boolean {
  return /id$/i.test(name)
}

/** Whether examples of a name may be keys or tokens, however its words are written: `userids` */
export function mayShowKeys(name: string): boolean {
  return /(id|guid|key|token)s?$/i.test(name)
}

/** Whether a name is that of a list of keys or names: `ids` */
export function isKeyList(name: string): boolean {
  const one = singular(name.toLowerCase())
  return one !== name.toLowerCase() && (mayIdentify(one) || one === 'name')
}

/** The names of keys of records, the usual first. */
const usual = `id uuid guid sid gid oid key code slug number name identifier arn`.split(' ')
/** Names of keys that are usually something else. */
const unusual = `handle username login email token href`.split(' ')

export function usualKeys(): readonly string[] {
  return usual
}

export function unusualKeys(): readonly string[] {
  return unusual
}

/** Other names for the value of a parameter. */
const synonyms = new Map([
  ['pk', ['id']],
  ['username', ['login', 'handle', 'userlogin', 'screenname', 'nickname']],
  ['login', ['username', 'handle']],
  ['handle', ['username', 'login']],
  ['user', ['login', 'username']],
])

/** @param name without separators @example synonymsOf('user') // ['login', 'username'] */
export function synonymsOf(name: string): readonly string[] {
  return synonyms.get(name) ?? []
}

/** Parameters with values from outside instead of keys of records. */
const outside = table(
  'parameter',
  `email 60, date 50, url 39, text 31, lat 26, latitude 21, longitude 21, domain 19, ip 16, address 15, lon 13, lng 12,
  phone 9, email address 8, ip address 7, phone number 7, uri 4, host 3, hostname 3, iban 2, word 1`,
)

/** Whether a parameter has a value that no record of the service identifies: an address, a place, a time. */
export function isFromOutside(name: string): boolean {
  return outside.has(name)
}

/** Things that consist of a text, often in a property with the same name. */
const texts = table(
  'property',
  `message 292, text 142, comment 78, note 51, question 17, answer 15, quote 11, review 10, reply 5, joke 1, fact 1`,
)

/** Whether what a name calls is a text, which identifies nothing. */
export function isText(name: string): boolean {
  return texts.has(name)
}

/** Keys of requests, which no two requests share. */
const ofRequests = table(
  'property',
  `request id 39, nonce 17, correlation id 14, idempotency key 6, trace id 5, client request id 4, client token 4,
  client reference id 1, req id 1`,
)

/** Whether a key tells requests apart, and not records. */
export function isOfRequest(name: string): boolean {
  return ofRequests.has(name)
}

/** Properties that describe an answer. */
const ofAnswers = table(
  'property',
  `status 358, error 149, result 89, status code 60, error message 58, error code 56, response 45, status message 21,
  response code 12, status id 10, status text 9, error id 9, http status code 9, return code 7, http status 7,
  result code 4, result id 4, response id 4, response message 4, status name 3, error name 3, error text 3,
  result message 3, return 3, response text 2, return id 2, return message 2, http response code 2`,
)

/** Whether a property says how a request went: `status_code`, `errorMessage` */
export function isOfAnswer(name: string): boolean {
  return ofAnswers.has(name)
}

/** Names of secrets that a service makes. */
const secrets = table(
  'property',
  `token 114, access token 56, api key 49, secret 48, client secret 42, private key 22, auth token 14, access key 11,
  secret key 10, shared secret 8, api token 7, verification token 7, api secret 6, stream key 5, client token 4,
  app secret 3, consumer secret 3, signing key 3, webhook secret 2, app token 1, secret token 1, mobile key 1`,
)
/** Names of a secret that is all there is to a record: the `value` of an API key. */
const secretValues = table('property', `value 245, key 140, token 114`)
/** Records that are secrets. */
const secretThings = table('property', `key 140, token 114, secret 48, credential 8`)

/** @param collection the name of the collection of its record @example isSecret('value', 'api-keys') // true */
export function isSecret(name: string, collection: string): boolean {
  const isOfSecrets = secretThings.has(singular(wordsOf(collection).at(-1) ?? ''))
  return secrets.has(name) || (isOfSecrets && secretValues.has(name))
}

/** Whether the last word of a name is that of a secret. */
export function endsLikeSecret(name: string): boolean {
  const last = wordsOf(name).at(-1)
  return last === 'password' || secretThings.has(last) || secrets.has(name)
}

/** Tokens that the answer to a login has. */
const loginTokens = table(
  'property',
  `token 114, access token 56, auth token 14, id token 13, api token 7, jwt 6, session token 4, bearer token 2,
  jwt token 2`,
)

/** Whether a header or parameter of an API key may have a token: `X-Auth`, but not `Client-Id` and `Client-Secret` */
export const carriesToken = (name: string): boolean => !/(id|secret|version)$/i.test(name)

/** Segments of paths where somebody without a token comes in. */
const entrances = table(
  'segment',
  `login 42, log in 42, signin 3, sign in 3, register 28, signup 4, sign up 4, registration 9`,
)
export const isEntrance: Table['has'] = entrances.has

/** Whether a property of the answer to a login has its token. */
export function isLoginTokenName(name: string): boolean {
  return loginTokens.has(name)
}

/** Whether a name is that of a key or a token that is new in an answer: `jobId`, `upload_token` */
export function endsLikeNew(name: string): boolean {
  const last = singular(wordsOf(name).at(-1) ?? '')
  return isKey(last) || last === 'token'
}

/** First words of keys of something else than the record that has them. */
const ofOthers = table(
  'lead',
  `result 112, status 378, error 209, response 82, return 44, currency 126, country 224, language 110, request 101,
  parent 140, owner 116`,
)

/** Whether a name of several words may be that of the key of the record itself: `jobKey`, but not `parentId` */
export function mayIdentifyOwn(name: string): boolean {
  const [first, ...others] = wordsOf(name)
  const last = others.at(-1)
  return last !== undefined && (isKey(last) || last === 'code') && !ofOthers.has(first)
}

/** Whether a word at the end of a parameter is that of a key, and not of an identifier: `{zoneName}`, `{orderNumber}` */
export function isNotId(word: string): boolean {
  return made.has(word) || chosen.has(word) || word === 'name'
}

/** Whether a key counts the records of an owner. */
export function isNumber(name: string): boolean {
  return /^(number|iid|index|no|sequence|seq)$/i.test(name)
}

/** Whether a property of a request for a token names the user. */
export const isOfUser = (name: string): boolean => /^(user|e-?mail|login|account|phone|client)/i.test(name)
/** Whether it is a secret, or says which token is asked for. */
export const isOfGrant = (name: string): boolean => /pass|secret|token|grant|scope|code|otp|pin$/i.test(name)

/** Whether a property of a request is the password of a user, and not one that is repeated or replaced. */
export const isPassword = (name: string): boolean => /^(plain|user)?_?(password|passphrase|passwd)$/i.test(name)

/** Whether a property beside a token says how it is sent. */
export const isTokenType = (name: string): boolean => /^(token)?type$/.test(bareName(name))

/** The names of keys with the noun of their record, best first: `bookuuid` */
export const keysOfNoun = (noun: string): string[] => ['uuid', 'guid', 'key', 'sid', 'arn'].map((end) => noun + end)
/** The same for the name of a parameter. */
export const keysOfParameter = (bare: string): string[] => ['uuid', 'key', 'code'].map((end) => bare + end)
export const calledAfterNoun = (noun: string): string[] => ['name', 'key', 'code'].map((end) => noun + end)

/** The keys and tokens that a text with JSON shows, with their names. */
export const keysInJson = (text: string): Iterable<string[]> => text.matchAll(/"(\w*(?:id|key|token))": "([^"]+)"/gi)
/** Whether documents write a text instead of the made part of a key: `abc123` of `file-abc123` */
export const isPlaceholder = (text: string): boolean => /^(?:abc|xyz)(?:def)?\d*$|^1234?5?6?7?8?9?0?$/i.test(text)
