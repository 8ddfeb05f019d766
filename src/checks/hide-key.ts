/** Hides the key in responses, as a provider may repeat the requests that it received. */
import { encodeBase64 } from '../contract/credentials.js'
import { type DecodedText, decodeEscapes, lowerCase, withoutCharacters } from './decoded-text.js'

export interface KeyHider {
  /** Replaces the key by `***` in every usual encoding, also a part of it that is cut off by `…`. */
  hide(text: string): string
}

/** Shown instead of the key. */
const hidden = '***'
/** A shorter part of the key may be shown, as texts would be full of `***` otherwise. */
const shortestPart = 4
/** How often a text may be encoded, such as JSON in JSON in a URL. */
const maxLayers = 3

/** @param key nothing is hidden if it is empty */
export function createKeyHider(key: string): KeyHider {
  if (key === '') return { hide: (text) => text }
  const needles = needlesOf(key)

  return {
    hide(text) {
      const spans: Span[] = []
      let layer = lowerCase(text)
      for (let count = 0; count <= maxLayers; count++) {
        for (const view of [layer, withoutCharacters(layer, /\s/g), withoutCharacters(layer, /[\s:,-]|0x/g)]) {
          for (const needle of needles) spans.push(...spansOf(view, needle))
        }
        const decoded = decodeEscapes(layer)
        if (decoded.text === layer.text) break
        layer = decoded
      }
      return replaceSpans(text, spans)
    },
  }
}

/** Everything that reveals the key, in lower case. */
function needlesOf(key: string): string[] {
  const utf8 = Buffer.from(key)
  const plain = [
    key,
    key.trim(),
    key.normalize('NFC'),
    key.normalize('NFD'),
    key.toUpperCase(),
    utf8.toString('latin1'),
  ]
  // In a form, `+` is a space.
  const forms = [...plain, key.replaceAll(' ', '+'), key.replaceAll('+', ' '), decodeUri(key), passwordOf(key)]
  const encoded = [key, passwordOf(key), encodeUri(key), JSON.stringify(key).slice(1, -1), encodeBase64(`${key}:`)]
  const bytes = encoded.slice(0, 2).map((text) => Buffer.from(text))
  const numbers = bytes.flatMap((each) => [each.toString('hex'), each.join(',')])
  const base64 = encoded.flatMap(base64Of).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
  const isLong = (text: string) => text.length >= shortestPart
  const others = [...forms, ...numbers, ...base64].filter(isLong)
  return [...new Set([key, ...others].map((text) => lowerCase(text).text))]
}

/** The password in `user:password`. The user's name is no secret. */
function passwordOf(key: string): string {
  const colon = key.indexOf(':')
  return colon < 0 ? '' : key.slice(colon + 1)
}

function encodeUri(key: string): string {
  return encodeURIComponent(key.toWellFormed())
}

function decodeUri(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** The Base64 of a text wherever it is in a longer one, without the digits that also depend on its neighbours. */
function base64Of(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    const first = Math.ceil((before * 8) / 6)
    return whole.toString('base64').slice(first, Math.floor((whole.length * 8) / 6))
  })
}

/** A part of the original text. */
interface Span {
  start: number
  end: number
}

/** Cuts that are looked at in one text. A text has few of them, unless it is made to be slow. */
const maxCuts = 20

function* spansOf({ text, starts, ends }: DecodedText, needle: string): Generator<Span> {
  const toSpan = (from: number, to: number) => ({ start: starts[from] ?? 0, end: ends[to - 1] ?? 0 })
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    yield toSpan(at, at + needle.length)
  }
  let cut = -1
  for (let count = 0; count < maxCuts; count++) {
    cut = text.indexOf('…', cut + 1)
    if (cut < 0) return
    const start = startOfPart(text, cut, needle)
    if (start !== undefined) yield toSpan(start, cut)
  }
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

function replaceSpans(text: string, spans: readonly Span[]): string {
  const inOrder = spans.toSorted((one, other) => one.start - other.start)
  let shown = ''
  let done = 0
  for (const { start, end } of inOrder) {
    if (start > done || (start === 0 && done === 0)) shown += text.slice(done, start) + hidden
    done = Math.max(done, end)
  }
  return shown + text.slice(done)
}
