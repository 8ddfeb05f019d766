/** Writes a request as a curl line for a POSIX shell: safe to paste, and without the key. */
import { decodeBase64 } from '../contract/credentials.js'
import { toPairs } from '../contract/http/header-pairs.js'

export interface CurlRequest {
  method: string
  /** The address before the target, or the name of a shell variable with it. */
  origin: string | { variable: string }
  /** Path and query. */
  target: string
  /** Names and values alternate. */
  headers: readonly string[]
  body?: string | { file: string } | { parts: readonly FormPart[] } | undefined
  key?: ShellKey | undefined
  /** Maximum characters of a body. A longer one is left out. @default 10000, because each finding keeps a copy */
  maxBody?: number
}

/** A part of a multipart body: a text, or a file by its path. */
export type FormPart =
  | { name: string; text: string; filename?: string | undefined; type?: string | undefined }
  | { name: string; file: string; type?: string | undefined }

/** A key that a shell variable replaces if it is a whole word. */
export interface ShellKey {
  value: string
  /** Name of the variable that holds it. */
  variable: string
  /** The shell text, if the key is derived from the variable instead of equal to it. */
  written?: string
  /** Hides it in other parts of the request: the service may have returned it as a value, which is then sent back. */
  hide?: (text: string) => string
}

/** Headers that curl sets itself, or that browsers and clients add to every request. */
const noise =
  /^(host|connection|keep-alive|user-agent|content-length|transfer-encoding|expect|te|accept-encoding|sec-.*)$/i

/** The headers that a line must contain. @param headers names and values alternate */
export function withoutUsual(headers: readonly string[]): string[] {
  return toPairs(headers)
    .filter(([name, value]) => {
      const isAny = (/^accept$/i.test(name) && value === '*/*') || (/^accept-language$/i.test(name) && value === '*')
      return !isAny && !noise.test(name)
    })
    .flat()
}

/**
 * @example
 * const key = { value: 'abc', variable: 'API_KEY' }
 * toCurl({ method: 'GET', origin: 'http://localhost', target: '/books', headers: ['Authorization', 'Bearer abc'], key })
 * // curl -H "Authorization: Bearer $API_KEY" 'http://localhost/books'
 */
export function toCurl({ method, origin, target, headers, body, key, maxBody = 10_000 }: CurlRequest): string {
  const isHead = method === 'HEAD'
  const sent = isHead ? undefined : typeof body === 'string' ? (key?.hide?.(body) ?? body) : body
  const isForm = typeof sent === 'object' && 'parts' in sent
  const isType = (name: string) => /^content-type$/i.test(name)
  // curl writes the content type of a form with its boundary.
  const pairs = toPairs(headers).filter(([name]) => !(isForm && isType(name)))
  const words = ['curl']
  // curl would read brackets and braces as patterns, and would normalize dot segments.
  if (/[[\]{}]/.test(target)) words.push('--globoff')
  if (/\/\.\.?(?=[/?]|$)/.test(target)) words.push('--path-as-is')
  if (isHead) words.push('--head')
  else if (method !== (sent === undefined ? 'GET' : 'POST'))
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
  if (sent !== undefined && !isForm && !pairs.some(([name]) => isType(name))) words.push('-H', "'Content-Type:'")
  const shown = hideElsewhere(rest)
  const address = typeof origin === 'string' ? quote(origin + shown, key) : quote(shown, key, origin.variable)
  if (typeof sent === 'object') {
    if ('parts' in sent) words.push(...sent.parts.flatMap(toFormOption))
    else words.push('--data-binary', /^\w+$/.test(sent.file) ? `@${sent.file}` : quote(`@${sent.file}`))
  }
  if (typeof sent !== 'string') return [...words, address].join(' ')
  if (sent.length > maxBody) {
    const missing = quote(`@a body of ${sent.length.toLocaleString('en')} characters`)
    return [...words, '--data-binary', missing, address].join(' ')
  }
  if (!sent.includes('\0')) return [...words, '--data-raw', quote(sent), address].join(' ')
  // A command argument cannot contain a NUL character.
  const format = sent.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('\0', '\\000')
  return [`printf ${quote(format)} |`, ...words, '--data-binary', '@-', address].join(' ')
}

function toFormOption(part: FormPart): [option: string, value: string] {
  const { name, type } = part
  const filename = 'text' in part ? part.filename : undefined
  if ('text' in part && type === undefined && filename === undefined)
    return ['--form-string', quote(`${name}=${part.text}`)]
  const parameters = Object.entries({ filename, type }).flatMap(([parameter, value]) =>
    value === undefined ? [] : `;${parameter}=${toFormWord(value)}`,
  )
  const value = 'text' in part ? toFormWord(part.text) : `@${toFormWord(part.file)}`
  return ['-F', quote(`${name}=${value}${parameters.join('')}`)]
}

/** Quotes a text that curl would misread as a file or as several parameters. */
function toFormWord(text: string): string {
  return /^[^\s@<",;\\]([^",;\\\r\n]*[^\s",;\\])?$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
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
  // Engines refuse larger expressions.
  if (key.length > 9999) return text.split(key)
  const literal = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.split(new RegExp(`(?<=^|[\\s=:,;])${literal}(?=$|[\\s:,;&])`))
}
