/** Decodes a text and remembers where each character of the result was, so that it can be found in the original. */

export interface DecodedText {
  text: string
  /** Where the source of the character at an index begins and ends in the original. */
  start(index: number): number
  end(index: number): number
}

/** The text in lower case. */
export function lowerCase(original: string): DecodedText {
  const whole = { text: original, start: (index: number) => index, end: (index: number) => index + 1 }
  const text = original.toLowerCase()
  // No letter becomes shorter.
  if (text.length === original.length) return { ...whole, text }
  return replaceAll(whole, /\p{Lu}/gu, ([letter = '']) => letter.toLowerCase())
}

/** The text without what the pattern matches. */
export function withoutCharacters(view: DecodedText, pattern: RegExp): DecodedText {
  return replaceAll(view, pattern, () => '')
}

/** Escapes of JSON and programming languages, percent-encoding (RFC 3986), and references of HTML and XML. */
const escapes = [
  /\\u\{(?<point>[\da-f]{1,6})\}/,
  /\\u(?<unit>[\da-f]{4})/,
  /\\x(?<byte>[\da-f]{2})/,
  /\\(?<octal>[0-3][0-7]{2})/,
  /\\(?<escaped>[^ux\d])/,
  /(?<uri>%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3})/,
  /%(?<percent>[\da-f]{2})/,
  /&#x0*(?<hex>[\da-f]{1,6});/,
  /&#0*(?<decimal>\d{1,7});/,
  /&(?<entity>amp|lt|gt|quot|apos|nbsp|sol|equals|plus);/,
]
const anyEscape = new RegExp(escapes.map(({ source }) => source).join('|'), 'gisu')
const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  sol: '/',
  equals: '=',
  plus: '+',
}

/** The text with one level of escapes decoded, in lower case. */
export function decodeEscapes(view: DecodedText): DecodedText {
  return replaceAll(view, anyEscape, ({ groups = {} }) => decode(groups).toLowerCase())
}

function decode(found: Partial<Record<string, string>>): string {
  const { escaped, uri, entity, octal, decimal } = found
  if (escaped !== undefined) return controls[escaped] ?? escaped
  if (uri !== undefined) return new URLSearchParams(`=${uri}`).get('') ?? uri
  if (entity !== undefined) return entities[entity] ?? ''
  if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
  const { point, unit, byte, percent, hex = '' } = found
  const code = decimal === undefined ? Number.parseInt(point ?? unit ?? byte ?? percent ?? hex, 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

/** A replacement: its place in the new text, and what it replaces in the old one. */
interface Edit {
  at: number
  length: number
  from: number
  to: number
}

/** Remembers only the replacements, because a text may have millions of characters. @returns the view if it has no match */
function replaceAll(view: DecodedText, pattern: RegExp, replace: (found: RegExpExecArray) => string): DecodedText {
  const edits: Edit[] = []
  let text = ''
  let done = 0
  for (const found of view.text.matchAll(pattern)) {
    const to = found.index + found[0].length
    const replacement = replace(found)
    text += view.text.slice(done, found.index)
    edits.push({ at: text.length, length: replacement.length, from: found.index, to })
    text += replacement
    done = to
  }
  if (edits.length === 0) return view

  /** The last replacement at or before an index. */
  function editBefore(index: number): Edit | undefined {
    let low = 0
    let high = edits.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((edits[middle] as Edit).at <= index) low = middle + 1
      else high = middle
    }
    return edits[low - 1]
  }

  /** Where the source of a character begins and ends in the old text. */
  function sourceOf(index: number): [first: number, last: number] {
    const { at, length, from, to } = editBefore(index) ?? { at: 0, length: 0, from: 0, to: 0 }
    return index < at + length ? [from, to - 1] : [to + index - at - length, to + index - at - length]
  }

  return {
    text: text + view.text.slice(done),
    start: (index) => view.start(sourceOf(index)[0]),
    end: (index) => view.end(sourceOf(index)[1]),
  }
}
