/** Hides secrets in a text, in every usual encoding. */
import { encodeBase64 } from '../credentials.js'
import { type DecodedText, decodeEscapes, lowerCase, TooMuchWork, withoutCharacters } from './decoded-text.js'

/** Replaces secrets in a text. */
export type Hide = (text: string) => string

/** A shorter part of a secret may be shown, as texts would be full of marks otherwise. */
const shortestPart = 4
/** A shorter form of a secret is hidden only where it is a whole word, because it may be a part of any word. */
const shortestInWords = 8
/** How often a text may be encoded, such as JSON in JSON in a URL. */
const maxLayers = 3
/** What may be between the characters of a secret, such as the bytes of a dump. */
const separators = /(?:[\s:,-]|0x)+/g
/** Characters of all views times forms of secrets. A text beyond it is hidden as a whole, because the search would block all requests. */
const maxWork = 100_000_000
/** The most places where one text has secrets. */
const maxSpans = 50_000

/**
 * Returns a function that replaces secrets in every usual encoding, also a part of one that is cut off by `…`. Secrets of
 * less than 8 characters are replaced only where they are whole words. Without secrets it changes nothing.
 * @param mark shown instead of a secret
 * @example createHide(['s3cret-key'], '***')('/books?k=s3cret%2Dkey') // '/books?k=***'
 */
export function createHide(secrets: Iterable<string>, mark: string): Hide {
  const needles = new Set([...secrets].filter((secret) => secret !== '').flatMap(needlesOf))
  if (needles.size === 0) return (text) => text
  const dense = [...needles].map((needle) => needle.replace(separators, ''))
  const denseNeedles = new Set(dense.filter(({ length }) => length >= shortestInWords))

  return function hide(text) {
    if (text === '') return text
    const layers = decodedLayers(text)
    if (!layers) return mark
    const spans: Span[] = []
    let work = 0
    for (const layer of layers) {
      const dense = withoutCharacters(layer, separators)
      for (const view of new Set([layer, dense])) {
        const wanted = view === layer ? needles : denseNeedles
        work += view.text.length * wanted.size
        if (work > maxWork) return mark
        for (const needle of wanted)
          for (const span of spansOf(view, needle)) if (spans.push(span) > maxSpans) return mark
      }
    }
    return spans.length === 0 ? text : replaceSpans(text, spans, mark)
  }
}

/** The text in lower case, with one level of escapes decoded, and so on. Undefined for one that would take too long. */
export function decodedLayers(text: string): DecodedText[] | undefined {
  try {
    const layers = [lowerCase(text)]
    for (let layer = layers[0]; layer && layers.length <= maxLayers; layers.push(layer)) {
      const decoded = decodeEscapes(layer)
      if (decoded === layer) break
      layer = decoded
    }
    return layers
  } catch (error) {
    if (error instanceof TooMuchWork) return undefined
    throw error
  }
}

/** Everything that reveals a secret, in lower case. */
function needlesOf(key: string): string[] {
  const utf8 = new TextEncoder().encode(key)
  const plain = [key, key.trim(), key.normalize('NFC'), key.normalize('NFD'), key.toUpperCase(), toLatin1(utf8)]
  // In a form, `+` is a space.
  const forms = [...plain, key.replaceAll(' ', '+'), key.replaceAll('+', ' '), passwordOf(key)]
  const decoded = [key, key.replaceAll('+', ' ')].map((text) => decodeEscapes(lowerCase(text)).text)
  const encoded = [key, passwordOf(key), encodeUri(key), JSON.stringify(key).slice(1, -1), encodeBase64(`${key}:`)]
  const bytes = encoded.slice(0, 2).map((text) => [...new TextEncoder().encode(text)])
  const numbers = bytes.flatMap((each) => [each.map((byte) => toHex(byte)).join(''), each.join(',')])
  const base64 = encoded.flatMap(base64Of).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
  const isLong = (text: string) => text.length >= shortestPart
  const others = [...forms, ...decoded, ...numbers, ...base64].filter(isLong)
  return [key, ...others].map((text) => lowerCase(text).text)
}

function toLatin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** The password in `user:password`. */
function passwordOf(key: string): string {
  const colon = key.indexOf(':')
  return colon < 0 ? '' : key.slice(colon + 1)
}

function encodeUri(key: string): string {
  return encodeURIComponent(key.toWellFormed())
}

/** The Base64 of a text wherever it is in a longer one, without the digits that also depend on its neighbours. */
function base64Of(text: string): string[] {
  const bytes = new TextEncoder().encode(text)
  return [0, 1, 2].map((before) => {
    const length = before + bytes.length
    const first = Math.ceil((before * 8) / 6)
    return btoa('\0'.repeat(before) + toLatin1(bytes)).slice(first, Math.floor((length * 8) / 6))
  })
}

/** A part of the original text. */
interface Span {
  start: number
  end: number
}

/** Cuts that are looked at in one text. A text has few of them, unless it is made to be slow. */
const maxCuts = 20

function* spansOf({ text, start: startOf, end: endOf }: DecodedText, needle: string): Generator<Span> {
  const toSpan = (from: number, to: number) => ({ start: startOf(from), end: endOf(to - 1) })
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const end = at + needle.length
    if (needle.length >= shortestInWords || isValue(text, at, end)) yield toSpan(at, end)
  }
  if (needle.length < shortestPart) return
  let cut = -1
  for (let count = 0; count < maxCuts; count++) {
    cut = text.indexOf('…', cut + 1)
    if (cut < 0) return
    const start = startOfPart(text, cut, needle)
    if (start !== undefined) yield toSpan(start, cut)
  }
}

/** Whether a short form is a word, but not a name as in `{"id": 1}` or `?id=1`. A very short one, or one of JSON, has to be a whole value. */
function isValue(text: string, from: number, to: number): boolean {
  const isName =
    /^\\*["']?\s*[:=]/.test(text.slice(to, to + 9)) &&
    /(?:^|[{,?&;])\s*\\*["']?$/.test(text.slice(Math.max(0, from - 9), from))
  const isUsual = to - from < shortestPart || /^(?:true|false|null)$/.test(text.slice(from, to))
  const edge = isUsual ? /^["'`=&;]?$/ : /^[^\p{L}\p{N}]?$/u
  return !isName && edge.test(text[from - 1] ?? '') && edge.test(text[to] ?? '')
}

/** Characters that a cut may leave of an escape after the part of the key. */
const maxRest = 10

/** Where the longest beginning of the needle starts that ends at a cut. */
function startOfPart(text: string, cut: number, needle: string): number | undefined {
  let longest = shortestPart - 1
  let start: number | undefined
  for (let end = cut; end >= Math.max(0, cut - maxRest); end--) {
    for (let length = Math.min(needle.length, end); length > longest; length--) {
      const isPart = needle[length - 1] === text[end - 1] && text.startsWith(needle.slice(0, length), end - length)
      if (!isPart) continue
      longest = length
      start = end - length
    }
  }
  return start
}

function replaceSpans(text: string, spans: readonly Span[], mark: string): string {
  const inOrder = spans.toSorted((one, other) => one.start - other.start)
  let shown = ''
  let done = 0
  for (const { start, end } of inOrder) {
    if (start > done || (start === 0 && done === 0)) shown += text.slice(done, start) + mark
    done = Math.max(done, end)
  }
  return shown + text.slice(done)
}
