/** Makes the values of a record fit its state: what has not ended has no time of its end, and what has not failed no reason. */
import { isObject } from '../json/own-value.js'
import {
  eventIn,
  hasHappened,
  isAnyEnd,
  isEventDetail,
  isFailureWord,
  isFault,
  isFlagWord,
  isProgress,
  isRareEvent,
  isReached,
  isStart,
  isToldLater,
  latestEvent,
} from '../lexicon/events.js'
import {
  isBegun,
  isCaused,
  isEnded,
  isFailed,
  isOverdue,
  isOwnStateName,
  isWorking,
  saysFlag,
} from '../lexicon/stages.js'
import { wordsOf } from '../lexicon/words.js'
import type { Values } from '../state/stored-record.js'

export type Lack = 'absent' | 'null' | 'kept'

const lacking: Record<Lack, (name: string, value: unknown) => [string, unknown][]> = {
  absent: () => [],
  null: (name) => [[name, null]],
  kept: (name, value) => [[name, value]],
}

/**
 * The record without what contradicts its state, also in its parts.
 * @param without how it lacks a value: `kept` if it must have one
 * @param within the same for its parts
 * @param states all states, in the order in which records reach them
 */
export function inPossibleState(
  values: Values,
  without: (name: string) => Lack,
  within: Lack,
  states: readonly string[] = [],
): Values {
  const entries = Object.entries(values).map(([name, value]) => ({ name, value, words: wordsOf(name) }))
  const status = entries.find(({ name, value }) => typeof value === 'string' && isOwnStateName(name))
  const current = status ? String(status.value) : undefined
  const latest = latestEvent(entries.flatMap(({ words, value }) => (value === null ? [] : (words[0] ?? []))))
  const lastTime = entries.find(({ words }) => words[0] === latest)?.value ?? null
  const kept = entries.flatMap(({ name, value, words }): [string, unknown][] => {
    if (current !== undefined && isFault(name) && typeof value !== 'boolean' && !mayHave(current, 'failure'))
      return lacking[without(name)](name, value)
    if (Array.isArray(value)) return [[name, value.map((each) => inPart(each))]]
    if (isObject(value)) return [[name, inPart(value)]]
    const event = eventIn(name)
    if (value === null && current !== undefined && hasHappened(event) && isOf(current, event)) return [[name, lastTime]]
    const isFlag = typeof value === 'boolean'
    const about = words.filter((word) => !isFlagWord(word)).join('') || name
    const said = isFlag && current !== undefined ? saysFlag(current, about) : undefined
    if (said !== undefined) return [[name, said]]
    const isAbout = words.length > 1 && (isEventDetail(words.at(-1)) || words[0] === 'date')
    if (typeof value === 'number' && current !== undefined && isBegun(current) && isProgress(name)) return [[name, 0]]
    const [verb = ''] = words
    const may = hasHappened(verb) && (isFlag || words.length === 2) ? hasReached(states, current, verb) : undefined
    if (may === false) return isFlag ? [[name, false]] : lacking[without(name)](name, value)
    if (may) return [[name, value === null && isOf(current ?? '', verb) ? lastTime : value]]
    if (
      !(isFlag || isAbout) ||
      !(hasHappened(event) || isToldLater(name)) ||
      !(isCaused(event) || isFailed(event) || isStart(event) || isRareEvent(event) || isReached(event))
    )
      return [[name, value]]
    if (current === undefined ? !isRareEvent(event) : mayHave(current, event)) return [[name, value]]
    return isFlag ? [[name, false]] : lacking[without(name)](name, value)
  })
  const denied = kept.flatMap(([name, value]) => (value === false ? flagStem(name) : []))
  return Object.fromEntries(
    kept.flatMap(([name, value]): [string, unknown][] => {
      if (value === false || !denied.some((stem) => isDetailOf(wordsOf(name), stem))) return [[name, value]]
      return typeof value === 'number' ? [[name, 0]] : lacking[without(name)](name, value)
    }),
  )

  function inPart(value: unknown): unknown {
    return isObject(value) && !Array.isArray(value) ? inPossibleState(value as Values, () => within, within) : value
  }
}

/** What a flag says that a record has: `ticket` for `isTicketed`, `follow up` for `follow_up_required` */
function flagStem(name: string): string[] {
  const words = wordsOf(name).filter((word) => !isFlagWord(word))
  const stem = words.join(' ').replace(/(?<=\w{3})(e?d|able)$/, '')
  return stem.length > 2 ? [stem] : []
}

/** Whether a property tells more of what a flag is about: `ticket_price`, `last_reopen_reason` */
function isDetailOf(words: readonly string[], stem: string): boolean {
  const said = words.filter((word) => !isFlagWord(word)).join(' ')
  const rest = said.startsWith(stem) ? said.slice(stem.length) : ''
  return /^\w{0,2} ./.test(rest)
}

/** Whether a record in a state has had the event of another one. Undefined if there is no such state. */
function hasReached(states: readonly string[], current: string | undefined, event: string): boolean | undefined {
  const [place, at] = [states.indexOf(current ?? ''), states.findIndex((each) => isAlike(each, event))]
  if (place < 0 || at < 0) return undefined
  return at === place || (at < place && !isFailed(event) && !isRareEvent(event) && !isUnhappy(current ?? ''))
}

/** Whether a state says that what was planned has not happened. */
const isUnhappy = (state: string) => isFailed(state) || isOverdue(state)

/** Whether an event may have happened to a record in a state. */
function mayHave(current: string, event: string): boolean {
  if (isFailed(event))
    return isFailed(current) && (isFailureWord(event) || event.slice(0, stem) === current.toLowerCase().slice(0, stem))
  if (isBegun(current)) return false
  if (isReached(event)) return isOf(current, event) || (isEnded(current) && !isFailed(current))
  if (isWorking(current) || isCaused(current)) return !isEnded(event) || (!isWorking(current) && isOf(current, event))
  return true
}

/** Whether an event is that of a state, or an end of any kind. */
function isOf(current: string, event: string): boolean {
  return (
    isAlike(current, event) ||
    (isEnded(current) && isAnyEnd(event)) ||
    (event === 'completed' && isEnded(current) && !isFailed(current))
  )
}

const isAlike = (...both: [string, string]) =>
  new Set(both.map((each) => wordsOf(each).join(' ').slice(0, stem))).size === 1

/** Characters that the words of an event have in common. */
const stem = 5
