/** Decodes a text and remembers where each character of the result was, so that it can be found in the original. */

export interface DecodedText {
  text: string
  /** For each code unit of the text, where its source begins and ends in the original. */
  starts: readonly number[]
  ends: readonly number[]
}

/** The text in lower case. */
export function lowerCase(original: string): DecodedText {
  const units = Array.from({ length: original.length + 1 }, (_, index) => index)
  return replaceAll({ text: original, starts: units.slice(0, -1), ends: units.slice(1) }, /\p{Lu}/gu, ([letter = '']) =>
    letter.toLowerCase(),
  )
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
  if (uri !== undefined) return decodeURIComponent(uri)
  if (entity !== undefined) return entities[entity] ?? ''
  if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
  const { point, unit, byte, percent, hex = '' } = found
  const code = decimal === undefined ? Number.parseInt(point ?? unit ?? byte ?? percent ?? hex, 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

function replaceAll(view: DecodedText, pattern: RegExp, replace: (found: RegExpExecArray) => string): DecodedText {
  const { text, starts, ends } = view
  const made = { text: '', starts: [] as number[], ends: [] as number[] }
  let done = 0
  const copyTo = (end: number) => {
    made.text += text.slice(done, end)
    for (let index = done; index < end; index++) {
      made.starts.push(starts[index] ?? 0)
      made.ends.push(ends[index] ?? 0)
    }
  }
  for (const found of text.matchAll(pattern)) {
    const end = found.index + found[0].length
    const replacement = replace(found)
    copyTo(found.index)
    made.text += replacement
    for (let index = 0; index < replacement.length; index++) {
      made.starts.push(starts[found.index] ?? 0)
      made.ends.push(ends[end - 1] ?? 0)
    }
    done = end
  }
  copyTo(text.length)
  return made
}
