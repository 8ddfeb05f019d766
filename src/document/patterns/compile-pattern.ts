/** Compiles regular expressions to the parts of a fill plan. */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import type { TextPart } from '../../json/sampler/sampler-plan.js'

/** Maximum repetitions to make. */
const maxRepetitions = 1_000
/** Maximum characters of a class. More would not make better texts. */
const maxCharacters = 64

/**
 * Assertions and back references are ignored: the validator refuses texts that violate them, and another text is made.
 * @param pattern valid with the flag `u`
 * @returns undefined if the pattern cannot be parsed
 */
export function compilePattern(pattern: string): TextPart[] | undefined {
  const parsed = parse(pattern)
  return parsed && toParts(parsed.alternatives)
}

/**
 * Removes lookahead and lookbehind, so that the pattern matches more texts.
 * @param pattern valid with the flag `u`
 * @returns undefined if there is none
 */
export function withoutLookaround(pattern: string): string | undefined {
  const parsed = parse(pattern)
  const found: AST.LookaroundAssertion[] = []
  if (parsed) visitRegExpAST(parsed, { onAssertionEnter: (each) => void ('alternatives' in each && found.push(each)) })
  // Nested assertions are removed with the outer ones.
  const outer = found.filter(({ start, end }) => !found.some((each) => each.start < start && each.end > end))
  const bare = outer.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), pattern)
  return bare === pattern ? undefined : bare
}

/**
 * Applies the flags `i`, `s` and `m`, which keywords cannot have (JSON Schema Validation 2020-12, section 6.3.3).
 * @param pattern valid with the flag `u`
 */
export function withFlags(pattern: string, flags: string): string {
  const parsed = /[ism]/.test(flags) ? parse(pattern) : undefined
  if (!parsed) return pattern
  const edits: [node: AST.Node, text: string][] = []
  const isLoose = flags.includes('i')
  visitRegExpAST(parsed, {
    onCharacterSetEnter(node) {
      if (node.kind === 'any' && flags.includes('s')) edits.push([node, String.raw`[\s\S]`])
      if (node.kind === 'property' && isLoose && /^L[ult]$/.test(node.value ?? node.key))
        edits.push([node, String.raw`\p{L}`])
    },
    onAssertionEnter(node) {
      if (node.kind === 'start' && flags.includes('m')) edits.push([node, String.raw`(?:^|(?<=[\n\r]))`])
      if (node.kind === 'end' && flags.includes('m')) edits.push([node, String.raw`(?:$|(?=[\n\r]))`])
    },
    onCharacterEnter(node) {
      const { parent, raw, value } = node
      const other = isLoose && parent.type !== 'CharacterClassRange' ? otherCases(value, value) : ''
      if (other !== '') edits.push([node, parent.type === 'CharacterClass' ? raw + other : `[${raw}${other}]`])
    },
    onCharacterClassRangeEnter(node) {
      if (isLoose) edits.push([node, node.raw + otherCases(node.min.value, node.max.value)])
    },
  })
  return edits
    .toSorted(([one], [other]) => other.start - one.start)
    .reduce((text, [{ start, end }, own]) => text.slice(0, start) + own + text.slice(end), pattern)
}

/** A longer range has letters in both cases, or none. */
const maxRange = 500

/** The letters of a range in the other case, as far as they are not in it. */
function otherCases(min: number, max: number): string {
  let others = ''
  for (let code = min; code <= Math.min(max, min + maxRange); code++) {
    const own = String.fromCodePoint(code)
    for (const other of [own.toLowerCase(), own.toUpperCase()]) {
      const at = other.codePointAt(0) ?? 0
      if (other.length === own.length && (at < min || at > max)) others += other
    }
  }
  return others
}

function parse(pattern: string): AST.Pattern | undefined {
  const parser = new RegExpParser({ ecmaVersion: 2024 })
  try {
    return parser.parsePattern(pattern, 0, pattern.length, { unicode: true })
  } catch {
    return undefined
  }
}

function toParts(alternatives: readonly AST.Alternative[]): TextPart[] {
  const sequences = alternatives.map(({ elements }) => join(elements.flatMap(toPart)))
  return sequences.length === 1 ? (sequences[0] ?? []) : [{ anyOf: sequences }]
}

function toPart(element: AST.Element): TextPart[] {
  switch (element.type) {
    case 'Character':
      return [String.fromCodePoint(element.value)]
    case 'CharacterSet':
    case 'CharacterClass':
      return [{ oneOf: charactersOf(element.raw) }]
    case 'CapturingGroup':
    case 'Group':
      return toParts(element.alternatives)
    case 'Quantifier': {
      const repeat = toPart(element.element)
      const min = Math.min(element.min, maxRepetitions)
      if (repeat.length === 0) return []
      return [{ repeat, min, ...(Number.isFinite(element.max) ? { max: element.max } : {}) }]
    }
    default:
      return []
  }
}

/** Joins adjacent texts. */
function join(parts: TextPart[]): TextPart[] {
  const joined: TextPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

/** Characters in the order of preference: letters and digits are the most readable. */
const ranges: [from: number, to: number][] = [
  [0x61, 0x7a],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x20, 0x7e],
  [0xa1, 0x2fff],
  [0x3000, 0xd7ff],
  [0x0, 0x1f],
  [0xe000, 0xffff],
  [0x1f300, 0x1f6ff],
]

/** The characters of a class such as `[^a-c]` or `\p{L}`: ASCII letters and digits, and those of the first matching range. */
function charactersOf(raw: string): string {
  const own = new RegExp(`^${raw}$`, 'u') // unmeasured: one class of characters, on single characters
  let found = ''
  let count = 0
  for (const [index, [from, to]] of ranges.entries()) {
    for (let code = from; code <= to && count < maxCharacters; code++) {
      const character = String.fromCodePoint(code)
      if (!own.test(character)) continue
      found += character
      count++
    }
    if (count > 0 && index >= 2) break
  }
  return found
}
