/** Hides secrets in a text, in every usual encoding. */
import { encodeBase64 } from '../credentials.js'

/** Replaces secrets in a text. */
export type Hide = (text: string) => string

/** Shorter parts of a secret stay visible. Otherwise texts would be full of marks. */
const shortestPart = 4
/** Shorter forms of a secret are hidden only as whole words, because they may occur in any word. */
const shortestInWords = 8
/** Maximum layers of encoding, such as JSON in JSON in a URL. */
const maxLayers = 3
/** Maximum escapes of a text, in all layers. */
const maxEscapes = 100_000
/** Separators that may occur between the characters of a secret, for example in a dump of bytes. */
const separators = /(?:[\s:,-]|0x)+/g
/** Maximum characters times forms of secrets. A larger text is hidden as a whole: the search would block all requests. */
const maxWork = 100_000_000
/** The cost of replacing a secret, and of checking a cut. */
const [workPerSpan, workPerCut] = [2_000, 500]

/** Maximum number of cached replaced texts, and maximum characters of each. */
const [maxKnown, maxKnownLength] = [1_000, 500]

/** A part of a text: where it begins and ends. */
type Span = readonly [start: number, end: number]

/** Thrown if the work would take too long. */
export class TooMuchWork extends Error {}

/** @returns undefined if it would take too long */
export function limited<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof TooMuchWork) return undefined
    throw error
  }
}

/**
 * Returns a function that replaces secrets in every usual encoding, and secrets that are cut off by `…`. Secrets of fewer
 * than 8 characters are replaced only as whole words. A text that takes too long is replaced as a whole.
 * @param mark shown instead of a secret
 * @example createHide(['s3cret-key'], '***')('/books?k=s3cret%2Dkey') // '/books?k=***'
 */
export function createHide(secrets: Iterable<string>, mark: string): Hide {
  const needles = new Set([...secrets].filter((secret) => secret !== '').flatMap(needlesOf))
  const dense = [...needles].map((needle) => needle.replace(separators, ''))
  const denseNeedles = new Set(dense.filter(({ length }) => length >= shortestInWords))

  function findSpans(layers: readonly string[]): Span[] {
    let spans: Span[] = []
    let work = 0
    const add = (more: number) => {
      work += more
      if (work > maxWork) throw new TooMuchWork()
    }
    const search = (text: string, wanted: ReadonlySet<string>) => {
      const cuts = Array.from(text.matchAll(/…/g), ({ index }) => index)
      return [...wanted].flatMap((needle) => {
        add(text.length + workPerCut * cuts.length)
        const found = spansOf(text, needle, cuts)
        add(workPerSpan * found.length)
        return found
      })
    }
    for (const layer of layers.toReversed()) {
      if (spans.length > 0) {
        const sources = sourcesOf(layer, anyEscape, decodeEscape)
        spans = spans.map(([start, end]) => [sources[start] ?? 0, sources[end] ?? 0])
      }
      const inDense = denseNeedles.size === 0 ? [] : search(layer.replace(separators, ''), denseNeedles)
      if (inDense.length > 0) {
        const sources = sourcesOf(layer, separators, () => '')
        spans = spans.concat(inDense.map(([start, end]) => [sources[start] ?? 0, (sources[end - 1] ?? 0) + 1]))
      }
      spans = spans.concat(search(layer, needles))
    }
    return spans
  }

  const replace: Hide = (text) => limited(() => replaceSpans(text, findSpans(layersOf(text)), mark)) ?? mark
  /** Caches texts, because logs repeat them. */
  const known = new Map<string, string>()
  return (text) => {
    if (text.length > maxKnownLength) return replace(text)
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= maxKnown) known.clear()
    const shown = replace(text)
    known.set(text, shown)
    return shown
  }
}

/**
 * The text in lower case, then with one level of escapes decoded, then two, and so on.
 * @throws TooMuchWork
 */
export function layersOf(text: string): string[] {
  const layers = [lowerCase(text)]
  let left = maxEscapes
  while (layers.length <= maxLayers) {
    const layer = layers.at(-1) ?? ''
    // Count first, because `replace` finds all matches before it calls the function.
    for (const _ of layer.matchAll(anyEscape)) if (--left < 0) throw new TooMuchWork()
    layers.push(layer.replace(anyEscape, decodeEscape))
  }
  return [...new Set(layers)]
}

/** Keeps the length: `İ` is the only letter with a longer form in lower case. */
function lowerCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase()
}

/** Escapes of JSON and programming languages, percent-encoding (RFC 3986), and references of HTML and XML. */
const escapes = [
  /\\u\{[\da-f]{1,6}\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[0-3][0-7]{2}|\\[^ux\d]/,
  /%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}|%[\da-f]{2}/,
  /&#x0*[\da-f]{1,6};|&#0*\d{1,7};|&(?:amp|lt|gt|quot|apos|nbsp|sol|equals|plus);/,
]
const anyEscape = new RegExp(escapes.map(({ source }) => source).join('|'), 'gsu')
const controls = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', sol: '/', equals: '=', plus: '+' }
const named: Partial<Record<string, string>> = { ...controls, ...entities }

function decodeEscape(found: string): string {
  const name = named[found.replace(/^[\\&]|;$/g, '')]
  if (name !== undefined) return name
  if (/^\\[^ux\d]/.test(found)) return found.slice(1)
  if (/^%..%/.test(found)) return lowerCase(new URLSearchParams(`=${found}`).get('') ?? found)
  const [digits = ''] = /(?<![\da-f])[\da-f]+(?=\W?$)/.exec(found) ?? []
  const code = Number.parseInt(digits, /^\\\d/.test(found) ? 8 : /^&#\d/.test(found) ? 10 : 16)
  return code <= 0x10ffff ? lowerCase(String.fromCodePoint(code)) : '\ufffd'
}

/** The source position of each character of the replaced text, and the end of the source. */
function sourcesOf(source: string, pattern: RegExp, replace: (found: string) => string): number[] {
  const sources: number[] = []
  let done = 0
  for (const { 0: found, index } of source.matchAll(pattern)) {
    while (done < index) sources.push(done++)
    for (let { length } = replace(found); length > 0; length--) sources.push(index)
    done = index + found.length
  }
  while (done <= source.length) sources.push(done++)
  return sources
}

/** All texts that reveal a secret, in lower case. */
function needlesOf(secret: string): string[] {
  const password = secret.slice(secret.indexOf(':') + 1)
  // In a form, `+` means a space.
  const written = [...new Set([secret, secret.replaceAll('+', ' ')])].flatMap(layersOf)
  const plain = [secret.trim(), secret.normalize('NFC'), secret.normalize('NFD'), secret.toUpperCase(), password]
  const escaped = [encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)]
  const encoded = [...new Set([secret, password, ...escaped, encodeBase64(`${secret}:`)])].map(toBytes)
  const others = [...written, ...plain, secret.replaceAll(' ', '+'), toBytes(secret), ...encoded.flatMap(dumpsOf)]
  return [secret, ...others.filter(({ length }) => length >= shortestPart)].map(lowerCase)
}

/** UTF-8, with a character for each byte. */
function toBytes(text: string): string {
  return atob(encodeBase64(text))
}

/** Bytes in hexadecimal, as numbers, and in Base64 without the digits that depend on neighbouring bytes. */
function dumpsOf(bytes: string): string[] {
  const codes = Array.from(bytes, (byte) => byte.charCodeAt(0))
  const base64 = ['', '\0', '\0\0'].map((before) => {
    const whole = btoa(before + bytes)
    return whole.slice(Math.ceil((before.length * 8) / 6), Math.floor(((before.length + bytes.length) * 8) / 6))
  })
  const forUrls = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [codes.map((code) => code.toString(16).padStart(2, '0')).join(''), codes.join(), ...base64, ...forUrls]
}

function spansOf(text: string, needle: string, cuts: readonly number[]): Span[] {
  const { length } = needle
  const spans: Span[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + length))
    if (length >= shortestInWords || isValue(text, at, at + length)) spans.push([at, at + length])
  for (const cut of length < shortestPart ? [] : cuts) {
    const start = startOfPart(text, cut, needle)
    if (start !== undefined) spans.push([start, cut])
  }
  return spans
}

/** Whether a short form is a word, not a name as in `?id=1`. Very short forms and JSON literals must be whole values. */
function isValue(text: string, from: number, to: number): boolean {
  const isUsual = to - from < shortestPart || /^(?:true|false|null)$/.test(text.slice(from, to))
  const edge = isUsual ? /^["'`=&;]?$/ : /^[^\p{L}\p{N}]?$/u
  const isName = () =>
    /^\\*["']?\s*[:=]/.test(text.slice(to, to + 9)) &&
    /(?:^|[{,?&;])\s*\\*["']?$/.test(text.slice(Math.max(0, from - 9), from))
  return edge.test(text[from - 1] ?? '') && edge.test(text[to] ?? '') && !isName()
}

/** Maximum characters of a cut escape after the part of the key. */
const maxRest = 10

/** The start of the longest prefix of the needle that ends at a cut. */
function startOfPart(text: string, cut: number, needle: string): number | undefined {
  const head = needle.slice(0, shortestPart)
  const from = Math.max(0, cut - needle.length - maxRest)
  const tail = text.slice(from, cut)
  for (let at = tail.indexOf(head); at >= 0; at = tail.indexOf(head, at + 1))
    if (tail.startsWith(needle.slice(0, Math.max(shortestPart, tail.length - at - maxRest)), at)) return from + at
  return undefined
}

function replaceSpans(text: string, spans: readonly Span[], mark: string): string {
  let shown = ''
  let done = 0
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    if (start > done || done === 0) shown += text.slice(done, start) + mark
    done = Math.max(done, end)
  }
  return shown + text.slice(done)
}
