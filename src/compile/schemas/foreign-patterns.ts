/** Converts regular expressions of other languages to JavaScript syntax. */

/** Replaces anchors, flags at the start, named groups, POSIX classes, properties of characters, and escapes. */
export function withoutForeign(pattern: string): string {
  const known = pattern
    .replace(/^\(\?[a-z]+\)/, '')
    .replace(/\\A/g, '^')
    .replace(/\\[zZ]/g, '$')
    .replace(/\(\?P</g, '(?<')
    .replace(/\\x\{([\da-f]{1,6})\}/gi, String.raw`\u{$1}`)
    .replace(/\[:(\w+):\]/g, (whole, name: string) => membersOf(name.toLowerCase()) ?? whole)
  return withProperties(known)
}

/** Possessive quantifiers such as `a*+` match less, but mean the same in nearly all patterns. */
export function withoutPossessive(pattern: string): string {
  return withoutForeign(pattern).replace(/([*+?}])\+/g, '$1')
}

/** POSIX character classes, and two of Java, as the content of brackets. */
const posix: Record<string, string> = {
  alpha: 'A-Za-z',
  alnum: 'A-Za-z0-9',
  blank: String.raw` \t`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: '0-9',
  graph: String.raw`\x21-\x7e`,
  ld: String.raw`\p{L}\p{Nd}`,
  letter: String.raw`\p{L}`,
  lower: 'a-z',
  print: String.raw`\x20-\x7e`,
  punct: String.raw`\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e`,
  upper: 'A-Z',
  xdigit: 'A-Fa-f0-9',
  space: String.raw`\s`,
  word: String.raw`\w`,
}

function membersOf(name: string): string | undefined {
  return Object.hasOwn(posix, name) ? posix[name] : undefined
}

/** Converts `\p{XDigit}` of Java and `\p{Han}` of Perl, which JavaScript does not support. */
function withProperties(pattern: string): string {
  let isInClass = false
  return pattern.replace(/\\([pP])\{(\w+)\}|\\[\s\S]|[[\]]/g, (whole, sign?: string, name = '') => {
    if (whole === '[') isInClass = true
    if (whole === ']') isInClass = false
    if (sign === undefined || isProperty(name)) return whole
    const members = membersOf(name.replace(/^Is/, '').toLowerCase())
    if (members !== undefined && sign === 'p') return isInClass ? members : `[${members}]`
    if (members !== undefined) return isInClass ? whole : `[^${members}]`
    const other = [`Script=${name}`, name.replace(/^Is/, ''), name.replace(/^all$/, 'Any')].find(isProperty)
    return other === undefined ? whole : `\\${sign}{${other}}`
  })
}

function isProperty(name: string): boolean {
  try {
    new RegExp(`\\p{${name}}`, 'u')
    return true
  } catch {
    return false
  }
}

/** Maximum repetitions beyond the required minimum, because the generator makes up to the allowed maximum. */
const maxMore = 32

/** An escape, a character class, or a quantifier with both bounds. */
export const counted: RegExp = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\{(\d+),(\d+)\}/g

/** A pattern that only matches texts of the given one, but with limited length. */
export function withFewRepetitions(pattern: string): string {
  return pattern.replace(counted, (whole, least?: string, most?: string) =>
    most === undefined ? whole : `{${least},${Math.min(Number(most), Number(least) + maxMore)}}`,
  )
}
