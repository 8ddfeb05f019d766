/** Hides the credentials of an exchange in all of its texts. */
import type { RequestContract } from '../contract.js'
import { decodeBase64, ownKey } from '../credentials.js'
import { createHide, type Hide, layersOf, limited, TooMuchWork } from './hide-secrets.js'

/** The parts of an exchange that may contain credentials. */
export interface ExchangeTexts {
  /** The key of its world. */
  key?: string | undefined
  /** The path may have a query. Headers are names and values alternately. */
  request: { path: string; query: string; headers: readonly string[]; body: string | undefined }
  response?: { headers: Readonly<Record<string, string>>; body: string | Uint8Array | undefined }
  sent?: { url: string }
}

/** The members of an exchange that may contain credentials, including nested values. */
const shownTexts = new Set(['path', 'query', 'headers', 'body', 'notes', 'at', 'message', 'url'])

/** An exchange without credentials, and a function that hides them in other texts about it. */
export interface HiddenExchange<Texts> {
  readonly exchange: Texts
  hide: Hide
}

export type HideCredentials = <Texts extends ExchangeTexts>(exchange: Texts) => HiddenExchange<Texts>

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
/** A block value of YAML in the lines below its name. */
const blockOfYaml = /^[ \t-]{0,40}([\w-]{2,64}):[ \t]{1,9}[|>][-+\d]{0,2}[ \t]*\r?\n((?:[ \t]+[^\r\n]*(?:\r?\n|$))+)/gm
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
/** Each cookie in a request or a `Set-Cookie`, after its separator. */
const cookiePatterns: Partial<Record<string, RegExp>> = {
  cookie: /(^|; *(?! ))([^=;]*)=([^;]*)/g,
  'set-cookie': /(^|, *)([^=;,\s]+)=([^;,]*)/g,
}
const never = /(?!)/g
/** Signs of credentials: a part of a usual name, the start of a token, or an escape that may hide one. */
const signs =
  /[\\%&…@]|eyj|-----|key|token|secret|pass|pwd|otp|credential|sig|jwt|sess|auth|assertion|verifier|device_code/
/** Maximum characters of a text that is searched for these signs. */
const maxPlain = 10_000
const maxRecent = 16
/** Shorter cookies that no scheme uses are hidden only in their header, because they are often common words. */
const shortestCookie = 8
/** An exchange with more secrets is hidden as a whole, because searching for all of them would take too long. */
const maxSecrets = 500
/** Maximum values of secret names, including repeated ones. */
const maxValues = 20_000
/** Maximum characters of all secrets. */
const maxLength = 32_000

/**
 * Returns a function that finds the credentials of an exchange, valid or not, by the security schemes of the contract and by
 * usual names, and replaces every form of them in every text. The default keys of the sandbox stay visible.
 * @param others further secrets, such as a valid key that messages may quote
 * @param mark shown instead of credentials
 * @example createHideCredentials(contract, [], '[hidden]')(exchange).exchange.request.query // 'api_key=[hidden]'
 */
export function createHideCredentials(
  { schemes, operations, secretNames = [] }: Pick<RequestContract, 'schemes' | 'operations' | 'secretNames'>,
  others: readonly string[],
  mark: string,
): HideCredentials {
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
  /** Whether a text clearly has no credentials. */
  const isPlain = (text: string) => text === '' || (text.length <= maxPlain && !mayBeSecret.test(text))
  /** Caches by headers, because clients send the same ones with most requests. Latest first. */
  const recent: { key: string; headers: readonly string[]; hide: Hide }[] = []
  let last = { key: '', hide: createHide([], mark) }

  function isSecret(name: string, place = ''): boolean {
    const known = name.toLowerCase()
    // Most names have no sign of a credential, and compiling the patterns below takes milliseconds.
    if (!mayBeSecret.test(known)) return false
    const isInQuery = place === 'query' && isUsualInQuery.test(name) && !documented.has(`query ${name}`)
    const isUsualThere = isInQuery || (place === 'header' && isUsualInHeaders.test(name))
    return isUsualThere || isUsual.test(name) || secretPlaces.has(known) || secretPlaces.has(`${place} ${known}`)
  }

  /** Called for each logged request. Caches by headers if only these can have credentials. */
  function createHideOf(exchange: ExchangeTexts): Hide {
    const { key = '', request, response, sent } = exchange
    const { path, query, headers, body = '' } = request
    if (response || sent || !isPlain(path) || !isPlain(query) || !isPlain(body)) return createHideOfAll(exchange)
    for (const each of recent) if (each.key === key && isSame(each.headers, headers)) return each.hide
    const hide = createHideOfAll(exchange)
    recent.unshift({ key, headers, hide })
    recent.length = Math.min(recent.length, maxRecent)
    return hide
  }

  function createHideOfAll(exchange: ExchangeTexts): Hide {
    const secrets = find(exchange)
    const key = JSON.stringify([...secrets])
    if (last.key !== key) last = { key, hide: createHide(secrets, mark) }
    return last.hide
  }

  function find({ key = '', request, response, sent }: ExchangeTexts): Set<string> {
    const found = new Set<string>()
    let [count, length] = [0, 0]
    for (const secret of [...others, key]) add(secret)
    const headers = [...request.headers, ...Object.entries(response?.headers ?? {}).flat()]
    for (let index = 0; index < headers.length; index += 2) addHeader(headers[index] ?? '', headers[index + 1] ?? '')
    for (const text of new Set([request.path, `?${request.query}`, request.body, bodyText(response?.body), sent?.url]))
      if (text) addTexts(text)
    return found

    function add(text: string): void {
      const secret = text.trim()
      if (secret !== '' && !ownKey.test(secret) && !found.has(secret)) {
        found.add(secret)
        length += secret.length
      }
      if (++count > maxValues || found.size > maxSecrets || length > maxLength) throw new TooMuchWork()
    }

    function addHeader(name: string, value: string): void {
      // Transports read each byte as a character, but clients send UTF-8.
      const read = /^[\0-\xff]+$/.test(value) ? decodeBase64(btoa(value)) : value
      if (read !== value) addHeader(name, read)
      const known = name.toLowerCase()
      for (const [, , cookie = '', own = ''] of value.matchAll(cookiePatterns[known] ?? never)) {
        const isLong = own.length >= shortestCookie && !documented.has(`cookie ${cookie}`)
        if (isLong || isSecret(cookie, 'cookie')) add(own.replace(/^"(.*)"$/, '$1'))
      }
      const isAny = /^(proxy-)?authorization$/.test(known)
      // Commas separate the protocols of a WebSocket.
      const sent = isAny ? value : value.replace(/^\s*(bearer|basic)[\s,]+/i, '$1 ')
      if (isAny || isCredential.test(sent) || isSecret(known, 'header'))
        // Transports join repeated headers with commas.
        for (const each of new Set([sent, ...sent.split(',')])) addCredentials(each, isAny ? anyScheme : usualScheme)
      addTexts(value)
    }

    function addCredentials(value: string, pattern = usualScheme): void {
      const [, scheme = '', credentials = ''] = pattern.exec(value) ?? []
      if (/^basic$/i.test(scheme)) addBasic(credentials.trim())
      else add(credentials)
    }

    /** User and password (RFC 7617). */
    function addBasic(encoded: string): void {
      try {
        const decoded = decodeBase64(encoded.replaceAll('-', '+').replaceAll('_', '/'))
        const [user = '', ...password] = decoded.split(':')
        const parts = [user, password.join(':')]
        if (parts.every((part) => part === '' || ownKey.test(part))) return
        for (const each of [...parts, decoded, encoded]) add(each)
      } catch {
        add(encoded)
      }
    }

    /** The value of a property, a parameter or an element, which may also have a scheme. */
    function addValue(value: string): void {
      addCredentials(isNoSecret.test(value) ? '' : value)
    }

    /** Adds every text below a secret name. A member `value` belongs to the name next to it, as in JSON Patch (RFC 6902). */
    function addLeaves(text: string): void {
      const left: [value: unknown, isHidden: boolean][] = [[text, false]]
      for (let next = left.pop(); next; next = left.pop()) {
        const [value, isHidden] = next
        if (typeof value === 'string' && isHidden) addValue(value)
        else if (typeof value === 'string') left.push([parse(value), false])
        else if (typeof value === 'object' && value !== null) {
          const { name, key, path, field } = value as Record<string, unknown>
          const isNamed = [name, key, path, field].some(
            (each) => typeof each === 'string' && each.length < 200 && isSecret(each.slice(each.lastIndexOf('/') + 1)),
          )
          for (const [member, inner] of Object.entries(value)) {
            const isValue = isNamed && /^values?$/i.test(member)
            const isLeaf = isHidden || isValue || (!Array.isArray(value) && isSecret(member))
            if (typeof inner === 'number' && isLeaf && !isHidden) add(String(inner))
            left.push([inner, isLeaf])
          }
        }
      }
    }

    /** Adds the texts of an element and its descendants. */
    function addElements(text: string): void {
      const lastEnds = new Map(Array.from(text.matchAll(endTags), ({ 1: name, index }) => [name, index]))
      openTags.lastIndex = 0
      for (let tag = openTags.exec(text); tag; tag = openTags.exec(text)) {
        const [, name = ''] = tag
        if (!isSecret(name.slice(name.indexOf(':') + 1))) continue
        const from = openTags.lastIndex
        const isClosed = (lastEnds.get(name) ?? 0) >= from
        const end = isClosed ? text.indexOf(`</${name}`, from) : text.slice(0, from + maxUnclosed).indexOf('<', from)
        const inside = text.slice(from, end < 0 ? from + maxUnclosed : end)
        for (const each of inside.split(/<!\[CDATA\[|\]\]>|<[^<>]*>/)) addValue(each.trim())
        openTags.lastIndex = from + inside.length
      }
    }

    /** Finds credentials in a text and in texts encoded in it. */
    function addTexts(whole: string): void {
      if (isPlain(whole)) return
      addLeaves(whole)
      for (const [, name = '', value = ''] of whole.matchAll(lineOfYaml)) if (isSecret(name)) addValue(value)
      for (const [, name = '', lines = ''] of whole.matchAll(blockOfYaml))
        if (isSecret(name)) for (const line of lines.split('\n')) addValue(line.trim())
      // A text that takes too long to decode is hidden as a whole.
      const [, ...decoded] = limited(() => layersOf(whole)) ?? []
      for (const text of [whole, ...decoded]) {
        for (const [, name = '', value = ''] of text.matchAll(parameters))
          if (isSecret(decodeForm(name).replace(/\[.*/s, ''), 'query')) addValue(decodeForm(value))
        for (const [token] of text.matchAll(jwt)) for (const part of [token, ...token.split('.')]) add(part)
        for (const [, user = ''] of text.matchAll(userInfo)) for (const part of [user, ...user.split(':')]) add(part)
        for (const [, key = ''] of text.matchAll(privateKey)) add(key)
        addElements(text)
        for (const { 0: name, index } of text.matchAll(names)) {
          if (!isSecret(name)) continue
          valueAfterName.lastIndex = index + name.length
          addValue(valueAfterName.exec(text)?.slice(1).join('') ?? '')
        }
      }
    }
  }

  return (exchange) => {
    const hide = limited(() => createHideOf(exchange)) ?? ((text: string) => text && mark)
    return new Hidden(exchange, hide, hideIn)
  }

  /** @param name the name of the member or header */
  function hideIn(part: unknown, hide: Hide, name = '', isShown = false): unknown {
    if (typeof part === 'string') return isShown ? hide(hideCookies(name, part)) : part
    if (Array.isArray(part)) return part.map((each, index) => hideIn(each, hide, String(part[index - 1]), isShown))
    if (typeof part !== 'object' || part === null) return part
    if (!(part instanceof Uint8Array)) {
      const entries = Object.entries(part)
      return Object.fromEntries(
        entries.map(([each, own]) => [each, hideIn(own, hide, each, isShown || shownTexts.has(each))]),
      )
    }
    // A body that is not text stays as it is if it has no credentials.
    const text = bodyText(part) ?? ''
    const hidden = hide(text)
    return hidden === text ? part : hidden
  }

  /** Hides undocumented cookies, which may belong to other programs. Documented parameters are not credentials. */
  function hideCookies(header: string, value: string): string {
    const pattern = cookiePatterns[header.toLowerCase()] ?? never
    return value.replace(pattern, (whole, start: string, cookie: string, own: string) =>
      ownKey.test(own) || documented.has(`cookie ${cookie}`) ? whole : `${start}${cookie}=${mark}`,
    )
  }
}

/** A class, because logs only need the function for each request, and an object literal with a getter is slow to create. */
class Hidden<Texts extends ExchangeTexts> implements HiddenExchange<Texts> {
  readonly #original: Texts
  readonly hide: Hide
  readonly #hideIn: (exchange: Texts, hide: Hide) => unknown

  constructor(original: Texts, hide: Hide, hideIn: (exchange: Texts, hide: Hide) => unknown) {
    this.#original = original
    this.hide = hide
    this.#hideIn = hideIn
  }

  get exchange(): Texts {
    // Values of records are no texts of the exchange: they may have any names, and are many.
    const { changes: _, ...texts } = this.#original as Texts & { changes?: unknown }
    return this.#hideIn(texts as unknown as Texts, this.hide) as Texts
  }
}

function isSame(headers: readonly string[], others: readonly string[]): boolean {
  return headers.length === others.length && headers.every((text, at) => text === others[at])
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

function bodyText(body: string | Uint8Array | undefined): string | undefined {
  return typeof body === 'object' ? new TextDecoder().decode(body) : body
}
