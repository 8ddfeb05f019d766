/** Hides the credentials of an exchange in all of its texts. */
import type { RequestContract } from '../contract.js'
import { decodeBase64, ownKey } from '../credentials.js'
import { createHide, type Hide } from './hide-secrets.js'

/** The parts of an exchange that have credentials or repeat them. */
export interface ExchangeTexts {
  /** The key of its world. */
  key?: string | undefined
  request: {
    path: string
    query: string
    /** Names and values alternately. */
    headers: readonly string[]
    body: string | undefined
  }
  response: { headers: Readonly<Record<string, string>>; body: string | Uint8Array | undefined }
  notes: readonly string[]
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
  '(?:(?:[a-z0-9]{1,30}[-_]){0,3}(?:(?:api|private|access|subscription)[-_]?key|(?:access|refresh|auth|id|session|security|subject|actor)[-_]?token|secret|secret[-_]?(?:access[-_]?)?key|client[-_]?(?:secret|assertion)|pass(?:word|wd|phrase)|signature|jwt)|(?:x-)?token|assertion|code_verifier|device_code)'
const isUsual = new RegExp(`^${usual}$`, 'i')
/** The value after such a name: in JSON, also as a string of JSON, in a form, a query, XML or a multipart body. */
const usualValues = new RegExp(
  String.raw`(?<![\w-])${usual}\\{0,3}["']?(?:\s{0,9}[:=]\s{0,9}(?:"((?:[^"\\]|\\.)*)|\\{1,3}"([^"\\]+)|'([^']+)|([^\s"'&,;<>{}[\]\\]+))|>([^<>]+)<|(?:\r?\n){2}([^\r\n]+))`,
  'gi',
)
/** Most texts have none of these words, which is found out sooner. */
const mayHaveValues = /key|token|secret|pass|signature|jwt|assertion|code_|eyJ|:\/\//i
/** A JSON Web Token (RFC 7515, RFC 7516), whatever has it. */
const jwt = /(?<![\w-])eyJ[\w-]{5,}(?:\.[\w-]*){2,4}/g
/** The user and the password of a URL (RFC 3986, section 3.2.1). */
const userInfo = /:\/\/([^\s/?#@"'<>\\]+)@/g
/** Parameters of `Authorization` that are no credentials: of Digest (RFC 7616), OAuth 1.0 (RFC 5849) and signatures. */
const isPublic =
  /^(?:realm|uri|algorithm|qop|nc|charset|userhash|headers|signedheaders|created|expires|ts|version|oauth_(?:version|timestamp|signature_method))$/i
/** Shorter cookies that no scheme has are hidden only in their header, because they are often usual words. */
const shortestCookie = 8
/** An exchange with more is hidden as a whole, because it would take too long to look for all of them. */
const maxSecrets = 1_000

/**
 * Returns a function that finds the credentials that an exchange has, valid or not, in every security scheme of the
 * contract and by the usual names. It replaces every form of them in every text. Keys that the sandbox makes itself are shown.
 * @param others further secrets, such as the valid keys, which messages may name
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
    const add = (text: string) => {
      if (text.trim() !== '' && !ownKey.test(text.trim())) found.add(text.trim())
    }
    const { path, query, headers, body } = request
    const received = Object.entries(response.headers)
    for (const secret of [...others, key]) add(secret)
    for (let index = 0; index < headers.length; index += 2) addHeader(headers[index] ?? '', headers[index + 1] ?? '')
    for (const [name, value] of received) addHeader(name, value)
    for (const text of [path, `?${query}`, body, textOf(response.body), sent?.url]) if (text) addTexts(text)
    return found

    function addHeader(name: string, value: string): void {
      const known = name.toLowerCase()
      if (known === 'cookie') for (const cookie of value.split(/; */)) addCookie(cookie)
      else if (known === 'set-cookie') for (const [, , cookie = ''] of value.matchAll(setCookies)) addCookie(cookie)
      else if (/^(proxy-)?authorization$/.test(known)) addCredentials(/^\s*(?:([\w-]+)\s+)?(.*)$/s, value)
      else if (inHeaders.has(known) || isUsual.test(known) || isCredentials(known, value))
        addCredentials(/^\s*(?:(bearer|basic|digest|token|apikey)\s+)?(.*)$/is, value)
      addTexts(value)
    }

    function addCookie(cookie: string): void {
      const [name = '', value] = splitCookie(cookie)
      const isCredential = inCookies.has(name.toLowerCase()) || isUsual.test(name)
      if (isCredential || (value.length >= shortestCookie && !shownCookies.has(name))) addEncoded(value)
    }

    /** @param pattern of the scheme and what follows it (RFC 9110, section 11.4) */
    function addCredentials(pattern: RegExp, value: string): void {
      const [, scheme = '', rest = ''] = pattern.exec(value) ?? []
      const isList = /^[\w-]+="?[^=]/.test(rest)
      if (isList)
        for (const [, name = '', item = ''] of rest.matchAll(/(?<![\w-])([\w-]+)="?([^",]+)/g))
          if (!isPublic.test(name)) add(item)
      // Transports join repeated headers with commas.
      const repeated = isList ? [] : rest.split(/, *(?:[\w-]+ +)?/).filter((each) => each.length > 3)
      for (const each of new Set([rest, ...repeated]))
        if (scheme.toLowerCase() !== 'basic' || !addBasic(each)) add(each)
    }

    /** User and password (RFC 7617). @returns whether the text is Base64, and then it is added if they are secret */
    function addBasic(encoded: string): boolean {
      try {
        const decoded = decodeBase64(encoded)
        const [user = '', ...password] = decoded.split(':')
        const parts = [user, password.join(':')].filter((part) => part !== '' && !ownKey.test(part))
        for (const part of parts) addEncoded(part)
        if (parts.length > 0) for (const each of [decoded, encoded]) add(each)
        return true
      } catch {
        return false
      }
    }

    /** Adds a text that may be percent-encoded, as in a form. */
    function addEncoded(text: string): void {
      add(text)
      if (/[%+]/.test(text)) add(new URLSearchParams(`=${text.replaceAll('&', '%26')}`).get('') ?? '')
    }

    function addTexts(text: string): void {
      if (inQuery.size > 0) {
        for (const [, name = '', value = ''] of text.matchAll(/[?&]([^=&#\s"'<>]{1,99})=([^&#\s"'<>]+)/g))
          if (inQuery.has(decodeName(name))) addEncoded(value)
      }
      if (!mayHaveValues.test(text)) return
      for (const [token] of text.matchAll(jwt)) add(token)
      for (const [, user = ''] of text.matchAll(userInfo))
        for (const part of [user, ...user.split(':')]) addEncoded(part)
      for (const [, quoted, ...others] of text.matchAll(usualValues)) {
        const value = quoted === undefined ? (others.find((each) => each !== undefined) ?? '') : unquote(quoted)
        if (!/^(?:true|false|null)$/.test(value)) addEncoded(value)
      }
    }
  }

  /** Parameters of the document are no credentials. Other cookies may be those of other programs. */
  function hideCookie(cookie: string, hide: Hide): string {
    const [name, value] = splitCookie(cookie)
    return ownKey.test(value) || shownCookies.has(name) ? hide(cookie) : `${hide(name)}=${mark}`
  }

  function hideHeader(name: string, value: string, hide: Hide): string {
    if (/^cookie$/i.test(name))
      return value
        .split(/; */)
        .map((cookie) => hideCookie(cookie, hide))
        .join('; ')
    if (!/^set-cookie$/i.test(name)) return hide(value)
    return hide(value.replace(setCookies, (_, start: string, cookie: string) => start + hideCookie(cookie, hide)))
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
    const { headers } = request
    const received = Object.entries(response.headers)
    return {
      ...exchange,
      notes: notes.map(hide),
      ...(violations && {
        violations: violations.map((each) => ({ ...each, at: hide(each.at), message: hide(each.message) })),
      }),
      ...(sent && { sent: { ...sent, url: hide(sent.url) } }),
      request: {
        ...request,
        path: hide(request.path),
        query: hide(request.query),
        headers: headers.map((text, index) =>
          index % 2 === 0 ? hide(text) : hideHeader(headers[index - 1] ?? '', text, hide),
        ),
        body: request.body === undefined ? undefined : hide(request.body),
      },
      response: {
        ...response,
        headers: Object.fromEntries(received.map(([name, value]) => [name, hideHeader(name, value, hide)])),
        body: hideBody(response.body, hide),
      },
    }
  }
}

/** The name and value of each cookie that a response sets, after what separates it from the one before. */
const setCookies = /(^|, *)([^=;,\s]+=[^;,]*)/g

function splitCookie(cookie: string): [name: string, value: string] {
  const end = cookie.indexOf('=')
  return [cookie.slice(0, Math.max(end, 0)), cookie.slice(end + 1).replace(/^"(.*)"$/, '$1')]
}

/** Whether another header, e.g. of a callback, repeats that of a request. */
function isCredentials(name: string, value: string): boolean {
  return !name.endsWith('-authenticate') && /^\s*(?:bearer|basic)\s+\S+\s*$/i.test(value)
}

function decodeName(name: string): string {
  return [...new URLSearchParams(`${name}=`).keys()].join().toLowerCase()
}

function unquote(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

/** Each byte as a character if they are not UTF-8, so that they can be written again. */
function textOf(body: string | Uint8Array | undefined): string | undefined {
  if (typeof body !== 'object') return body
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return Array.from(body, (byte) => String.fromCharCode(byte)).join('')
  }
}

function hideBody(body: string | Uint8Array | undefined, hide: Hide): typeof body {
  const text = textOf(body)
  if (text === undefined) return body
  const hidden = hide(text)
  if (typeof body === 'string' || hidden === text) return hidden === text ? body : hidden
  const isBinary = text.length === body?.length
  return isBinary ? Uint8Array.from(hidden, (each) => each.charCodeAt(0)) : hidden
}
