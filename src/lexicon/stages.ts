/** What a state says of its record: whether it waits, is worked on, is in use, has ended or has failed. */
import { table } from './table.js'
import { bareName, wordsOf } from './words.js'

/** Last words of the name of a state. */
const stateNames = table('word', `status 386, state 214, phase 25, stage 17, lifecycle 8`)
/** First words of the name of the state of something else. */
const ofOther = table('lead', `latest 58, last 285, previous 83, recent 15, next 156, parent 140`)

/** Whether a property has a state: `status`, `payment_state` */
export function isStateName(property: string): boolean {
  return stateNames.has(wordsOf(property).at(-1))
}

/** Whether the last word of a name is `status` or `state`: no phase or stage. */
export function endsWithState(name: string): boolean {
  return /^(status|state)$/.test(wordsOf(name).at(-1) ?? '')
}

/** Whether a property is the present state of its record. */
export function isOwnStateName(property: string): boolean {
  return isStateName(property) && !ofOther.has(wordsOf(property)[0])
}

/** States in which records begin, the earliest first. */
const beginnings = table(
  'state',
  `new 18, draft 19, created 19, initial 4, open 24, not started 10, queued 21, enqueued 4, requested 12, submitted 16,
  pending 63, waiting 15, registered 7, received 8, planned 7, scheduled 18, unverified 4, provisioning 8, creating 6,
  preparing 6, initializing 6`,
)
/** First words of such states: `requires_payment_method`, `awaiting_approval` */
const awaiting = new Set(['requires', 'require', 'needs', 'awaiting', 'waiting', 'pending', 'not'])
/** States of a job that nobody works on yet. */
const queued = table(
  'state',
  `pending 63, accepted 22, queued 21, created 19, new 18, submitted 16, waiting 15, requested 12, not started 10,
  received 8, registered 7, enqueued 4, initiated 3, initialized 3, in queue 1`,
)
/** States of a job that is worked on. */
const underWay = table(
  'state',
  `starting 9, uploading 6, processing 29, in progress 32, started 13, running 22, provisioning 8, importing 7,
  preparing 6, initializing 6, creating 6, building 5, validating 4, deploying 4, sending 4, restoring 4, executing 3,
  finalizing 3, exporting 3, converting 3, ongoing 3, training 2, transferring 2, downloading 2, copying 2,
  scanning 2, in process 2, progress 1, working 1, active 61`,
)
/** States of what is being made, before it can be used. */
const making = table('state', `creating 6, provisioning 8, initializing 6, preparing 6, building 5`)
/** States of what is made, and can be used, the usual first. */
const usable = table('state', `active 61, available 20, running 22, ready 18, online 7, enabled 25, ok 19`)
/** States of records that are being made, or are in use, the earliest first. */
const workings = table(
  'state',
  `starting 9, uploading 6, processing 29, in progress 32, started 13, incomplete 7, idle 7, active 61, enabled 25,
  live 7, available 20, ready 18, valid 9, ok 19, up 8, online 7, running 22, normal 4`,
)
/** States in which jobs succeed, the usual first. */
const successes = table(
  'state',
  `succeeded 14, success 33, successful 6, completed 47, complete 27, done 8, finished 12, ready 18, processed 7`,
)
/** States in which records end well, or as somebody wanted. */
const endings = table(
  'state',
  `completed 47, success 33, complete 27, closed 26, archived 19, succeeded 14, stopped 13, finished 12, removed 8,
  done 8, successful 6, void 7, resolved 7, refunded 6, revoked 6, ended 7, returned 5, voided 5, withdrawn 5,
  reversed 4, retired 4, terminated 3, lost 3`,
)
/** States that something must have caused. Records may be in use after it. */
const causes = table(
  'state',
  `inactive 35, disabled 30, accepted 22, approved 22, delivered 18, suspended 14, unavailable 13, offline 12,
  paused 11, paid 10, none 10, sent 11, refused 8, down 9, shipped 7, locked 7, skipped 7, deactivated 6, all 6,
  blocked 5, on hold 5, past due 4`,
)
/** Parts of words of states that nobody wants, those of a failure first. */
const failing = ['fail', 'error', 'unsuccess']
const unwanted = [
  ...failing,
  ...['cancel', 'delet', 'reject', 'unknown', 'expire', 'invalid', 'declin', 'denied', 'timed out', 'timeout', 'abort'],
]

function includesOne(state: string, parts: readonly string[]): boolean {
  const words = wordsOf(state).join(' ')
  return parts.some((part) => words.includes(part))
}

/** Whether a state says that something has to happen first: `requires_action` */
export function isAwaiting(state: string): boolean {
  const [first = '', ...others] = wordsOf(state)
  return others.length > 0 && awaiting.has(first)
}

/** Whether nothing has happened to a record yet. */
export function isBegun(state: string): boolean {
  return beginnings.has(state) || isAwaiting(state)
}

/** What a state says of a flag with its word: `ENABLED` of `enabled`, `inactive` of `is_active`. Undefined if it says nothing. */
export function saysFlag(state: string, flag: string): boolean | undefined {
  const [said, own] = [bareName(state), bareName(flag)]
  if (said === own) return true
  const isOver =
    own === 'active' && (isFailed(state) || /^(suspend|archiv|delet|clos|block|expir|deactivat)/.test(said))
  return isOver || said.replace(/^(in|dis|un|not)/, '') === own.replace(/^en(?=abled$)/, '') ? false : undefined
}

/** Whether a job waits, and goes on by itself. */
export function isQueued(state: string): boolean {
  return queued.has(state)
}

/** Whether a job is worked on: `processing`, `importing files` */
export function isUnderWay(state: string): boolean {
  const [first, second = '', ...others] = wordsOf(state)
  const isOfSomething = others.length === 0 && (second === 'files' || second.endsWith('ing'))
  return underWay.has(state) || (isOfSomething && underWay.has(first))
}

/** Whether something is made, and cannot be used yet. */
export function isBeingMade(state: string): boolean {
  return making.has(state)
}

/** Whether a record has begun and has not ended. */
export function isWorking(state: string): boolean {
  return workings.has(state)
}

/** Whether a record, or a job, has failed. */
export function isFailure(state: string): boolean {
  return includesOne(state, failing)
}

/** Whether a record has failed, or is in a state that nobody wants. */
export function isFailed(state: string): boolean {
  return includesOne(state, unwanted)
}

/** Whether nothing happens to a record any more. */
export function isEnded(state: string): boolean {
  return endings.has(state) || isFailed(state)
}

/** Whether no record begins in a state: it has ended, or something must have caused it. */
export function isCaused(state: string): boolean {
  return isEnded(state) || causes.has(state)
}

/** The earliest of some states in which records begin. */
export function firstBeginning(states: readonly string[]): string | undefined {
  return beginnings.first(states)
}

/** The earliest of some states in which records are in use. */
export function firstWorking(states: readonly string[]): string | undefined {
  return workings.first(states)
}

/** The one of some states in which a job has succeeded. */
export function findSuccess(states: readonly string[]): string | undefined {
  return successes.first(states)
}

/** The one of some states in which what was made can be used. */
export function findUsable(states: readonly string[]): string | undefined {
  return usable.first(states)
}

/** Last words of flags that mark an end, or what nobody has done yet. */
const endFlags = table(
  'word',
  `deleted 65, disabled 51, locked 43, archived 30, read 40, closed 34, completed 44, expired 24, blocked 22,
  complete 31, deprecated 17, paused 12, suspended 12, sent 41, done 13, finished 26, canceled 14, cancelled 15,
  hidden 40, pinned 11, muted 11, starred 5, trashed 1`,
)
/** Flags of a record that is in use. */
const useFlags = table('property', `active 87, enabled 97, available 47, visible 25`)
/** Flags of an answer that is no error. */
const successFlags = table('property', `success 65, ok 8, successful 6`)
/** Words of flags that are true by default as often as false. Of all others, defaults are false in 579 of 757 schemas. */
const openFlags = table(
  'word',
  `active 121, enable 14, enabled 144, public 42, send 13, has 1, show 11, visible 33, available 77, allowed 53,
  default 88, primary 41`,
)
/** States of records that callers switch on and off. */
const switches = [
  ['active', 'inactive'],
  ['enabled', 'disabled'],
  ['on', 'off'],
] as const

/** States of records that nobody sees any more. */
const gone: ReadonlySet<string> = new Set(['deleted', 'removed', 'archived', 'trashed'])

export function isEndFlag(flag: string): boolean {
  return endFlags.has(wordsOf(flag).at(-1))
}

/** What makes a sentence about a state more than what follows an action: a condition, or a denial. */
const conditional = /\b(must|only|not|cannot|can't|if|unless|once|until|while|already|when|should)\b/i
const reaching =
  /\b(?:becomes?|marks?(?: \w+){1,3} as|(?:sets?|moves?|changes?)(?: \w+){1,4} to|in (?:the )?(?:status|state)) [`'"*]+([\w-]+)[`'"*]/i

/** The state that follows an action, as a sentence has it in quotes: ``It will be in status `cancelling` `` */
export function stateReached(sentence: string): string | undefined {
  const found = reaching.exec(sentence)
  return found && !conditional.test(sentence.slice(0, found.index)) ? found[1] : undefined
}

/** Whether a removal only takes a record out of use. */
export const saysUnused = (text: string): boolean => /\b(deactivates?|disables?)\b/i.test(text)

export function isUseFlag(flag: string): boolean {
  return useFlags.has(flag)
}

export function isSuccessFlag(flag: string): boolean {
  return successFlags.has(flag)
}

/** Whether nothing is known of the first value of a flag, because its words are those of flags with either default. */
export function isOpenFlag(flag: string): boolean {
  return wordsOf(flag).some((word) => openFlags.has(word))
}

/** The state that is switched on, if both states are those of a switch, or if the other one takes the record away: `deleted` */
export function switchedOn(states: readonly string[]): string | undefined {
  const lower = states.map((state) => state.toLowerCase())
  const open = states.filter((_, index) => !gone.has(lower[index] ?? ''))
  if (states.length === 2 && open.length === 1) return open[0]
  const pair = switches.find((each) => lower.every((state) => each.some((name) => name === state)))
  return pair && states[lower.indexOf(pair[0])]
}

/** Whether what was due is late. */
export const isOverdue = (state: string): boolean => /^(over ?due|past ?due|expired|late)$/i.test(state)
