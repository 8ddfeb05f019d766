/** Makes the values of a record fit its state: what has not ended has no time of its end, and what has not failed no reason. */

import { isObject } from '../json/own-value.js'
import { isBegun, isCaused, isEnded, isFailed, isWorking } from '../lexicon/stages.js'
import { wordsOf } from '../lexicon/words.js'
import type { Values } from '../state/stored-record.js'

export type Lack = 'absent' | 'null' | 'kept'

const lacking: Record<Lack, (name: string, value: unknown) => [string, unknown][]> = {
  absent: () => [],
  null: (name) => [[name, null]],
  kept: (name, value) => [[name, value]],
}

const state = /^(status|state|phase|stage)$/
/** Words after an event that tell more of it. */
const about = /^(at|on|by|date|time|timestamp|ts|reasons?|code|message|msg|details?|note|comment)$/
const begins = /^(started|begun)$/
/** What has happened, or a reason for it. What is planned is another matter: `cancelAt`, `expires_at` */
const happened =
  /ed$|^(begun|complete|done|lost|paid|sent|void|withdrawn|failure|error|rejection|denial|cancell?ation)$/
/** What went wrong. */
const isFault = /^(failure|error|rejection) ?(reason|details?|code|message|description)?s?$/
/** Events after which a record is rarely seen, so that one without a state has none of them. */
const rare = /^(deleted|removed|archived|trashed|banned|revoked|cancell?ed|voided)$/

/**
 * The record without what contradicts its state, also in its parts.
 * @param without how it lacks a value: `kept` if it must have one
 * @param within the same for its parts
 */
export function inPossibleState(values: Values, without: (name: string) => Lack, within: Lack): Values {
  const entries = Object.entries(values).map(([name, value]) => ({ name, value, words: wordsOf(name) }))
  const status = entries.find(({ words, value }) => typeof value === 'string' && state.test(words.at(-1) ?? ''))
  const current = status ? String(status.value) : undefined
  const kept = entries.flatMap(({ name, value, words }): [string, unknown][] => {
    if (
      current !== undefined &&
      isFault.test(words.join(' ')) &&
      typeof value !== 'boolean' &&
      !mayHave(current, 'failure')
    )
      return lacking[without(name)](name, value)
    if (Array.isArray(value)) return [[name, value.map((each) => inPart(each))]]
    if (isObject(value)) return [[name, inPart(value)]]
    const event = words.filter((word) => !/^(is|has|was|been|date)$/.test(word) && !about.test(word)).join(' ')
    const isFlag = typeof value === 'boolean'
    const isAbout = words.length > 1 && (about.test(words.at(-1) ?? '') || words[0] === 'date')
    if (
      typeof value === 'number' &&
      current !== undefined &&
      isBegun(current) &&
      /^(progress|percent complete)$/.test(words.join(' '))
    )
      return [[name, 0]]
    if (
      !(isFlag || isAbout) ||
      !happened.test(event) ||
      !(isCaused(event) || isFailed(event) || begins.test(event) || rare.test(event))
    )
      return [[name, value]]
    if (current === undefined ? !rare.test(event) : mayHave(current, event)) return [[name, value]]
    return isFlag ? [[name, false]] : lacking[without(name)](name, value)
  })
  return Object.fromEntries(kept)

  function inPart(value: unknown): unknown {
    return isObject(value) && !Array.isArray(value) ? inPossibleState(value as Values, () => within, within) : value
  }
}

/** Whether an event may have happened to a record in a state. */
function mayHave(current: string, event: string): boolean {
  if (isFailed(event))
    return (
      isFailed(current) &&
      (/^(fail|error)/.test(event) || event.slice(0, stem) === current.toLowerCase().slice(0, stem))
    )
  if (isBegun(current)) return false
  if (isWorking(current)) return !isEnded(event)
  return true
}

/** Characters that the words of an event have in common. */
const stem = 5
