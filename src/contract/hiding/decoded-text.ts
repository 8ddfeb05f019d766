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
  return replaceAll(whole, /\p{Lu}/gu, (letter) => letter.toLowerCase())
}

/** The text without what the pattern matches. A text has more spaces than escapes, and they take less time. */
export function withoutCharacters(view: DecodedText, pattern: RegExp): DecodedText {
  const text = view.text.replace(pattern, '')
  return text.length === view.text.length ? view : locate(view, text, () => findEdits(view.text, pattern, () => ''))
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
const named = escapes.map(({ source }) => source).join('|')
const oneEscape = new RegExp(named, 'isu')
/** Groups cost more time than the rest. */
const anyEscape = new RegExp(named.replaceAll(/\?<\w+>/g, '?:'), 'gisu')
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
  const known = new Map<string, string>()
  return replaceAll(view, anyEscape, (found) => {
    const decoded = known.get(found) ?? decode(oneEscape.exec(found)?.groups ?? {}).toLowerCase()
    known.set(found, decoded)
    return decoded
  })
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

/** The most replacements in one text. */
const maxEdits = 30_000

/** Thrown for a text that would take too long to decode. */
export class TooMuchWork extends Error {}

/**
 * Remembers only the replacements, because a text may have millions of characters, and only if somebody asks where they were.
 * @returns the view if it has no match
 * @throws TooMuchWork
 */
function replaceAll(view: DecodedText, pattern: RegExp, replace: (found: string) => string): DecodedText {
  let count = 0
  // `replace` finds all matches before it calls the function.
  for (const _ of view.text.matchAll(pattern)) if (++count > maxEdits) throw new TooMuchWork()
  if (count === 0) return view
  return locate(view, view.text.replace(pattern, replace), () => findEdits(view.text, pattern, replace))
}

function findEdits(text: string, pattern: RegExp, replace: (found: string) => string): Edit[] {
  let shift = 0
  return Array.from(text.matchAll(pattern), ({ 0: found, index: from }) => {
    const { length } = replace(found)
    const edit = { at: from + shift, length, from, to: from + found.length }
    shift += length - found.length
    return edit
  })
}

function locate(view: DecodedText, text: string, find: () => Edit[]): DecodedText {
  let edits: Edit[] | undefined

  /** The last replacement at or before an index. */
  function editBefore(index: number): Edit | undefined {
    edits ??= find()
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
    text,
    start: (index) => view.start(sourceOf(index)[0]),
    end: (index) => view.end(sourceOf(index)[1]),
  }
}
