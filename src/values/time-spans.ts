/** How long things last, by their nouns: an appointment minutes, a leave days, a contract months. */
import type { Relation } from '../json/sampler/sampler-plan.js'
import type { DescribedMember } from '../json/sampler/value-looks.js'
import { singular, wordsOf } from '../lexicon/words.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A time of an object. */
interface TimeOf {
  object: Record<string, unknown>
  name: string
  /** Names of the objects and lists around it. */
  path: readonly string[]
  isClock: boolean
  /** The words of its name that do not say when. */
  about: string
  at: number
  write(at: number): unknown
}

interface Span {
  least: number
  most: number
  /** What its beginning is a multiple of. */
  step: number
}

const meeting: Span = { least: 30 * minute, most: 2 * hour, step: 15 * minute }
const stay: Span = { least: day, most: 10 * day, step: day }

const spans: readonly (readonly [RegExp, Span])[] = [
  [/\b(shift|workday|work ?day)$/, { least: 4 * hour, most: 9 * hour, step: 30 * minute }],
  [
    /\b(appointment|visit|meeting|call|session|consultation|lesson|class|ride|slot|interview|webinar|exam|talk|lecture|workout|event|match|game|time ?entry|track|booking|reservation)$/,
    meeting,
  ],
  [
    /\b(job|run|build|command|import|export|backup|scan|deployment|pipeline|process|sync|execution|step|attempt|check|query|request log|trace|span)$/,
    { least: 10_000, most: 15 * minute, step: 1000 },
  ],
  [
    /\b(stay|leave( request)?|absence|vacation|holiday|trip|rental|loan|tour|sprint|order|shipment|sale|conference|admission)$/,
    stay,
  ],
  [
    /\b(contract|subscription|lease|policy|membership|semester|course|campaign|project|season|term|warranty|license|employment|insurance|enrol?lment)$/,
    { least: 30 * day, most: 365 * day, step: day },
  ],
]

/** The span of a thing. What has only days lasts days. @param owner its words, the last one in the singular */
function spanOf(owner: string, isDate: boolean, start: string): Span {
  if (/\b(check ?in|pick ?up|arriv\w*)\b/.test(start) && /\b(booking|reservation|rental|guest)$/.test(owner))
    return stay
  const found = spans.find(([pattern]) => pattern.test(owner))?.[1] ?? meeting
  return isDate && found.most < day ? stay : found
}

/** The span of an object with a start and an end, for new records. */
export function findSpan(members: readonly DescribedMember[], owner: string): Relation | undefined {
  const texts = members.flatMap(({ name, kind }) => (kind === 'text' ? [wordsOf(name).join(' ')] : []))
  const nameOf = (words: string | undefined) => members.find(({ name }) => wordsOf(name).join(' ') === words)?.name
  for (const [starts, ends] of pairs) {
    const [of, property] = [starts, ends].map((pattern) => nameOf(texts.find((each) => pattern.test(each))))
    if (of === undefined || property === undefined || of === property) continue
    const found = members.flatMap(({ name, kind }): [string, number, number][] => {
      const [, unit] = (kind !== 'text' && units.find(([pattern]) => pattern.test(wordsOf(name).join(' ')))) || []
      return unit === undefined || !isOwnDuration(wordsOf(name).join(' '))
        ? []
        : [[name, unit, countsBoth.test(wordsOf(name).join(' ')) ? 1 : 0]]
    })
    const { least } = spanOf(owner, /\b(date|on)$/.test(wordsOf(of).join(' ')), wordsOf(of).join(' '))
    return { is: 'span', property, of, lasts: least, ...(found[0] && { duration: found[0] }) }
  }
  return undefined
}

/**
 * Lets what begins and ends last as long as things of its kind, and writes its duration.
 * @param owner the words of the noun of the record
 * @param isPlan whether a time is planned, so that it may be in the future
 * @param latest the latest possible end, in milliseconds since 1970
 */
export function fitSpans<T extends TimeOf>(
  times: readonly T[],
  owner: string,
  isPlan: (time: T) => boolean,
  latest: number,
): void {
  const paired = new Set<T>()
  for (const end of times) {
    const start = times.find(
      (each) =>
        !paired.has(each) &&
        each.object === end.object &&
        each.about === end.about &&
        !each.isClock &&
        !end.isClock &&
        isPair(each, end, owner),
    )
    if (!start) continue
    paired.add(start)
    const isDate = String(end.write(end.at)).length === dateLength
    const noun = singular(wordsOf(end.path.findLast((each) => each !== '') ?? '').at(-1) ?? '')
    const span = spanOf(noun === '' ? owner : noun, isDate, wordsOf(start.name).join(' '))
    const lasts = span.least + (Math.abs(end.at - start.at) % (span.most - span.least))
    const length = Math.max(Math.round(lasts / span.step), 1) * span.step
    // What has ended was not begun earlier.
    if (isPlan(end)) {
      start.at = Math.floor(start.at / span.step) * span.step
      end.at = start.at + length
      const back = Math.ceil(Math.max(end.at - latest, 0) / day) * day
      start.at -= back
      end.at -= back
    } else start.at = end.at - length
    // Who has checked in did so at the beginning.
    for (const time of times)
      if (time.object === end.object && /\bchecked ?(in|out)\b/.test(wordsOf(time.name).join(' ')))
        time.at = /\bin\b/.test(wordsOf(time.name).join(' ')) ? start.at : end.at
  }
}

/** The length of a date in characters (RFC 3339, section 5.6: `full-date`). */
const dateLength = 10

function isPair(start: TimeOf, end: TimeOf, owner: string): boolean {
  const [one, other] = [start, end].map(({ name }) => wordsOf(name).join(' '))
  const [usual, stays] = pairs
  const [starts, ends] = travels.test(owner) ? [stays[1], stays[0]] : stays
  return [usual, [starts, ends] as const].some((pair) => pair[0].test(one ?? '') && pair[1].test(other ?? ''))
}

/** What departs before it arrives. */
const travels = /\b(flight|journey|leg|segment|train|bus|transfer|voyage|route|connection|ride|trip)$/

const pairs = [
  [/\b(starts?|started|begins?|began|begun|from|scheduled)\b/, /\b(ends?|ended|until|to|finish(es|ed)?|completed)\b/],
  [/\b(arriv\w*|check ?in|pick ?up)\b/, /\b(depart\w*|check ?out|drop ?off|return|delivery)\b/],
] as const

const units: readonly (readonly [RegExp, number])[] = [
  [/\b(ms|millis|milliseconds)$/, 1],
  [/\b(minutes?|mins?)$/, minute],
  [/\bhours?$/, hour],
  [/\b(days?|nights?)$/, day],
  [/^duration$|\b(duration|elapsed) (in )?(seconds?|secs?)$|^(seconds|elapsed)$/, 1000],
]

/** The first and the last day count. */
const countsBoth = /\bdays?$/

const isOwnDuration = (words: string) =>
  /^(duration|length|total|number of|elapsed|working|booked|rental|stay)?( in| of)?( stay)? ?\w+$/.test(words)
