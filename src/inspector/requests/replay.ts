/** Writes an exchange as a command or code, and sends it again. */
import { type CurlRequest, toCurl } from '../../media/to-curl.js'
import type { Exchange, Pair } from '../api.js'
import { about, calledBy, keyOf } from '../store.js'

/** Headers that browsers, curl and connections add themselves. */
const noise =
  /^(host|connection|keep-alive|user-agent|content-length|transfer-encoding|te|expect|accept-encoding|accept-language|origin|referer|priority|pragma|cache-control|dnt|sec-.*|upgrade-insecure-requests)$/i
/** The text that the journal shows instead of credentials. */
const hidden = '[hidden]'
/** The text that is copied instead of unknown credentials. */
export const placeholder = 'YOUR_KEY'

/** A request with its whole address. */
export interface Replay {
  method: string
  target: string
  headers: Pair[]
  body: string | undefined
  /** A short description of the body, if the journal did not keep it. */
  missing: string | undefined
}

/** Replaces the credentials that the journal hides by the key of the world, if it is known. */
export function toReplay(exchange: Exchange): Replay {
  const { request, world } = exchange
  const key = keyOf(world ?? '')
  const { method, query, headers, body } = request
  const target = calledBy(exchange) + (query === '' ? '' : `?${query}`)
  const kept = headers
    .filter(({ name }) => !noise.test(name))
    .map(({ name, value }) => (isCookie(name) ? { name, value: withoutForeign(value) } : { name, value }))
    .filter(({ value }) => value !== '')
  return {
    method,
    target: key === undefined ? target : target.replaceAll(hidden, encodeURIComponent(key)),
    headers: kept.map(({ name, value }) => ({ name, value: revealHeader(value, key) })),
    body: key === undefined ? body : body?.replaceAll(hidden, writeIn(body, key)),
    missing: describeMissing(exchange),
  }
}

/** The same for a command or code, with a placeholder for an unknown key. */
export function toCopy(exchange: Exchange): Replay {
  const { target, headers, body, ...others } = toReplay(exchange)
  const complete = (text: string) => text.replaceAll(hidden, placeholder)
  return {
    ...others,
    target: complete(target),
    body: body === undefined ? undefined : complete(body),
    headers: headers.map(({ name, value }) => ({ name, value: complete(value) })),
  }
}

/** A key as it is written in a body. */
function writeIn(body: string, key: string): string {
  if (/^\s*[{["]/.test(body)) return JSON.stringify(key).slice(1, -1)
  return /^[^\s<]*$/.test(body) && body.includes('=') ? encodeURIComponent(key) : key
}

function isCookie(name: string): boolean {
  return name.toLowerCase() === 'cookie'
}

/** Leaves out the cookies of other programs on this machine, which are hidden and unknown. */
function withoutForeign(value: string): string {
  const known = about.value?.credentialCookies ?? []
  const isKnown = (cookie: string) => !cookie.endsWith(hidden) || known.includes(cookie.split('=')[0] ?? '')
  return value.split('; ').filter(isKnown).join('; ')
}

function revealHeader(value: string, key: string | undefined): string {
  if (key === undefined || !value.includes(hidden)) return value
  return value.replaceAll(hidden, /^basic /i.test(value) ? toBase64(key.includes(':') ? key : `${key}:`) : key)
}

/** Encodes text as Base64 of its UTF-8 bytes (RFC 7617, section 2.1). */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** Whether hidden credentials are missing. */
export function needsKey(exchange: Exchange): boolean {
  const { target, headers, body } = toReplay(exchange)
  return [target, body, ...headers.map(({ value }) => value)].some((each) => each?.includes(hidden))
}

/** @example describeMissing(exchange) // '12,345 bytes of image/png' */
export function describeMissing({ request: { headers, body } }: Exchange): string | undefined {
  const length = headerOf(headers, 'content-length')
  const isChunked = headerOf(headers, 'transfer-encoding') !== undefined
  if (body !== undefined || !(isChunked || Number(length) > 0)) return undefined
  const size = length === undefined ? 'a body' : `${Number(length).toLocaleString('en')} bytes`
  return `${size} of ${headerOf(headers, 'content-type')?.split(';')[0] ?? 'an unknown type'}`
}

/** The full address. Callbacks already have one. */
function toAddress(target: string): string {
  return target.startsWith('/') ? location.origin + target : target
}

/** The input of `send`. */
export type Sendable = Pick<Replay, 'method' | 'target' | 'headers'> & { body?: BodyInit | undefined }

/** Browsers do not send a body with these. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** @param name in lower case */
export function headerOf(headers: readonly Pair[], name: string): string | undefined {
  return headers.find((each) => each.name.toLowerCase() === name)?.value
}

/** @example bareType('Text/Plain; charset=utf-8') // 'text/plain' */
export function bareType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

export async function send({ method, target, headers, body }: Sendable): Promise<Response> {
  const cookies = headers.filter(({ name }) => isCookie(name)).flatMap(({ value }) => value.split(/; */))
  const before = cookies.map((cookie) => findCookie(cookieName(cookie)))
  // Without a type of its own, a text would get one.
  const sent = typeof body === 'string' && headerOf(headers, 'content-type') === undefined ? new Blob([body]) : body
  // A page cannot set the header itself.
  for (const cookie of cookies) setCookie(cookie)
  try {
    return await fetch(toAddress(target), {
      method,
      // Cookies of other programs on this machine stay here.
      credentials: cookies.length > 0 ? 'same-origin' : 'omit',
      headers: headers.filter(({ name }) => !isCookie(name)).map(({ name, value }): [string, string] => [name, value]),
      ...(sent !== undefined && !withoutBody.has(method) && { body: sent }),
      redirect: 'manual',
      cache: 'no-store',
    })
  } finally {
    // Another program may have one with the name.
    for (const [index, cookie] of cookies.entries()) setCookie(before[index] ?? `${cookieName(cookie)}=; max-age=0`)
  }
}

function cookieName(cookie: string): string {
  return cookie.split('=')[0] ?? ''
}

function findCookie(name: string): string | undefined {
  return document.cookie.split('; ').find((each) => cookieName(each) === name)
}

function setCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: few browsers have the Cookie Store API without HTTPS
  document.cookie = `${text}; path=/; SameSite=Strict`
}

/** The request of a command or code. A missing body is read from the file `body`. */
type Written<Body> = Pick<Replay, 'method' | 'target' | 'headers'> & { body: Body; missing?: string | undefined }

export function toCurlLine({ method, target, headers, body, missing }: Written<CurlRequest['body']>): string {
  return toCurl({
    ...{ method, origin: '', target: toAddress(target) },
    headers: headers.flatMap(({ name, value }) => [name, value]),
    body: missing === undefined ? body : { file: 'body' },
    maxBody: Number.POSITIVE_INFINITY,
  })
}

export function toFetch({ method, target, headers, body, missing }: Written<string | undefined>): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(headers.length === 0
      ? []
      : [
          `  headers: {\n${headers.map(({ name, value }) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`).join('\n')}\n  },`,
        ]),
    ...(body === undefined || withoutBody.has(method)
      ? []
      : [
          `  body: ${headerOf(headers, 'content-type') !== undefined ? JSON.stringify(body) : `new Blob([${JSON.stringify(body)}])`},`,
        ]),
    ...(missing === undefined
      ? []
      : [`  body: await (await import('node:fs/promises')).readFile('body'), // ${missing}`]),
  ]
  const address = JSON.stringify(toAddress(target))
  return options.length === 0 ? `await fetch(${address})` : `await fetch(${address}, {\n${options.join('\n')}\n})`
}
