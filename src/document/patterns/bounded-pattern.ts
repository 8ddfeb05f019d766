/**
 * Regular expressions that take linear time for any pattern: JavaScript's own engine takes minutes for `^(a+)+$` and thirty
 * letters.
 */
import { RE2JS } from 're2js'
import { counted } from './foreign-patterns.js'

/** The part of a regular expression that validators need. */
export interface BoundedPattern {
  test(text: string): boolean
  toString(): string
}

/** The worst-case time of the JavaScript engine by the length of the text. */
type Cost = 'linear' | 'polynomial' | 'exponential'

/** The JavaScript engine matches texts up to this length if that takes polynomial time. */
const maxShort = 200

/**
 * @param pattern valid with the flag `u`
 * @returns undefined if the pattern takes exponential time, and the other engine does not know its syntax
 */
export function boundPattern(pattern: string): BoundedPattern | undefined {
  const own = new RegExp(pattern, 'u') // unmeasured: its cost is judged next
  const cost = costOf(pattern)
  if (cost === 'linear') return own
  const linear = compileLinear(pattern)
  if (cost === 'exponential') return linear
  // Longer texts with lookaround are not checked, as no engine can do that in reasonable time.
  const testLong = (text: string) => linear?.test(text) ?? true
  return {
    test: (text) => (text.length <= maxShort ? own.test(text) : testLong(text)),
    toString: () => String(own),
  }
}

/** The maximum repetitions that RE2 supports. */
const maxCounted = 1000

/** Compiles with RE2, which supports neither lookaround nor back references. Greater counts become unlimited. */
function compileLinear(pattern: string): BoundedPattern | undefined {
  try {
    const countable = pattern.replace(counted, (whole, least?: string, most?: string) =>
      Number(most) > maxCounted && Number(least) <= maxCounted ? `{${least},}` : whole,
    )
    const compiled = RE2JS.compile(RE2JS.translateRegExp(countable))
    return { test: (text) => compiled.test(text), toString: () => `/${pattern}/linear` }
  } catch {
    return undefined
  }
}

/** Whether the engine of JavaScript may take exponential time for a pattern that is valid with the flag `u`. */
export function isExponential(pattern: string): boolean {
  return costOf(pattern) === 'exponential'
}

/** A group of a pattern, or the whole pattern. */
interface Group {
  /** Whether texts of different lengths match it, or the same text in several ways. */
  isVariable: boolean
  /** The number of unbounded quantifiers, counted for each repetition of a group. */
  unbounded: number
  /** Whether it only looks at the text. It matches no characters, and is never tried in another way. */
  isLookaround: boolean
}

/** Up to this many repetitions, a variable group counts as if it were written that many times. */
const maxRepeats = 10
/** A group, its end, a quantifier, or any other character. */
const token = /\(\?(?:<?[=!]|:|<\w+>)|[()|]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/g

/** An upper bound: nested quantifiers can make the time exponential, consecutive ones add powers. */
function costOf(pattern: string): Cost {
  const whole: Group = { isVariable: false, unbounded: 0, isLookaround: false }
  const groups = [whole]
  /** The group that has just ended, to which a quantifier would apply. */
  let ended: Group | undefined
  for (const [part] of withoutClasses(pattern).matchAll(token)) {
    const group = groups.at(-1) ?? whole
    if (part.startsWith('(')) groups.push({ isVariable: false, unbounded: 0, isLookaround: /^\(\?<?[=!]/.test(part) })
    const inner = ended
    ended = undefined
    if (part === '|') group.isVariable = true
    else if (part === ')') {
      ended = groups.pop() ?? whole
      const around = groups.at(-1) ?? whole
      around.isVariable ||= ended.isVariable && !ended.isLookaround
      around.unbounded += ended.unbounded
    } else if (/^[*+?{]/.test(part)) {
      const { least, most } = countsOf(part)
      if (inner?.isVariable && most > maxRepeats) return 'exponential'
      if (most === Number.POSITIVE_INFINITY) group.unbounded++
      else group.unbounded += (inner?.unbounded ?? 0) * Math.max(most - 1, 0)
      if (least !== most) group.isVariable = true
    }
  }
  // Without an anchor, the search begins at each character.
  const powers = whole.unbounded + (pattern.startsWith('^') ? 0 : 1)
  return whole.unbounded === 0 || powers <= 1 ? 'linear' : 'polynomial'
}

/** Replaces each escape and character class, which match one character, by a letter. */
function withoutClasses(pattern: string): string {
  return pattern.replace(/\\(?:u\{[\da-fA-F]+\}|[pPk][{<][^}>\\]*[}>]|[\s\S])/gu, 'x').replace(/\[[^\]]*(?:\]|$)/g, 'x')
}

/** The minimum and maximum repetitions of a quantifier. */
function countsOf(quantifier: string): { least: number; most: number } {
  const endless = Number.POSITIVE_INFINITY
  const [sign] = quantifier
  if (sign === '*') return { least: 0, most: endless }
  if (sign === '+') return { least: 1, most: endless }
  if (sign === '?') return { least: 0, most: 1 }
  const [, least = '0', comma, most] = /^\{(\d+)(,?)(\d*)/.exec(quantifier) ?? []
  if (comma === '') return { least: Number(least), most: Number(least) }
  return { least: Number(least), most: most === '' ? endless : Number(most) }
}
