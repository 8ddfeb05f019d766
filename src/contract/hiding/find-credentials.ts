/** Finds the credentials in the texts of an exchange: by the security schemes of the contract, and by usual names. */
import type { RequestContract } from '../contract.js'
import { decodeBase64, ownKey } from '../credentials.js'
import { layersOf, limited, TooMuchWork } from './hide-secrets.js'

/** The parts of an exchange that may contain credentials. */
export interface ExchangeTexts {
  /** The key of its world. */
  key?: string | undefined
  /** The path may have a query. Headers are names and values alternately. */
  request: { path: string; query: string; headers: readonly string[]; body: string | undefined }
  response?: { headers: Readonly<Record<string, string>>; body: string | Uint8Array | undefined }
  sent?: { url: string }
}

/** Names of credentials in OAuth 2.0 (RFC 6749), OpenID Connect and most services, with prefixes such as `X-`. */
const isUsual =
  /^(?:[\w-]{0,40}?(?:(?:api|private|access|subscription|auth|app|application|master|functions|signing|encryption)[-_]?key|(?:access|refresh|o?auth|id|session|security|subject|actor|api|bearer|private|[cx]srf|user|bot|device|reset)[-_]?token|secret|secret[-_]?(?:access[-_]?)?key|client[-_]?(?:secret|assertion)|pass(?:word|wd|phrase|code)(?:[-_]?(?:confirm(?:ation)?|repeat|again))?|pwd|otp|credentials?|signature(?:-\w{1,9})?|jwt|sess(?:ion)?[-_]?id|authorization)|(?:x-)?token|assertion|code_verifier|device_code)$/i
/** Names that are usual only in queries. */
const isUsualInQuery = /^(?:key|sig|auth)$/i
/** Headers with any prefix that are used only for credentials. */
const isUsualInHeaders = /(?:auth(?:orization|entication)?(?:-code)?|token|session(?:-?id)?|^(?:x-)?key)$/i
/** A name before its separator in JSON, a form, a query, XML or a multipart body. */
const names = /(?<![\w-])[\w-]{2,64}(?=(?:\[\w*\])?["']?(?:\s{0,9}[:=]|(?:;[^\r\n]{0,199})?\r?\n))/g
/** The value after such a name. A word without digits and quotes after a colon, as in `password: too short`, is prose. */
const valueAfterName =
  /(?:\[\w*\])?["']?(?:\s{0,9}[:=]\s{0,9}(?:"([^"\\]*(?:\\.[^"\\]*)*)|'([^']+)|(?:(?<==\s{0,9})|(?=[^\s"'&,;<>{}[\]\\\d]{0,60}\d)|(?=(?:bearer|basic) ))((?:(?:bearer|basic|token|digest) {1,9})?[^\s"'&,;<>{}[\]\\]+))|(?:;[^\r\n]{0,199})?(?:\r?\n[\w-]{1,40}:[^\r\n]{0,99}){0,2}(?:\r?\n){2}([^\r\n]+))/iy
/** A line of YAML, which is not prose. */
const lineOfYaml = /^[ \t-]{0,40}([\w-]{2,64}): ([^\s"'{[&*|>#]+)[ \t]*$/gm
const parameters = /[?&;]([^\s=&;?"'<>#\\]{1,99})=([^\s&;"'<>#\\]+)/g
const openTags = /<([\w.:-]{1,64})(?:\s[^<>]{0,999}(?<!\/))?>/g
const endTags = /<\/([\w.:-]{1,64})/g
/** Maximum characters of an XML element without an end tag. */
const maxUnclosed = 2_000
const privateKey = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----((?:[^-]|-(?!----))+)/gi
/** Values that are flags or samples instead of credentials. */
const isNoSecret = /^(?:|true|false|null|string)$/
/** A JSON Web Token (RFC 7515, RFC 7516) at any place. */
const jwt = /(?<![\w-])eyJ[\w-]{5,}(?:\.[\w-]*){2,4}/gi
/** The value of another header, e.g. of a callback, that repeats credentials. Challenges do not match. */
const isCredential = /^\s*(?:bearer|basic)\s+[^\s=]+={0,2}\s*$/i
/** The user and the password of a URL (RFC 3986, section 3.2.1). */
const userInfo = /:\/\/([^\s/?#@"'<>\\]+)@/g
/** The scheme of credentials (RFC 9110, section 11.4), and what follows it. */
const anyScheme = /^\s*(?:([\w-]+)\s+)?(.*)$/s
const usualScheme = /^\s*(?:(bearer|basic|digest|token|apikey)\s+)?(.*)$/is
/** Signs of credentials: a part of a usual name, the start of a token, or an escape that may hide one. */
const signs =
  /[\\%&…@]|eyj|-----|key|token|secret|pass|pwd|otp|credential|sig|jwt|sess|auth|assertion|verifier|device_code/
/** Maximum characters of a text that is searched for these signs. */
const maxPlain = 10_000
/** Each cookie in a request or a `Set-Cookie`, after its separator. */
export const cookiePatterns: Partial<Record<string, RegExp>> = {
  cookie: /(^|; *(?! ))([^=;]*)=([^;]*)/g,
  'set-cookie': /(^|, *)([^=;,\s]+)=([^;,]*)/g,
}
export const never: RegExp = /(?!)/g
/** Shorter cookies that no scheme uses are hidden only in their header, because they are often common words. */
const shortestCookie = 8
/** An exchange with more secrets is hidden as a whole, because searching for all of them would take too long. */
const maxSecrets = 500
/** Maximum values of secret names, including repeated ones. */
const maxValues = 20_000
/** Maximum characters of all secrets. */
const maxLength = 32_000

/** Recognizes the names of credentials. */
export interface SecretNames {
  isSecret(name: string, place?: string): boolean
  /** Whether a text clearly has no credentials. */
  isPlain(text: string): boolean
  /** Parameters that are no credentials: `query limit`. */
  documented: ReadonlySet<string>
}

export type SecretNamesOf = Pick<RequestContract, 'schemes' | 'operations' | 'secretNames'>

export function findSecretNames({ schemes, operations, secretNames = [] }: SecretNamesOf): SecretNames {
  const inSchemes = Object.values(schemes).flatMap((scheme) =>
    scheme.kind === 'apiKey' ? `${scheme.in} ${scheme.name}` : [],
  )
  const secretPlaces = new Set([...secretNames, ...inSchemes].map((each) => each.toLowerCase()))
  const documented = new Set(
    operations.flatMap(({ parameters }) => parameters.map(({ in: place, name }) => `${place} ${name}`)),
  )
  for (const place of inSchemes) documented.delete(place)
  const literal = [...secretPlaces].map((each) =>
    each
      .replace(/^\w+ /, '')
      .slice(0, 99)
      .replace(/[^\w\s-]/g, '\\$&'),
  )
  const mayBeSecret = new RegExp([signs.source, ...literal].join('|'), 'i')
  return {
    documented,
    isPlain: (text) => text === '' || (text.length <= maxPlain && !mayBeSecret.test(text)),
    isSecret(name, place = '') {
      const known = name.toLowerCase()
      // Most names have no sign of a credential, and compiling the patterns below takes milliseconds.
      if (!mayBeSecret.test(known)) return false
      const isInQuery = place === 'query' && isUsualInQuery.test(name) && !documented.has(`query ${name}`)
      const isUsualThere = isInQuery || (place === 'header' && isUsualInHeaders.test(name))
      return isUsualThere || isUsual.test(name) || secretPlaces.has(known) || secretPlaces.has(`${place} ${known}`)
    },
  }
}

/**
 * Finds the credentials of an exchange, valid or not.
 * @param others further secrets
 * @throws TooMuchWork
 */
export function findCredentials(
  names: SecretNames,
  { key = '', request, response, sent }: ExchangeTexts,
  others: readonly string[],
): Set<string> {
  const search: Search = { names, found: new Set(), count: 0, length: 0 }
  for (const secret of [...others, key]) add(search, secret)
  const headers = [...request.headers, ...Object.entries(response?.headers ?? {}).flat()]
  for (let index = 0; index < headers.length; index += 2)
    addHeader(search, headers[index] ?? '', headers[index + 1] ?? '')
  for (const text of new Set([request.path, `?${request.query}`, request.body, bodyText(response?.body), sent?.url]))
    if (text) addTexts(search, text)
  return search.found
}

interface Search {
  readonly names: SecretNames
  readonly found: Set<string>
  /** The number of values, including repeated ones. */
  count: number
  /** Characters of all secrets. */
  length: number
}

function add(search: Search, text: string): void {
  const { found } = search
  const secret = text.trim()
  if (secret !== '' && !ownKey.test(secret) && !found.has(secret)) {
    found.add(secret)
    search.length += secret.length
  }
  if (++search.count > maxValues || found.size > maxSecrets || search.length > maxLength) throw new TooMuchWork()
}

function addHeader(search: Search, name: string, value: string): void {
  const { isSecret, documented } = search.names
  // Transports read each byte as a character, but clients send UTF-8.
  const read = /^[\0-\xff]+$/.test(value) ? decodeBase64(btoa(value)) : value
  if (read !== value) addHeader(search, name, read)
  const known = name.toLowerCase()
  for (const [, , cookie = '', own = ''] of value.matchAll(cookiePatterns[known] ?? never)) {
    const isLong = own.length >= shortestCookie && !documented.has(`cookie ${cookie}`)
    if (isLong || isSecret(cookie, 'cookie')) add(search, own.replace(/^"(.*)"$/, '$1'))
  }
  const isAny = /^(proxy-)?authorization$/.test(known)
  // Commas separate the protocols of a WebSocket.
  const sent = isAny ? value : value.replace(/^\s*(bearer|basic)[\s,]+/i, '$1 ')
  if (isAny || isCredential.test(sent) || isSecret(known, 'header'))
    // Transports join repeated headers with commas.
    for (const each of new Set([sent, ...sent.split(',')]))
      addCredentials(search, each, isAny ? anyScheme : usualScheme)
  addTexts(search, value)
}

function addCredentials(search: Search, value: string, pattern = usualScheme): void {
  const [, scheme = '', credentials = ''] = pattern.exec(value) ?? []
  if (/^basic$/i.test(scheme)) addBasic(search, credentials.trim())
  else add(search, credentials)
}

/** User and password (RFC 7617). */
function addBasic(search: Search, encoded: string): void {
  try {
    const decoded = decodeBase64(encoded.replaceAll('-', '+').replaceAll('_', '/'))
    const [user = '', ...password] = decoded.split(':')
    const parts = [user, password.join(':')]
    if (parts.every((part) => part === '' || ownKey.test(part))) return
    for (const each of [...parts, decoded, encoded]) add(search, each)
  } catch {
    add(search, encoded)
  }
}

/** The value of a property, a parameter or an element, which may also have a scheme. */
function addValue(search: Search, value: string): void {
  addCredentials(search, isNoSecret.test(value) ? '' : value)
}

/** Adds every text below a secret name. A member `value` belongs to the name next to it, as in JSON Patch (RFC 6902). */
function addLeaves(search: Search, text: string): void {
  const { isSecret } = search.names
  const left: [value: unknown, isHidden: boolean][] = [[text, false]]
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, isHidden] = next
    if (typeof value === 'string' && isHidden) addValue(search, value)
    else if (typeof value === 'string') left.push([parse(value), false])
    else if (typeof value === 'object' && value !== null) {
      const { name, key, path, field } = value as Record<string, unknown>
      const isNamed = [name, key, path, field].some(
        (each) => typeof each === 'string' && each.length < 200 && isSecret(each.slice(each.lastIndexOf('/') + 1)),
      )
      for (const [member, inner] of Object.entries(value)) {
        const isValue = isNamed && /^values?$/i.test(member)
        const isLeaf = isHidden || isValue || (!Array.isArray(value) && isSecret(member))
        if (typeof inner === 'number' && isLeaf && !isHidden) add(search, String(inner))
        left.push([inner, isLeaf])
      }
    }
  }
}

/** Adds the texts of an element and its descendants. */
function addElements(search: Search, text: string): void {
  const { isSecret } = search.names
  const lastEnds = new Map(Array.from(text.matchAll(endTags), ({ 1: name, index }) => [name, index]))
  openTags.lastIndex = 0
  for (let tag = openTags.exec(text); tag; tag = openTags.exec(text)) {
    const [, name = ''] = tag
    if (!isSecret(name.slice(name.indexOf(':') + 1))) continue
    const from = openTags.lastIndex
    const isClosed = (lastEnds.get(name) ?? 0) >= from
    const end = isClosed ? text.indexOf(`</${name}`, from) : text.slice(0, from + maxUnclosed).indexOf('<', from)
    const inside = text.slice(from, end < 0 ? from + maxUnclosed : end)
    for (const each of inside.split(/<!\[CDATA\[|\]\]>|<[^<>]*>/)) addValue(search, each.trim())
    openTags.lastIndex = from + inside.length
  }
}

/** Finds credentials in a text and in texts encoded in it. */
function addTexts(search: Search, whole: string): void {
  const { isSecret, isPlain } = search.names
  if (isPlain(whole)) return
  addLeaves(search, whole)
  for (const [, name = '', value = ''] of whole.matchAll(lineOfYaml)) if (isSecret(name)) addValue(search, value)
  // A text that takes too long to decode is hidden as a whole.
  const [, ...decoded] = limited(() => layersOf(whole)) ?? []
  for (const text of [whole, ...decoded]) {
    for (const [, name = '', value = ''] of text.matchAll(parameters))
      if (isSecret(decodeForm(name).replace(/\[.*/s, ''), 'query')) addValue(search, decodeForm(value))
    for (const [token] of text.matchAll(jwt)) for (const part of [token, ...token.split('.')]) add(search, part)
    for (const [, user = ''] of text.matchAll(userInfo))
      for (const part of [user, ...user.split(':')]) add(search, part)
    for (const [, key = ''] of text.matchAll(privateKey)) add(search, key)
    addElements(search, text)
    for (const { 0: name, index } of text.matchAll(names)) {
      if (!isSecret(name)) continue
      valueAfterName.lastIndex = index + name.length
      addValue(search, valueAfterName.exec(text)?.slice(1).join('') ?? '')
    }
  }
}

/** @returns undefined for text that is not a JSON object or array */
function parse(text: string): unknown {
  if (!/^\s{0,99}[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function decodeForm(text: string): string {
  return /[%+]/.test(text) ? (new URLSearchParams(`=${text}`).get('') ?? text) : text
}

export function bodyText(body: string | Uint8Array | undefined): string | undefined {
  return typeof body === 'object' ? new TextDecoder().decode(body) : body
}
