/** Hides the credentials of an exchange in all of its texts. */
import type { RequestContract } from '../contract.js'
import { decodeBase64, ownKey } from '../credentials.js'
import { lowerCase } from './decoded-text.js'
import { createHide, decodedLayers, type Hide } from './hide-secrets.js'

/** The parts of an exchange that have credentials or repeat them. */
export interface ExchangeTexts {
  /** The key of its world. */
  key?: string | undefined
  request: {
    /** May have a query. */
    path: string
    query: string
    /** Names and values alternately. */
    headers: readonly string[]
    body: string | undefined
  }
  response?: { headers: Readonly<Record<string, string>>; body: string | Uint8Array | undefined }
  notes?: readonly string[]
  violations?: readonly { at: string; message: string }[] | undefined
  sent?: { url: string }
}

/** An exchange without credentials, and a function that hides them in other texts about it. */
export interface HiddenExchange<Hidden> {
  readonly exchange: Hidden
  hide: Hide
}

export type HideCredentials = <Hidden extends ExchangeTexts>(exchange: Hidden) => HiddenExchange<Hidden>

/** Names that OAuth 2.0 (RFC 6749), OpenID Connect and most services use for credentials, after prefixes such as `X-`. */
const usual =
  '(?:[\\w-]{0,40}?(?:(?:api|private|access|subscription|auth|app|application|master)[-_]?key|(?:access|refresh|o?auth|id|session|security|subject|actor|api|bearer|private|[cx]srf|user|bot|device|reset)[-_]?token|secret|secret[-_]?(?:access[-_]?)?key|client[-_]?(?:secret|assertion)|pass(?:word|wd|phrase|code)|pwd|otp|credentials?|signature(?:-\\w{1,9})?|jwt)|(?:x-)?token|assertion|code_verifier|device_code)'
const isUsual = new RegExp(`^${usual}$`, 'i')
/**
 * The value after such a name: in JSON, a form, a query, XML or a multipart body. After a
 * colon, as in `password: too short`, a word without digits and quotes is prose.
 */
const usualValues = new RegExp(
  String.raw`(?<![\w-])${usual}["']?(?:\s{0,9}[:=]\s{0,9}(?:"((?:[^"\\]|\\.)*)|'([^']+)|(?:(?<==\s{0,9})|(?=[^\s"'&,;<>{}[\]\\\d]{0,99}\d))([^\s"'&,;<>{}[\]\\]+))|(?:\s[^<>]{0,99})?>(?:<!\[CDATA\[)?([^<>]+?)(?:\]\]>)?<|(?:\r?\n[\w-]{1,40}:[^\r\n]{0,99}){0,2}(?:\r?\n){2}([^\r\n]+))`,
  'gi',
)
/** Most texts have none of these words, which is found out sooner. */
const mayHaveValues = /key|token|secret|pass|pwd|otp|credential|signature|jwt|assertion|code_|eyJ|:\/\//i
const mayBeEncoded = /[\\%&]/
/** Values that are no credentials, but flags or those of samples. */
const isNoSecret = /^(?:true|false|null|string)$/
/** A JSON Web Token (RFC 7515, RFC 7516), whatever has it. */
const jwt = /(?<![\w-])eyJ[\w-]{5,}(?:\.[\w-]*){2,4}/gi
/** Headers that are not for anything else, whatever is before such a word. */
const isCredentialHeader = /(?:auth(?:orization|entication)?|token|session(?:-?id)?)$/i
/** The value of another header, e.g. of a callback, that repeats the one of a request. No challenge is like it. */
const isCredential = /^\s*(?:bearer|basic)\s+[^\s=]+={0,2}\s*$/i
/** The user and the password of a URL (RFC 3986, section 3.2.1). */
const userInfo = /:\/\/([^\s/?#@"'<>\\]+)@/g
/** The scheme of credentials (RFC 9110, section 11.4), and what follows it. */
const anyScheme = /^\s*(?:([\w-]+)\s+)?(.*)$/s
const usualScheme = /^\s*(?:(bearer|basic|digest|token|apikey)\s+)?(.*)$/is
/** Each cookie that a request has or a response sets, after what separates it from the one before. */
const cookiePatterns: Partial<Record<string, RegExp>> = {
  cookie: /(^|; *)([^=;]*)=([^;]*)/g,
  'set-cookie': /(^|, *)([^=;,\s]+)=([^;,]*)/g,
}
/** Shorter cookies that no scheme has are hidden only in their header, because they are often usual words. */
const shortestCookie = 8
/** An exchange with more is hidden as a whole, because it would take too long to look for all of them. */
const maxSecrets = 1_000

/**
 * Returns a function that finds the credentials that an exchange has, valid or not, in every security scheme of the
 * contract and by the usual names. It replaces every form of them in every text. Keys that the sandbox makes itself are shown.
 * @param others further secrets, such as a valid key, which messages may name
 * @param mark shown instead of credentials
 * @example createHideCredentials(contract, [], '[hidden]')(exchange).exchange.request.query // 'api_key=[hidden]'
 */
export function createHideCredentials(
  { schemes, operations }: Pick<RequestContract, 'schemes' | 'operations'>,
  others: readonly string[],
  mark: string,
): HideCredentials {
  const named = Object.values(schemes).flatMap((scheme) => (scheme.kind === 'apiKey' ? scheme : []))
  const namesIn = (place: string) =>
    new Set(named.flatMap((scheme) => (scheme.in === place ? scheme.name.toLowerCase() : [])))
  const [inHeaders, inQuery, inCookies] = [namesIn('header'), namesIn('query'), namesIn('cookie')]
  const parameters = operations.flatMap((operation) => operation.parameters)
  const shownCookies = new Set(parameters.flatMap(({ in: place, name }) => (place === 'cookie' ? name : [])))
  for (const { in: place, name } of named) if (place === 'cookie') shownCookies.delete(name)
  /** Clients send the same credentials with most requests. */
  let last = { key: '', hide: createHide([], mark) }

  function hiding(secrets: ReadonlySet<string>): Hide {
    if (secrets.size > maxSecrets) return (text) => text && mark
    const key = JSON.stringify([...secrets])
    if (last.key !== key) last = { key, hide: createHide(secrets, mark) }
    return last.hide
  }

  function find({ key = '', request, response, sent }: ExchangeTexts): Set<string> {
    const found = new Set<string>()
    for (const secret of [...others, key]) add(secret)
    const headers = [...request.headers, ...Object.entries(response?.headers ?? {}).flat()]
    for (let index = 0; index < headers.length; index += 2) addHeader(headers[index] ?? '', headers[index + 1] ?? '')
    for (const text of [request.path, `?${request.query}`, request.body, textOf(response?.body), sent?.url])
      if (text) addTexts(text)
    return found

    function add(text: string): void {
      const secret = text.trim()
      if (secret !== '' && !ownKey.test(secret)) found.add(secret)
    }

    function addHeader(name: string, value: string): void {
      const known = name.toLowerCase()
      const cookies = cookiePatterns[known]
      for (const [, , name = '', cookie = ''] of cookies ? value.matchAll(cookies) : []) {
        const isNamed = inCookies.has(name.toLowerCase()) || isUsual.test(name)
        if (isNamed || (cookie.length >= shortestCookie && !shownCookies.has(name)))
          add(cookie.replace(/^"(.*)"$/, '$1'))
      }
      if (/^(proxy-)?authorization$/.test(known)) addCredentials(anyScheme, value)
      else if (
        inHeaders.has(known) ||
        isUsual.test(known) ||
        isCredentialHeader.test(known) ||
        isCredential.test(value)
      )
        addCredentials(usualScheme, value)
      addTexts(value)
    }

    function addCredentials(pattern: RegExp, value: string): void {
      // Transports join repeated headers with commas.
      for (const each of new Set([value, ...value.split(',')])) {
        const [, scheme = '', credentials = ''] = pattern.exec(each) ?? []
        if (/^basic$/i.test(scheme)) addBasic(credentials.trim())
        else add(credentials)
      }
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

    /** Finds credentials also in texts that are encoded in the text. */
    function addTexts(whole: string): void {
      const layers = mayBeEncoded.test(whole) ? decodedLayers(lowerCase(whole)) : []
      for (const text of [whole, ...layers.map((layer) => layer.text)]) {
        for (const [, query] of text.includes('?') ? text.matchAll(/\?([^\s"'<>#\\]+)/g) : [])
          for (const [name, value] of new URLSearchParams(query))
            if (inQuery.has(name.toLowerCase()) || isUsual.test(name)) add(value)
        if (!mayHaveValues.test(text)) continue
        for (const [token] of text.matchAll(jwt)) for (const part of [token, ...token.split('.')]) add(part)
        for (const [, user = ''] of text.matchAll(userInfo)) for (const part of [user, ...user.split(':')]) add(part)
        for (const [, ...values] of text.matchAll(usualValues)) {
          const value = values.find((each) => each !== undefined) ?? ''
          if (!isNoSecret.test(value)) add(value)
        }
      }
    }
  }

  /** Parameters of the document are no credentials. Other cookies may be those of other programs. */
  function hideHeader(name: string, value: string, hide: Hide): string {
    const pattern = cookiePatterns[name.toLowerCase()] ?? /$^/g
    return hide(
      value.replace(pattern, (whole, start: string, cookie: string, own: string) =>
        ownKey.test(own) || shownCookies.has(cookie) ? whole : `${start}${cookie}=${mark}`,
      ),
    )
  }

  return (exchange) => {
    const hide = hiding(find(exchange))
    return {
      hide,
      // Logs need only the function.
      get exchange() {
        return hideIn(exchange, hide)
      },
    }
  }

  function hideIn<Hidden extends ExchangeTexts>(exchange: Hidden, hide: Hide): Hidden {
    const { request, response, notes, violations, sent } = exchange
    const { path, query, headers, body } = request
    return {
      ...exchange,
      request: {
        ...request,
        path: hide(path),
        query: hide(query),
        headers: headers.map((text, index) =>
          index % 2 === 0 ? hide(text) : hideHeader(headers[index - 1] ?? '', text, hide),
        ),
        body: body && hide(body),
      },
      ...(response && {
        response: {
          ...response,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, hideHeader(name, value, hide)]),
          ),
          body: hideBody(response.body, hide),
        },
      }),
      ...(notes && { notes: notes.map(hide) }),
      ...(violations && {
        violations: violations.map((each) => ({ ...each, at: hide(each.at), message: hide(each.message) })),
      }),
      ...(sent && { sent: { ...sent, url: hide(sent.url) } }),
    }
  }
}

function textOf(body: string | Uint8Array | undefined): string | undefined {
  return typeof body === 'object' ? new TextDecoder().decode(body) : body
}

/** A body that is not text stays as it is if it has no credentials. */
function hideBody(body: string | Uint8Array | undefined, hide: Hide): typeof body {
  const text = textOf(body) ?? ''
  const hidden = hide(text)
  return hidden === text ? body : hidden
}
