/** What names of webhooks, of parts of a stream, and of properties say about an event. */
import { type Table, table } from './table.js'
import { singular, wordsOf } from './words.js'

/**
 * The stem of a word, without the ending of a verb.
 * @example ['shipped', 'cancel', 'creates'].map(stemOf) // ['ship', 'cancel', 'creat']
 */
export function stemOf(word: string): string {
  return singular(word)
    .replace(/(?:e|ed|ing)$/, '')
    .replace(/(\w\w)([a-z])\2$/, '$1$2')
}

/** What a word for an event says that happened to a record. */
export function changeNamed(word: string): 'create' | 'change' | 'remove' | undefined {
  const stem = stemOf(word)
  if (/^(creat|add|new|plac|open|regist)/.test(stem)) return 'create'
  if (/^(updat|chang|edit|modif|replac|patch)/.test(stem)) return 'change'
  return /^(delet|remov|destroy)/.test(stem) ? 'remove' : undefined
}

/** Words in the names of webhooks that say nothing about the event. */
export function isGeneralEventWord(word: string): boolean {
  return /^(on|event|webhook|hook|notification|a|the|was|has|been|v\d+)$/.test(word)
}

const eventNames = table('property', `event 53, event type 37, topic 26, event name 14`)
/** Whether a text is the name of an event. */
export const isEventName = (property: string): boolean => eventNames.has(property)
/** Whether a constant names what is streamed. */
export const isStreamedName = (property: string): boolean => property === 'type' || eventNames.has(property)

/** Whether a text identifies an event, by its name and those of the objects around it. */
export const isEventId: Table['has'] = table('property', `event id 34, delivery id 1`).has

/** Whether a part shows the state before the event. */
export function isBeforeEvent(name: string): boolean {
  return wordsOf(name).some((word) => former.has(word))
}
const former = table('word', `previous 40, before 34, old 7, prior 2`)

/** Whether a constant names what a stream begins with, or ends with. */
export function placeInStream(constant = ''): 'beginning' | 'end' | undefined {
  if (/(^|[^a-z])(created|started|start)$/i.test(constant)) return 'beginning'
  return /(^|[^a-z])(done|completed|complete|end|stop|finished)$/i.test(constant) ? 'end' : undefined
}

/** Whether a property is a field of a server-sent event (HTML, section 9.2.6). */
export function isStreamField(name: string): boolean {
  return /^(data|event|id|retry)$/.test(name)
}

/** Words after an event that tell more of it. */
const details = table(
  'word',
  `code 360, message 324, date 300, time 232, at 177, by 148, details 139, timestamp 134, reason 118, detail 109,
  comment 92, note 67, on 66, msg 34, reasons 22, ts 16`,
)
/** Whether the last word of a property says more of an event: `failure_reason`, `cancelled_at` */
export const isEventDetail = (word: string | undefined): boolean => details.has(word)

/** The words of an event in the name of a property: `cancelled` for `isCancelled` and `cancelled_at` */
export function eventIn(name: string): string {
  return wordsOf(name)
    .filter((word) => !/^(is|has|was|been)$/.test(word) && !details.has(word))
    .map((word) => word.replace(/^(complet|terminat)ion$/, '$1ed'))
    .join(' ')
}

/** Whether an event has happened, or is a reason. What is planned is another matter: `cancelAt`, `expires_at` */
export function hasHappened(event: string): boolean {
  return /ed( (in|out|off|up))?$|^(begun|complete|done|lost|paid|sent|void|withdrawn|failure|error|rejection|denial|decision|cancell?ation)$/.test(
    event,
  )
}

/** Whether a property says why, or by whom, an event has happened that its name does not say in the past: `cancel_reason` */
export function isToldLater(name: string): boolean {
  return (
    /^(cancel|reject|refuse|decline|dispute|close|ban|block|suspend)$/.test(eventIn(name)) &&
    /(reason|comment|note|message|by)s?$/i.test(name)
  )
}

/** Whether a record is mostly seen after an event only in the state of this name, or when it has ended well. */
export const isReached: Table['has'] = table(
  'word',
  `published 32, received 31, confirmed 16, checked in 0, checked out 0, decision 15, decided 0, reviewed 6,
  fulfilled 2`,
).has

/** The one of the first words of some times that says what has happened last to a record. */
export const latestEvent: Table['first'] = table(
  'lead',
  `updated 149, modified 53, started 50, queued 12, created 246`,
).first

/** Whether any record may have it that has ended, in whatever way. */
export const isAnyEnd = (event: string): boolean => /^(ended|closed|finished)$/.test(event)

export const isStart = (event: string): boolean => event === 'started' || event === 'begun'

/** Whether records are rarely seen after an event, so that one without a state has not had it. */
export const isRareEvent: Table['has'] = table(
  'word',
  `deleted 65, archived 30, cancelled 15, removed 15, canceled 14, revoked 7, voided 6, banned 4, refunded 7`,
).has

/** Whether a property says what went wrong. */
export const isFault: Table['has'] = table(
  'property',
  `error 149, errors 107, error message 58, error code 56, error description 18, failure reason 12, failures 11,
  error details 10, error messages 8, failure 7, error detail 7, rejection reason 5, failure message 5,
  failure details 4, error codes 3, failure description 3`,
).has
export const isFailureWord = (event: string): boolean => /^(fail|error)/.test(event)

export const isProgress: Table['has'] = table('property', `progress 29, percent complete 8`).has

/** What a parameter that shows removed records calls them, and what the removal must say then. */
const removals: Readonly<Record<string, RegExp>> = {
  ...{ deleted: /delet|remov/i, removed: /delet|remov/i, trashed: /trash/i },
  ...{ archived: /archiv/i, cancelled: /cancel/i, canceled: /cancel/i },
}
export const removalWords: readonly string[] = Object.keys(removals)
export const saysRemoval = (word: string, text: string): boolean => removals[word]?.test(text) === true

/** The word for removed records in the name of a parameter: `archived` for `include_archived` */
export function shownRemoval(name: string): string | undefined {
  // Most names have none.
  if (!/(deleted|removed|trashed|archived|cancell?ed)$/i.test(name)) return undefined
  const others = /^(includes?|shows?|with|only|also|is|return|results?|items?)$/
  return wordsOf(name)
    .filter((word) => !others.test(word))
    .join('')
}

const flagWords = table(
  'word',
  `is 2, has 1, was 1, been 0, requires 2, needs 3, allows 0, can 0, last 47, next 75, latest 17, enabled 144,
  required 96, allowed 53`,
)
/** Whether a word of a flag, or of what tells more of it, does not say what it is about: `is`, `required`, `last` */
export const isFlagWord: Table['has'] = flagWords.has
