/** What names say about the kind of a record and how many there are, and about what all records of a service have. */
import { table } from './table.js'
import { wordsOf } from './words.js'

const kinds = table('word', `type 455, object 41, kind 35, entity 33, subtype 25`)

/** Whether a property says which kind of record it is of. */
export function isKindName(name: string): boolean {
  return kinds.has(wordsOf(name).at(-1))
}

/** Last words of what examples show of any new record: its state, its kind, and what its account has. */
const ofAnyNew = table(
  'word',
  `type 455, status 386, version 219, state 214, country 199, source 177, mode 121, action 119, language 115,
  currency 111, timezone 70, zone 65, locale 56, origin 54, object 41, kind 35, entity 33, revision 32, subtype 25,
  phase 25, stage 17, lifecycle 8`,
)

/** Whether any new record has the value that an example shows: `"currency": "EUR"` */
export function isOfAnyNew(name: string): boolean {
  const words = wordsOf(name)
  return ofAnyNew.has(words.at(-1) === 'code' ? words.at(-2) : words.at(-1))
}

const ofRecords = table('property', `metadata 92, meta 67, history 21, dates 11, timestamps 3, audit 2, audit info 1`)

/** Whether an object says when its record was made and changed. */
export function isAboutRecord(name: string): boolean {
  return ofRecords.has(name)
}

/** Three providers of texts (chat, completions, transcripts) have what they made in such properties, and stream it. */
const textual: RegExp = /^(content|text|delta|completion|answer|output|response|message|transcript|generated_text)$/i

/** Whether a property has a text that somebody or something has written. */
export function isWrittenText(name: string): boolean {
  return textual.test(name)
}

/** Whether a text may only say that all is well. */
export const mayReport = (name: string): boolean => /^(message|response)$/i.test(name)

const jobs = table(
  'segment',
  `jobs 27, tasks 30, operations 10, executions 9, runs 8, imports 7, exports 16, batches 8, processes 3, async jobs 1`,
)
/** Whether a path lists what goes on by itself. */
export const isJob: (name: string) => boolean = jobs.has

/** Whether records of this noun own others. */
export const ownsOthers = (noun: string): boolean =>
  /^(users?|accounts?|members?|customers?|orgs?|organi[sz]ations?)$/.test(noun)
export const isChild = (name: string): boolean => /^(child|sub)/i.test(name)
/** Whether a plural name means one thing: `intrusionSettings` */
export const isOneThing = (name: string): boolean =>
  /^(settings|preferences|details|options|configs?|configurations?)$/.test(wordsOf(name).at(-1) ?? '')

const once: ReadonlySet<string> = new Set(
  `me self account profile settings setting config configuration preferences preference user whoami current myself
  subscription plan company organization organisation tenant wallet cart basket quota limits policy branding theme
  options license billing session`.split(/\s+/),
)
/** Whether a word is the name of something that exists once for each caller: `me` */
export const isOnce = (word: string): boolean => once.has(word)
