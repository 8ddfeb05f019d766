/** Parts of recipes, which say how to make texts. */
import type { TimeRange } from '../json/sampler/sampler-plan.js'
import type { Recipe, RecipePart } from '../json/sampler/value-looks.js'

export const digits = '0123456789'
export const hexadecimals = '0123456789abcdef'
export const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const letters = 'abcdefghijklmnopqrstuvwxyz'

export const oneOf = (words: readonly string[] | string): Recipe => [
  { words: typeof words === 'string' ? words.split(words.includes('|') ? '|' : ' ') : words },
]

/** Characters of a set. @example many(digits, 4) // '0427' */
export const many = (characters: string, count: number): RecipePart => ({
  repeat: [{ oneOf: characters }],
  min: count,
  max: count,
})

/** A number without a zero at its beginning. */
export const number = (length: number): Recipe => [{ oneOf: '123456789' }, many(digits, length - 1)]

/**
 * What names mean by their last words: the longest known ending decides.
 * @param rows values with their names. A name of several words has underscores; one with `^` has no other words before it
 * @returns finds a value by words. A whole name has no other words before it
 * @example table([[phone, 'phone mobile'], [count, 'phone_count']])('work phone') // phone
 */
export function table<T>(rows: readonly (readonly [T, string])[]): (words: string, isWhole?: boolean) => T | undefined {
  const byName = new Map<string, T>()
  for (const [value, names] of rows.toReversed())
    for (const name of names.trim().split(/\s+/)) byName.set(name.replaceAll('_', ' '), value)
  return (words, isWhole) => {
    if (isWhole) return byName.get(words)
    if (byName.has(`^${words}`)) return byName.get(`^${words}`)
    let rest = words
    while (rest !== '' && !byName.has(rest)) rest = rest.includes(' ') ? rest.slice(rest.indexOf(' ') + 1) : ''
    return byName.get(rest)
  }
}

/** When something happened or will happen, in days from now. */
export const past: TimeRange = { from: -240, to: -20 }
const recent: TimeRange = { from: -20, to: 0 }
const upcoming: TimeRange = { from: 2, to: 60 }
export const around: TimeRange = { from: -30, to: 30 }
const lifetime: TimeRange = { from: -65 * 365, to: -19 * 365 }
const ofPupil: TimeRange = { from: -17 * 365, to: -6 * 365 }
const ofAnimal: TimeRange = { from: -12 * 365, to: -365 }

/**
 * When an event of this name is: what expires is in the future, what was updated is not long ago.
 * @param words of a name, in lower case with spaces
 * @param owner the words of the noun of the record
 */
export function rangeOf(words: string, owner = ''): TimeRange {
  if (/\b(birth|born|birthday|dob)\b|birth(day|date)/.test(words)) {
    if (/\b(animal|dog|puppy|cat|kitten|horse|pony|cow|sheep|bird|rabbit)$/.test(owner)) return ofAnimal
    return /\b(student|pupil|child|kid)$/.test(owner) ? ofPupil : lifetime
  }
  if (
    /\b(expir\w*|due|until|renew\w*|next|upcoming|deadline|maturity|valid to|scheduled?|cancel at|end|ends|finish)\b/.test(
      words,
    )
  )
    return upcoming
  if (
    /\b(updated?|modified|changed?|edited|last|accessed|seen|used|sync\w*|viewed|completed|finished|ended|paid|closed|delivered|received|read|archived|deleted|removed|cancell?ed)\b/.test(
      words,
    )
  )
    return recent
  return /\b(start\w*|begin\w*|from|arriv\w*|depart\w*|check ?(in|out)|pick ?up)\b/.test(words) ? around : past
}

export const dateTime = (time: TimeRange): Recipe => [{ time, form: '{Y}-{M}-{D}T{h}:{m}:{s}.000Z' }]
export const date = (time: TimeRange): Recipe => [{ time, form: '{Y}-{M}-{D}' }]
export const clock = (time: TimeRange): Recipe => [{ time, form: '{h}:{m}:{s}Z' }]

/** The recipe of a text in the form of another one: each digit is another digit. Undefined if it has no digits to vary. */
export function vary(text: string): Recipe | undefined {
  // The digits of `mp4` are no number.
  const [ending = ''] = /\.[a-z]\w{1,4}$/i.exec(text) ?? []
  const run = /(?<!\d)\d+(?=\D*$)/.exec(text.slice(0, text.length - ending.length))
  if (!run || /^\d{4}-\d\d/.test(text)) return undefined
  const [last] = run
  const count = last.length
  const isHexadecimal = /^[\da-f-]{8,}$/i.test(text) && /[a-f]/i.test(text)
  if (isHexadecimal) {
    const set = /[A-F]/.test(text) ? hexadecimals.toUpperCase() : hexadecimals
    return [...text].map((character) => (character === '-' ? '-' : { oneOf: set }))
  }
  return [text.slice(0, run.index), ...number(count), text.slice(run.index + count)]
}
