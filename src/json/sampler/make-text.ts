/** Makes texts by their parts and length, repeatable by the random numbers. */

import type { Random } from '../random.js'
import { writeTime } from '../time-text.js'
import type { Making, TextPart, TextPlan, TimeRange } from './sampler-plan.js'

/** Maximum tries for a text of the right length, with longer repetitions each time. */
const maxTries = 24
/** Maximum length of made texts. */
const maxLength = 1_000_000

/**
 * @param makeOther makes a value of another plan
 * @returns undefined if no text of the right length is found
 */
export function makeText(plan: TextPlan, making: Making, makeOther: (plan: number) => unknown): string | undefined {
  const { parts, examples, isStrict, minLength = 0, maxLength: most = Number.POSITIVE_INFINITY } = plan
  const { random, record } = making
  if (minLength > maxLength || minLength > most) return undefined
  const fits = (text: string) => {
    const length = text.length < minLength || text.length > most ? [...text].length : text.length
    return length >= minLength && length <= most
  }
  // The first records have the examples, so that their values fit together.
  const index = record ?? 0
  const shown = parts ? examples?.[index] : examples?.[index === 0 ? 0 : random.below(examples.length)]
  if (typeof shown === 'string' && fits(shown)) return shown
  const made = parts && makeByParts(parts, making, minLength, fits, makeOther)
  if (made !== undefined || isStrict) return made
  const text = parts ? makeParts(parts, making, 0, makeOther) : ''
  const filled = text.length < minLength || !parts ? `${text}${makeWord(random, minLength - text.length)}` : text
  // The text must not end with a space. Two or three letters of a word look like a code if they are capitals.
  const cut = [...filled].slice(0, most).join('').replace(/ $/, '.')
  return most <= 3 ? cut.toUpperCase() : cut
}

/** A short word, or letters of the required length. */
function makeWord(random: Random, minLength: number): string {
  const word = words[random.below(words.length)] ?? ''
  return word.length >= minLength ? word : Array.from({ length: minLength }, () => oneOf(letters, random)).join('')
}

const words = ['harbor', 'meadow', 'river', 'garden', 'bridge', 'forest', 'signal', 'window', 'valley', 'island']

function makeByParts(
  parts: readonly TextPart[],
  making: Making,
  minLength: number,
  fits: (text: string) => boolean,
  makeOther: (plan: number) => unknown,
): string | undefined {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    // The first tries repeat little, as most patterns are written for short texts.
    const spread = attempt % 3 === 0 ? 3 : attempt % 3 === 1 ? 0 : Math.max(minLength, 2 * attempt)
    const text = makeParts(parts, making, spread, makeOther)
    if (fits(text)) return text
  }
  return undefined
}

function makeParts(
  parts: readonly TextPart[],
  making: Making,
  spread: number,
  makeOther: (plan: number) => unknown,
): string {
  return parts.map(makePart).join('')

  function makePart(part: TextPart): string {
    const { random } = making
    if (typeof part === 'string') return part
    if ('oneOf' in part) return oneOf(part.oneOf, random)
    if ('of' in part) return String(makeOther(part.of) ?? '')
    if ('time' in part) return writeTime(makeTime(making, part.time), part.form)
    if ('anyOf' in part) return makeParts(part.anyOf[random.below(part.anyOf.length)] ?? [], making, spread, makeOther)
    const { repeat, min, max = Number.POSITIVE_INFINITY } = part
    const count = Math.min(min + random.below(spread + 1), max)
    return Array.from({ length: count }, () => makeParts(repeat, making, spread, makeOther)).join('')
  }
}

/** The time of samples: 2026-01-01. */
const sampleNow = Date.UTC(2026, 0, 1)
const dayMs = 86_400_000

/** A time between two days relative to now, in milliseconds since 1970. */
export function makeTime({ random, now = sampleNow, example }: Making, { from, to }: TimeRange): number {
  if (example) return now
  const seconds = Math.floor((now + (from + random.next() * (to - from)) * dayMs) / 1000)
  return seconds * 1000
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

function oneOf(characters: string, random: Random): string {
  const all = [...characters]
  return all[random.below(all.length)] ?? ''
}
