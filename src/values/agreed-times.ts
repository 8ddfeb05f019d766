/** Puts the times of a record in the order in which their events happen. */
import { copyValue } from '../json/copy.js'
import type { ExactValue } from '../json/exact-value.js'
import { isObject } from '../json/own-value.js'
import { readTime, writeTime } from '../json/time-text.js'
import { isBegun, isEnded, isFailed, isOverdue, isOwnStateName } from '../lexicon/stages.js'
import { ownerWords, wordsOf } from '../lexicon/words.js'
import type { Entry } from './entry.js'
import { findName, person } from './names-of-things.js'
import { past } from './recipe.js'
import { fitSpans } from './time-spans.js'

/** Parts of names of events, in their order. The last match in a name counts, except that a plan is always one. */
const stages: readonly RegExp[] = [
  /birth|\bborn|\bdob\b/,
  /found(ed|ation)|establish|manufactur|\bbuilt|incorporat|\bsince\b/,
  /creat(ed?\b|ion|$)|regist|\binsert|\bjoin(ed)?\b|\bentered|\boldest|\binception|introduc|detected|discover|harvest|signed ?up|sign ?up/,
  /\bfirst\b/,
  /\badded|\bplaced|\banno?unced|\bpost(ed|ing)\b|queued?|request(ed)?\b|submit|\border(ed)?\b|issued?|booked|booking|upload|\bearned|invited|invoiced?\b|\bon ?sale|reported|recorded|purchased?|appli(ed|cation)|commit/,
  /accept|approv|authori[sz]|confirm|\bsent|released?|activat|launch|\bpublish|generated|enrol|verified|granted|assigned|captured|\bpaid|settled/,
  /shipp?ed|shipping|started|begun|began|\bopened|admitted|packed/,
]
const ends: readonly RegExp[] = [
  /deliver|finish|complet|fulfil|resolv|reject|declin|denied|cancell?ed|cancellation|void|refund|revoked?\b|closed|closing date|\bended|stopped|terminat|discharg|failed|received|\bread\b|returned|processed|ban(ned)?\b|fixed\b|patched|mitigated|unsubscribed|expired/,
  /updat|modif|\blast|\blatest|chang|edit(ed)?\b|current|recent|accessed|\bseen|\bviewed|sync/,
  /delet|archiv|remov/,
]
/** Plans may lie in the future. */
const plans: readonly RegExp[] = [
  /\b(starts?|starting|begin|begins|beginning|from|opens?|opening(?! balance)|depart\w*|check ?in|pick ?up|not (valid )?before|after|since)\b|start(date|time|s? ?at|s? ?on)|\b(min|minimum|lower|earliest)\b|effective/,
  /schedul|planned|appoint|\bevent|\bmeeting/,
  /\b(end|ends|ending|stop|stops|to|until|till|thru|through|finish|closes?|closing|arriv\w*|check ?out|drop ?off|return|not (valid )?after|before|end(date|time))\b|end(date|time)|\b(max|maximum|upper)\b|\b(eta|etd)\b|\b(estimated|expected|planned|promised) (deliver|complet)\w*/,
  /\bdue|deadline|best before|expir(y|es|ation|e\b)|valid ?(to|until|thru)|renew|\bnext|upcoming|future|\bwill\b|maturity|embargo/,
]
const [creation, firstEvent, unknown, lastChange, firstPlan] = [2, 3, 7, 9, 20]

/** The place of an event in the life of a record. Those from `firstPlan` on are plans. */
function stageOf(words: string): number {
  // What is called actual has happened.
  if (/^actual /.test(words)) return /\b(start|begin|pick ?up|depart|check ?in)/.test(words) ? unknown - 1 : unknown + 1
  const started = /^(start|begin|from|stop|end|until)/.test(words) ? (words.split(' ', 1)[0] ?? '') : words
  const planned = plans.findLastIndex((each) => each.test(started))
  const known = stages.findIndex((each) => each.test(words))
  const ended = ends.findLastIndex((each) => each.test(words))
  // The first and last events of several kinds are in the order of these.
  const [, which, event = ''] = /\b(first|last|latest|previous) (.+)/.exec(words) ?? []
  if (which !== undefined) return (which === 'first' ? firstEvent : lastChange) + stageOf(event) / 100
  if (planned >= 0 && !(known >= 0 && known <= creation) && (planned !== 0 || ended < 0)) return firstPlan + planned
  if (ended >= 0) return unknown + 1 + ended
  return known >= 0 ? known : unknown
}

interface Time {
  object: Record<string, unknown>
  name: string
  stage: number
  /** Names of the objects and lists around it. */
  path: readonly string[]
  /** Whether it is in something that was there before the record, such as its author. */
  isOlder: boolean
  /** Whether it is a time of the day. */
  isClock: boolean
  /** The other words of its name. */
  about: string
  at: number
  write(at: number): unknown
}

/** Values that are times, with their milliseconds since 1970 and how to write others in the same form. */
export function timeIn({ value, words }: Entry): { at: number; write: (at: number) => unknown } | undefined {
  if (typeof value === 'number') {
    if (/\b(id|number|count|amount|price|size|total|version)$/.test(words)) return undefined
    if (value > 9e8 && value < 5e9) return { at: value * 1000, write: (at) => Math.floor(at / 1000) }
    return value > 9e11 && value < 5e12 ? { at: value, write: (at) => Math.floor(at) } : undefined
  }
  if (typeof value !== 'string') return undefined
  if (/^1\d{9}(\d{3})?$/.test(value)) {
    const unit = value.length === 10 ? 1000 : 1
    return { at: Number(value) * unit, write: (at) => String(Math.floor(at / unit)) }
  }
  const time = /^\d+$/.test(value) && !/date|time|day|\bat\b|\bon\b/.test(words) ? undefined : readTime(value)
  // Digits after the second stay.
  const fraction = Number(`0${/:\d\d(\.\d+)/.exec(value)?.[1] ?? ''}`)
  return time && { at: time.at + Math.floor(fraction * 1000), write: (at) => writeTime(at, time.form) }
}

const dayMs = 86_400_000

/**
 * A copy in which no event is before one that must come first. Earlier events are moved, so that nothing that has happened
 * is in the future.
 * @param now in milliseconds since 1970
 * @param owner the words of the noun of the record, the last one in the singular
 */
export function withTimesInOrder(values: Record<string, unknown>, now: number, owner = ''): Record<string, unknown> {
  const record = copyValue(values as Record<string, ExactValue>) as Record<string, unknown>
  const times = timesIn(record)
  if (times.length === 0) return record
  // What tells what has happened is recorded after that.
  if (isTold.test(owner))
    for (const time of times)
      if (
        time.path.length === 0 &&
        !time.isClock &&
        (time.stage === unknown ? time.about === '' || owner.endsWith(time.about) : isSpan(time))
      )
        time.stage = creation - 1 / (time.stage + 1)
  // What is in a state that it has reached is not planned.
  const isOver = Object.values(record).some((value) => typeof value === 'string' && isOverdue(value))
  if (isOver) for (const time of times) if (time.stage === firstPlan + 3) time.stage = unknown + 1
  for (const time of times)
    if (time.stage < firstPlan && !time.isClock && time.at > now) time.at = now - ((time.at - now) % (20 * dayMs))
  // People are there before what they make.
  if (findName(owner) === person)
    for (const time of times) if (time.stage <= creation && time.path.length === 0) time.at += past.from * dayMs
  const inOrder = times.toSorted((one, other) => other.stage - one.stage || one.path.length - other.path.length)
  // Moving one time may make another one wrong, but each is only moved to the past.
  for (let round = 0, isChanged = true; isChanged && round < times.length; round++) {
    isChanged = false
    for (const later of inOrder)
      for (const earlier of inOrder) {
        if (earlier.at <= later.at || !isBefore(earlier, later)) continue
        const gap = later.isClock ? (earlier.at - later.at) % (later.at + 1) : (earlier.at - later.at) % (30 * dayMs)
        earlier.at = Math.floor((later.at - gap) / 1000) * 1000
        if (later.at % 1000 > 0) earlier.at -= 1000
        isChanged = true
      }
  }
  const state = stateIn(record)
  // What waits for its beginning has it before itself.
  for (const time of times) {
    const isPlanned = Math.floor(time.stage) >= firstPlan && time.stage < firstPlan + 3 && !time.isClock
    const isDay = time.stage === unknown && time.about === ''
    const own = time.path.length === 0 ? state : stateIn(time.object)
    if ((isPlanned || isDay) && (own === 'begun' ? time.at < now : own === 'done' && time.at > now))
      time.at += Math.round((2 * (now - time.at)) / dayMs) * dayMs
  }
  fitSpans(times, owner, ({ stage }) => stage >= firstPlan, state === 'done' ? now : Number.POSITIVE_INFINITY)
  for (const { object, name, at, write } of times) object[name] = write(at)
  return record
}

/** @param isCopy whether an object is that of another record */
function timesIn(record: object, isCopy: (part: object) => boolean = () => false): Time[] {
  const times: Time[] = []
  visit(record, [], false)
  return times

  function visit(value: unknown, path: readonly string[], isOlder: boolean): void {
    if (Array.isArray(value)) for (const each of value) visit(each, [...path, ''], isOlder)
    if (!isObject(value) || Array.isArray(value) || isCopy(value)) return
    const object = value as Record<string, unknown>
    for (const [name, own] of Object.entries(object)) {
      const words = wordsOf(name).join(' ')
      const time = timeIn({ name, words, value: own })
      const isOwner =
        findName(ownerWords(name)) === person || (!Array.isArray(own) && !/^(last|latest|recent|newest)/.test(words))
      if (!time) visit(own, [...path, name], isOlder || isOwner)
      else
        times.push({
          object,
          name,
          stage: stageOf(words),
          path,
          isOlder,
          isClock: time.at >= 0 && time.at < dayMs,
          about: aboutOf(words),
          ...time,
        })
    }
  }
}

/** What is cancelled has not begun. */
const isCancelled = /cancel/i

interface Since {
  /** Milliseconds since 1970. */
  now: number
  owner: string
  /** Whether an object is that of another record. */
  isCopy(part: object): boolean
}

/**
 * The record in which nothing has happened before the records that it refers to were created. Its times stay in order.
 * @param since when the last one of them was created, in milliseconds since 1970
 */
export function withTimesSince(
  values: Record<string, unknown>,
  since: number,
  { now, owner, isCopy }: Since,
): Record<string, unknown> {
  const isEvent = ({ stage, isClock }: Time) => !isClock && stage >= creation
  const first = Math.min(
    ...timesIn(values, isCopy)
      .filter(isEvent)
      .map(({ at }) => at),
  )
  if (!(first < since + dayMs) || since >= now) return values
  const start = since + Math.min(dayMs, (now - since) / 2)
  const copied = new WeakSet<object>()
  const record = copyOf(values) as Record<string, unknown>
  const times = timesIn(record, (part) => copied.has(part)).filter(isEvent)
  for (const time of times)
    if (time.at < now) time.at = Math.floor((start + ((time.at - first) * (now - start)) / (now - first)) / 1000) * 1000
  fitSpans(times, owner, ({ stage }) => stage >= firstPlan, stateIn(record) === 'done' ? now : Number.POSITIVE_INFINITY)
  for (const { object, name, at, write } of times) object[name] = write(at)
  return record

  function copyOf(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(copyOf)
    if (!isObject(value)) return value
    if (!isCopy(value)) return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, copyOf(own)]))
    copied.add(value)
    return value
  }
}

/** Records of what has happened. */
const isTold =
  /\b(log|history|entry|record|track|transaction|payment|expense|income|incident|activity|audit|measurement|reading|result|report|attempt|execution|recording|rating|attendance|sale|purchase|donation|movement|mileage|accident|diagnosis|sighting|workout)$/

const isSpan = ({ stage }: Time) => stage === firstPlan || stage === firstPlan + 2

/** When a record was created, or when what it tells began. */
export function bornAt(record: object): number {
  const times = timesIn(record).filter(({ stage, path, isClock }) => path.length === 0 && !isClock && stage >= creation)
  const created = times.filter(({ stage }) => stage === creation)
  const events = created.length > 0 ? created : times.filter(({ stage }) => stage < lastChange)
  return events.length > 0 ? Math.min(...events.map(({ at }) => at)) : Number.NEGATIVE_INFINITY
}

/** The state of a record: begun, if it waits for what is planned, and done, if that has ended as planned. */
function stateIn(record: Record<string, unknown>): 'begun' | 'done' | undefined {
  const [, state] =
    Object.entries(record).find(([name, value]) => typeof value === 'string' && isOwnStateName(name)) ?? []
  if (state === undefined) return undefined
  return isBegun(String(state)) ? 'begun' : isEnded(String(state)) && !isFailed(String(state)) ? 'done' : undefined
}

/** Words that say when something happened, but not what. */
const aboutOf = (words: string) =>
  words
    .replace(/\b(check|drop|pick) ?(in|out|off|up)\b/, '')
    .split(' ')
    .filter((word) => !/^(at|on|date|time|timestamp|ts|utc|gmt|datetime|day|epoch|unix|ms|millis)$/.test(word))
    .filter((word) => [...stages, ...ends, ...plans].every((each) => !each.test(word)))
    .join(' ')

/** Whether the first event of two must be before the second. */
function isBefore(one: Time, other: Time): boolean {
  if (one === other || one.isClock !== other.isClock) return false
  const isSame = one.object === other.object
  if (one.isClock) return isSame && one.stage < other.stage && one.about === other.about
  const [isPlan, isOtherPlan] = [one.stage >= firstPlan, other.stage >= firstPlan]
  if (isSame) {
    // What has been finished was started.
    if (isPlan && other.stage === unknown + 1) return one.stage <= firstPlan + 1 && one.about === other.about
    if (one.stage >= other.stage) return false
    // A record is changed before and after what is planned.
    if (isOtherPlan)
      return isPlan
        ? one.about === other.about || other.stage === firstPlan + 3
        : one.stage < unknown ||
            (other.stage === firstPlan + 3 ? one.stage < lastChange + 1 : isCancelled.test(one.name))
    return !isPlan
  }
  // What was made with a record, or later, is within its life.
  const isInside = one.path.every((each, index) => each === other.path[index])
  if (isInside && one.path.length < other.path.length)
    return (
      one.stage <= creation &&
      (other.stage > creation || (one.stage === creation && other.stage === creation && !other.isOlder))
    )
  const isAround = other.path.every((each, index) => each === one.path[index]) && other.path.length < one.path.length
  if (!isAround) return false
  if (other.stage === creation) return one.isOlder && one.stage <= creation
  return Math.floor(other.stage) === lastChange && !isPlan
}
