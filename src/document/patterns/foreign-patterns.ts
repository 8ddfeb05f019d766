/** Converts regular expressions of other languages to JavaScript syntax. */
import { ownValue } from '../../json/own-value.js'

/** What is replaced outside of a character class. */
const replacements: Record<string, string> = {
  ...{ '\\A': '^', '\\G': '^', '\\z': '$', '\\Z': '$', '\\K': '', '\\X': String.raw`[\s\S]`, '\\N': String.raw`[^\n]` },
  ...{
    '\\h': String.raw`[\t\p{Zs}]`,
    '\\H': String.raw`[^\t\p{Zs}]`,
    '\\R': String.raw`(?:\r\n|[\n-\r\x85\u2028\u2029])`,
  },
  // An atomic group matches less, but means the same in nearly all patterns. So do possessive quantifiers such as `a*+`.
  ...{ '(?>': '(?:', '(?P<': '(?<', '*+': '*', '++': '+', '?+': '?', '}+': '}' },
}

const token =
  /\\Q[\s\S]*?(?:\\E|$)|\\x\{[\da-f]{1,6}\}|\\[pP]\{\w+\}|\\[\s\S]|\[:\w+:\]|\(\?#[^)]*(?:\)|$)|\(\?P=\w+\)|\(\?P?[<>](?![=!])|\(\?[a-zA-Z]*(?:-[a-zA-Z]+)?[:)]|[*+?}]\+|[\s\S]/gi

/**
 * Replaces anchors, flags, named and atomic groups, possessive quantifiers, POSIX classes, properties of characters, escapes
 * and comments.
 * @returns also the flags, which apply to the whole pattern: it then matches no less than is meant
 */
export function withoutForeign(written: string): { pattern: string; flags: string } {
  let isInClass = false
  let flags = ''
  const convert = (pattern: string) =>
    pattern.replace(token, (part) => {
      if (part === '[') isInClass = true
      if (part === ']') isInClass = false
      const [, sign, name = ''] = /^\\([pP])\{(\w+)\}$/.exec(part) ?? []
      if (sign !== undefined) return toProperty(part, sign, name, isInClass)
      if (/^\\x\{/i.test(part)) return `\\u${part.slice(2)}`
      if (/^\[:/.test(part)) return ownValue(posix, part.slice(2, -2).toLowerCase()) ?? part
      if (isInClass) return part === '\\h' ? String.raw`\t\p{Zs}` : part
      if (part.startsWith('\\Q')) return part.replace(/^\\Q|\\E$/g, '').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      if (part.startsWith('(?#')) return part.endsWith(')') ? '' : part
      if (part.startsWith('(?P=')) return `\\k<${part.slice(4, -1)}>`
      const [, own, end] = /^\(\?([a-z]*)(?:-[a-z]+)?([:)])$/i.exec(part) ?? []
      if (own === undefined) return ownValue(replacements, part) ?? part
      flags += own
      return end === ':' ? '(?:' : ''
    })
  const pattern = convert(written)
  if (!flags.includes('x')) return { pattern, flags }
  const isKept = (part: string) => !/^[\s#]/.test(part)
  return {
    pattern: pattern.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*(?:\]|\\?$)|\s+|#.*/g, (part) =>
      isKept(part) ? part : '',
    ),
    flags,
  }
}

/** POSIX character classes, and two of Java, as the content of brackets. */
const posix: Record<string, string> = {
  ...{ alpha: 'A-Za-z', alnum: 'A-Za-z0-9', blank: String.raw` \t`, cntrl: String.raw`\x00-\x1f\x7f`, digit: '0-9' },
  ...{ graph: String.raw`\x21-\x7e`, ld: String.raw`\p{L}\p{Nd}`, letter: String.raw`\p{L}`, lower: 'a-z' },
  ...{ print: String.raw`\x20-\x7e`, punct: String.raw`\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e`, upper: 'A-Z' },
  ...{ xdigit: 'A-Fa-f0-9', space: String.raw`\s`, word: String.raw`\w` },
}

/** Converts `\p{XDigit}` of Java and `\p{Han}` of Perl, which JavaScript does not support. */
function toProperty(whole: string, sign: string, name: string, isInClass: boolean): string {
  if (isProperty(name)) return whole
  const members = ownValue(posix, name.replace(/^Is/, '').toLowerCase())
  if (members !== undefined && sign === 'p') return isInClass ? members : `[${members}]`
  if (members !== undefined) return isInClass ? whole : `[^${members}]`
  const other = [`Script=${name}`, name.replace(/^Is/, ''), name.replace(/^all$/, 'Any')].find(isProperty)
  return other === undefined ? whole : `\\${sign}{${other}}`
}

function isProperty(name: string): boolean {
  try {
    new RegExp(`\\p{${name}}`, 'u') // unmeasured: names of properties of characters, which only compile
    return true
  } catch {
    return false
  }
}

/** Maximum repetitions beyond the required minimum, because the generator makes up to the allowed maximum. */
const maxMore = 32

/** An escape, a character class, or a quantifier with both bounds. */
export const counted: RegExp = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*(?:\]|\\?$)|\{(\d+),(\d+)\}/g

/** A pattern that only matches texts of the given one, but with limited length. */
export function withFewRepetitions(pattern: string): string {
  return pattern.replace(counted, (whole, least?: string, most?: string) =>
    most === undefined ? whole : `{${least},${Math.min(Number(most), Number(least) + maxMore)}}`,
  )
}
