/**
 * Learns what a service does from exchanges with it: lines of the vocabulary that make the answers of the sandbox right, and that no exchange
 * contradicts. Candidates are proposed from what differs, tried, and kept if they helped.
 */
import { type Learned, type Observed, placeOf } from './observed.js'
import {
  type IsReason,
  proposeAnswers,
  proposeErrors,
  proposeLeftOut,
  proposeLocation,
  proposeStatus,
} from './propose-answers.js'
import { proposeHabits } from './propose-habits.js'
import { proposeBlocked, proposeChanges, proposeFirst, proposeUnique } from './propose-records.js'
import { shownRecords } from './shown-records.js'

export interface LearnFrom {
  /** Sends the requests of all exchanges to a sandbox that has the lines, or those of them that it can have. */
  play(lines: readonly Learned[]): Promise<Played>
  /** The property with the key of a collection. */
  keyOf(collection: string): string
  /** Whether the service makes a property, or it names an owner. */
  isKey(collection: string, name: string): boolean
  /** The paths of the collections whose records name those of a collection. */
  pathsBelow(collection: string): readonly string[]
  isReason: IsReason
  /** What may be written of a value. Undefined: nothing. */
  hide(value: unknown, name: string): unknown
}

export interface Played {
  all: readonly Observed[]
  lines: readonly Learned[]
}

export interface Lesson {
  lines: readonly Learned[]
}

/** What changes one answer can make others right, or differ in something else. */
const maxRounds = 4

/** @returns lines in the order in which they were found */
export async function learn(from: LearnFrom): Promise<Lesson> {
  const { all: before } = await from.play([])
  let lines: readonly Learned[] = []
  let now = before
  const tried = new Set<string>()
  for (const habit of proposeHabits(before)) {
    const { all } = await from.play([...lines, habit])
    if (sum(all) >= sum(now)) continue
    lines = [...lines.filter((each) => placeOf(each) !== placeOf(habit)), habit]
    now = all
  }
  for (let round = 0; round < maxRounds; round++) {
    const proposed = propose(from, now).filter((each) => !tried.has(JSON.stringify([placeOf(each), each.says])))
    for (const each of proposed) tried.add(JSON.stringify([placeOf(each), each.says]))
    if (proposed.length === 0) break
    const kept = await keepGood(from, { lines, now }, proposed)
    lines = kept.lines
    now = kept.now
  }
  return { lines }
}

function propose({ keyOf, isKey, pathsBelow, isReason, hide }: LearnFrom, now: readonly Observed[]): Learned[] {
  const shown = shownRecords(now, keyOf)
  const found = [
    ...proposeStatus(now),
    ...proposeFirst(shown, isKey),
    ...proposeChanges(shown),
    ...proposeUnique(now),
    ...proposeBlocked(now, pathsBelow),
    ...proposeErrors(now, isReason),
    ...proposeAnswers(now, keyOf),
    ...proposeLeftOut(now),
    ...proposeLocation(now),
  ]
  return found.flatMap((line) => {
    const says = hide(line.says, line.about)
    return says === undefined ? [] : [{ ...line, says }]
  })
}

interface Kept {
  lines: readonly Learned[]
  now: readonly Observed[]
}

/** Adds the lines that make no answer worse: without those that are about worse answers, and of these what is good alone. */
async function keepGood(from: LearnFrom, known: Kept, proposed: readonly Learned[]): Promise<Kept> {
  if (proposed.length === 0) return known
  const { lines, now: before } = known
  const replaced = new Set(proposed.map(placeOf))
  const played = await from.play([...lines.filter((each) => !replaced.has(placeOf(each))), ...proposed])
  const used = proposed.filter((each) => played.lines.includes(each))
  const worse = worseIn(played.all, before)
  if (worse.length === 0) {
    const isKept = (each: Learned) => !used.includes(each) || hasHelped(each, played.all, before)
    const needed = played.lines.filter(isKept)
    const less = needed.length < played.lines.length ? await from.play(needed) : played
    // What did not help may keep another line from making an answer worse.
    const { lines: all, all: now } = worseIn(less.all, played.all).length === 0 ? less : played
    return { lines: all, now }
  }
  const blamed = used.filter((each) => worse.some((one) => isAbout(each, one)))
  const others = used.filter((each) => !blamed.includes(each))
  if (used.length <= 1) return known
  const half = Math.ceil(used.length / 2)
  const parts = blamed.length > 0 && others.length > 0 ? [others, blamed] : [used.slice(0, half), used.slice(half)]
  let kept = known
  for (const part of parts) kept = await keepGood(from, kept, part)
  return kept
}

/** Whether a line is about an answer. */
function isAbout({ operation, collection, seen }: Learned, { number, operation: { id, effect } }: Observed): boolean {
  if (seen.includes(number)) return true
  if (operation !== undefined) return operation === id
  return collection === undefined || ('collection' in effect && effect.collection === collection)
}

function hasHelped(line: Learned, next: readonly Observed[], now: readonly Observed[]): boolean {
  return next.some((each, index) => isAbout(line, each) && distance(each) < distance(now[index] ?? each))
}

/** How far an answer is from the real one: 0 is right. Another status is further than any difference. */
export function distance({ differences }: Observed): number {
  const isOther = differences.some(({ kind }) => kind === 'status')
  return isOther ? 1000 : Math.min(differences.length, 999)
}

function sum(all: readonly Observed[]): number {
  return all.reduce((total, each) => total + distance(each), 0)
}

/** The answers that were right and are not any more, or have another status. */
function worseIn(next: readonly Observed[], now: readonly Observed[]): Observed[] {
  return next.filter((each, index) => {
    const [later, earlier] = [distance(each), distance(now[index] ?? each)]
    return earlier === 0 ? later > 0 : later >= 1000 && earlier < 1000
  })
}
