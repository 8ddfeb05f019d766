/** Writes a request as a curl line for a POSIX shell: safe to paste, and without the key. */
import { decodeBase64 } from '../contract/credentials.js'

export interface CurlRequest {
  method: string
  /** An address that the target follows, or the name of a shell variable that holds it. */
  origin: string | { variable: string }
  /** Path and query. */
  target: string
  /** Names and values alternate. */
  headers: readonly string[]
  body?: string | undefined
  /** Options that make the body, each before its value, in place of the body and its type. */
  fields?: readonly string[] | undefined
  key?: ShellKey | undefined
}

/** A key that a shell variable replaces where it is a whole word. */
export interface ShellKey {
  value: string
  /** Name of the variable that holds it. */
  variable: string
  /** How a shell writes it, if it is not the value of the variable but made from that. */
  written?: string
  /** Hides it in the rest of what is sent: the service may have returned it as a value, which is then sent back. */
  hide?: (text: string) => string
}

/** Characters of a longer body are left out: nobody pastes them, and each finding would keep a copy. */
const maxBody = 10_000

/** Headers that curl sets itself, or that browsers and clients add to every request. */
const noise =
  /^(host|connection|keep-alive|user-agent|content-length|transfer-encoding|expect|te|accept-encoding|sec-.*)$/i

/**
 * @example
 * const key = { value: 'abc', variable: 'API_KEY' }
 * toCurl({ method: 'GET', origin: 'http://localhost', target: '/books', headers: ['Authorization', 'Bearer abc'], key })
 * // curl -H "Authorization: Bearer $API_KEY" 'http://localhost/books'
 */
export function toCurl({ method, origin, target, headers, body, fields = [], key }: CurlRequest): string {
  const isHead = method === 'HEAD'
  const hasFields = fields.length > 0
  const sent = isHead || hasFields || body === undefined ? undefined : (key?.hide?.(body) ?? body)
  const pairs = toPairs(headers).filter(
    ([name, value]) => !isNoise(name, value) && !(hasFields && /^content-type$/i.test(name)),
  )
  const words = ['curl']
  // curl would read brackets and braces as patterns, and would normalize dot segments.
  if (/[[\]{}]/.test(target)) words.push('--globoff')
  if (/\/\.\.?(?=[/?]|$)/.test(target)) words.push('--path-as-is')
  if (isHead) words.push('--head')
  else if (method !== (sent === undefined && !hasFields ? 'GET' : 'POST'))
    words.push('-X', /^\w+$/.test(method) ? method : quote(method))
  const { rest, names } = key ? withoutEncodedKey(target, key.value) : { rest: target, names: [] }
  const { hide = (text: string) => text } = key ?? {}
  const hideElsewhere = (text: string) => (key ? splitAtKey(text, key.value).map(hide).join(key.value) : text)
  for (const name of names) words.push('--url-query', quote(`${name}=${key?.value ?? ''}`, key))
  for (const [name, value] of pairs) {
    const credentials = key && basicCredentials(name, value, key.value)
    if (credentials !== undefined) words.push('-u', quote(hideElsewhere(credentials), key))
    else words.push('-H', quote(value === '' ? `${name};` : `${name}: ${hideElsewhere(value)}`, key))
  }
  if (sent !== undefined && !pairs.some(([name]) => /^content-type$/i.test(name))) words.push('-H', "'Content-Type:'")
  for (const [option, value] of toPairs(fields)) words.push(option, quote(value))
  const shown = hideElsewhere(rest)
  const address = typeof origin === 'string' ? quote(origin + shown, key) : quote(shown, key, origin.variable)
  if (sent === undefined) return [...words, address].join(' ')
  if (sent.length > maxBody) {
    const missing = quote(`@a body of ${sent.length.toLocaleString('en')} characters`)
    return [...words, '--data-binary', missing, address].join(' ')
  }
  if (!sent.includes('\0')) return [...words, '--data-raw', quote(sent), address].join(' ')
  // A command argument cannot contain a NUL character.
  const format = sent.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('\0', '\\000')
  return [`printf ${quote(format)} |`, ...words, '--data-binary', '@-', address].join(' ')
}

function toPairs(headers: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: headers.length / 2 }, (_, index) => [
    headers[2 * index] ?? '',
    headers[2 * index + 1] ?? '',
  ])
}

function isNoise(name: string, value: string): boolean {
  return (
    noise.test(name) ||
    (/^accept$/i.test(name) && value === '*/*') ||
    (/^accept-language$/i.test(name) && value === '*')
  )
}

/** User and password of Basic authentication (RFC 7617), if they contain the key, which `quote` can't find in Base64. */
function basicCredentials(name: string, value: string, key: string): string | undefined {
  const encoded = /^authorization$/i.test(name) ? /^basic\s+(\S+)$/i.exec(value)?.[1] : undefined
  if (encoded === undefined) return undefined
  // Hidden credentials.
  if (encoded === key) return `${key}:`
  try {
    const decoded = decodeBase64(encoded)
    return decoded === key || decoded.split(':').includes(key) ? decoded : undefined
  } catch {
    return undefined
  }
}

/** The target without query parameters that contain the key percent-encoded. curl encodes these itself. */
function withoutEncodedKey(target: string, key: string): { rest: string; names: string[] } {
  const [path = '', ...query] = target.split('?')
  const parts = query.length === 0 ? [] : query.join('?').split('&')
  const isEncoded = (part: string) => !part.endsWith(`=${key}`) && [...new URLSearchParams(part).values()].includes(key)
  const kept = parts.filter((part) => !isEncoded(part))
  const names = parts.filter(isEncoded).map((part) => part.slice(0, part.indexOf('=')))
  return { rest: names.length === 0 ? target : [path, ...(kept.length > 0 ? [kept.join('&')] : [])].join('?'), names }
}

/** Text without a special meaning between double quotes in a shell, including `!` for its history. */
const plain = /^[^"$`\\!\p{Cc}]*$/u

/**
 * A shell word: in single quotes, or in double quotes with a variable in place of the key.
 * @param variable name of a variable that the word begins with
 */
function quote(text: string, key?: CurlRequest['key'], variable?: string): string {
  const parts = key ? splitAtKey(text, key.value) : [text]
  const first = variable === undefined ? '' : `$${variable}`
  if (first === '' && parts.length === 1) return `'${text.replaceAll("'", "'\\''")}'`
  const isPlain = parts.every((part) => plain.test(part))
  // Before a letter or digit the name of the variable needs braces.
  const braced = key ? (key.written ?? `\${${key.variable}}`) : ''
  const unbraced = key ? (key.written ?? `$${key.variable}`) : ''
  if (isPlain) {
    const joined = parts.reduce((whole, part) => whole + (/^\w/.test(part) ? braced : unbraced) + part)
    return `"${first}${joined}"`
  }
  const words = parts.map((part) => (part === '' ? '' : quote(part)))
  return `${first === '' ? '' : `"${first}"`}${words.join(`"${unbraced}"`)}`
}

/** Splits a text at the key, but only where the key is a whole word. */
function splitAtKey(text: string, key: string): string[] {
  const literal = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.split(new RegExp(`(?<=^|[\\s=:,;])${literal}(?=$|[\\s:,;&])`))
}
