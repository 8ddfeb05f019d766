/** What the names of states say of a record: whether it begins, is in use, has ended or has failed. */
import { wordsOf } from '../../../lexicon/words.js'

/** Words in the order in which they count, each with the number of providers that have it. */
export function counted(text: string): Map<string, number> {
  return new Map(text.split(/,\s*/).map((each) => [each.replace(/ \d+$/, ''), Number(each.split(' ').at(-1))]))
}

/** The last word of the name of a state. */
export const isState: RegExp = /^(status|state|phase|stage|lifecycle)$/
/** First words of the state of something else. */
const ofOther = /^(latest|last|previous|prior|recent|next|parent)$/

/** Whether a property is the present state of its record. */
export function isOwnState(property: string): boolean {
  const words = wordsOf(property)
  return isState.test(words.at(-1) ?? '') && !ofOther.test(words[0] ?? '')
}

/** States in which records begin, the earliest first. */
export const beginnings: ReadonlyMap<string, number> = counted(
  `new 18, draft 19, created 19, initial 4, open 23, not started 9, queued 21, enqueued 4, requested 12, submitted 16,
  pending 62, waiting 15, registered 7, received 8, planned 7, scheduled 18, unverified 4, provisioning 8, creating 6,
  preparing 6, initializing 6`,
)
/** First words of such states: `requires_payment_method`, `awaiting_approval` */
const awaiting = /^(requires?|needs|awaiting|waiting|pending|not) /
/** States of records that are being made, or are in use. */
export const workings: ReadonlyMap<string, number> = counted(
  `starting 9, uploading 6, processing 29, in progress 30, started 13, incomplete 7, idle 7, active 60, enabled 25, live 7, available 19, ready 18, valid 9, ok 19, up 8, online 7,
  running 22, normal 4`,
)
/** States in which records end well, or as somebody wanted. */
const endings = counted(
  `completed 45, success 33, complete 27, closed 26, archived 19, succeeded 14, stopped 13, finished 12, removed 8, done 8,
  void 7, resolved 7, refunded 6, revoked 6, ended 6, returned 5, voided 5, withdrawn 5, reversed 4, retired 4,
  terminated 3, lost 3`,
)
/** States that something must have caused. Records may be in use after it. */
const causes = counted(
  `inactive 34, disabled 30, accepted 22, approved 22, delivered 17, suspended 14, unavailable 12, offline 12, paused 11,
  paid 10, none 10, sent 10, refused 8, down 8, shipped 7, locked 7, skipped 6, deactivated 6, all 6, blocked 5,
  on hold 5, past due 4`,
)
/** Parts of words of states in which records fail, or which nobody wants. */
const failures = counted(
  `fail 60, error 45, cancel 44, delet 33, reject 32, unknown 26, expire 26, invalid 16, declin 12, denied 8, timed out 6,
  timeout 5, abort 4`,
)

/** The words of a state, as the tables have them. */
export function stateWords(state: string): string {
  return wordsOf(state).join(' ')
}

export function isAwaiting(state: string): boolean {
  return awaiting.test(stateWords(state))
}

/** Whether a record has failed, or is in a state that nobody wants. */
export function isFailed(state: string): boolean {
  const words = stateWords(state)
  return [...failures.keys()].some((part) => words.includes(part))
}

/** Whether nothing happens to a record any more. */
export function isEnded(state: string): boolean {
  return endings.has(stateWords(state)) || isFailed(state)
}

/** Whether no record begins in a state: it has ended, or something must have caused it. */
export function isCaused(state: string): boolean {
  return isEnded(state) || causes.has(stateWords(state))
}

/** Whether nothing has happened to a record yet. */
export function isBegun(state: string): boolean {
  return beginnings.has(stateWords(state)) || isAwaiting(state)
}

/** Whether a record has begun and has not ended. */
export function isWorking(state: string): boolean {
  return workings.has(stateWords(state))
}
