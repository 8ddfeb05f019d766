/** Hides the credentials of an exchange in all of its texts. */
import type { RequestContract } from '../contract.js'
import { decodeBase64, ownKey } from '../credentials.js'
import { TooMuchWork } from './decoded-text.js'
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
  /** What it hides. Empty if everything is hidden. */
  secrets: readonly string[]
}

export type HideCredentials = <Hidden extends ExchangeTexts>(exchange: Hidden) => HiddenExchange<Hidden>

/** Names that OAuth 2.0 (RFC 6749), OpenID Connect and most services use for credentials, after prefixes such as `X-`. */
const isUsual =
  /^(?:[\w-]{0,40}?(?:(?:api|private|access|subscription|auth|app|application|master|functions|signing|encryption)[-_]?key|(?:access|refresh|o?auth|id|session|security|subject|actor|api|bearer|private|[cx]srf|user|bot|device|reset)[-_]?token|secret|secret[-_]?(?:access[-_]?)?key|client[-_]?(?:secret|assertion)|pass(?:word|wd|phrase|code)(?:[-_]?(?:confirm(?:ation)?|repeat|again))?|pwd|otp|credentials?|signature(?:-\w{1,9})?|jwt|sess(?:ion)?[-_]?id|authorization)|(?:x-)?token|assertion|code_verifier|device_code)$/i
/** Usual only in queries. */
const isUsualInQuery = /^(?:key|sig|auth)$/i
/** A name, and what is between it and its value: in JSON, a form, a query, XML or a multipart body. */
const names = /(?<![\w-])[\w-]{2,64}(?=(?:\[\w*\])?["']?(?:\s{0,9}[:=]|\r?\n))/g
/** The value after such a name. After a colon, as in `password: too short`, a word without digits and quotes is prose. */
const valueAfterName =
  /(?:\[\w*\])?["']?(?:\s{0,9}[:=]\s{0,9}(?:"([^"\\]*(?:\\.[^"\\]*)*)|'([^']+)|(?:(?<==\s{0,9})|(?=[^\s"'&,;<>{}[\]\\\d]{0,60}\d)|(?=(?:bearer|basic) ))((?:(?:bearer|basic|token|digest) {1,9})?[^\s"'&,;<>{}[\]\\]+))|(?:\r?\n[\w-]{1,40}:[^\r\n]{0,99}){0,2}(?:\r?\n){2}([^\r\n]+))/iy
/** A line of YAML is no prose. */
const lineOfYaml = /^[ \t-]{0,40}([\w-]{2,64}): ([^\s"'{[&*|>#]+)[ \t]*$/gm
const parameters = /[?&;]([^\s=&;?"'<>#\\]{1,99})=([^\s&;"'<>#\\]+)/g
const openTags = /<([\w.-]{1,64})(?:\s[^<>]{0,999})?>/g
/** Characters of an element of XML. */
const maxElement = 2_000
const privateKey = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----((?:[^-]|-(?!----))+)/gi
const mayBeEncoded = /[\\%&]/
/** Values that are no credentials, but flags or those of samples. */
const isNoSecret = /^(?:|true|false|null|string)$/
/** A JSON Web Token (RFC 7515, RFC 7516), whatever has it. */
const jwt = /(?<![\w-])eyJ[\w-]{5,}(?:\.[\w-]*){2,4}/gi
/** Headers that are not for anything else, whatever is before such a word. */
const isCredentialHeader = /(?:auth(?:orization|entication)?(?:-code)?|token|session(?:-?id)?|^(?:x-)?key)$/i
/** The value of another header, e.g. of a callback, that repeats the one of a request. No challenge is like it. */
const isCredential = /^\s*(?:bearer|basic)[\s,]+[^\s=]+={0,2}\s*$/i
/** The user and the password of a URL (RFC 3986, section 3.2.1). */
const userInfo = /:\/\/([^\s/?#@"'<>\\]+)@/g
/** The scheme of credentials (RFC 9110, section 11.4), and what follows it. */
const anyScheme = /^\s*(?:([\w-]+)\s+)?(.*)$/s
const usualScheme = /^\s*(?:(bearer|basic|digest|token|apikey)(?:[\s,]+|$))?(.*)$/is
/** Each cookie that a request has or a response sets, after what separates it from the one before. */
const cookiePatterns: Partial<Record<string, RegExp>> = {
  cookie: /(^|; *)([^=;]*)=([^;]*)/g,
  'set-cookie': /(^|, *)([^=;,\s]+)=([^;,]*)/g,
}
/** Shorter cookies that no scheme has are hidden only in their header, because they are often usual words. */
const shortestCookie = 8
/** An exchange with more is hidden as a whole, because it would take too long to look for all of them. */
const maxSecrets = 1_000
/** Values of secret names, also those that are found again. */
const maxValues = 20_000

/**
 * Returns a function that finds the credentials that an exchange has, valid or not, in every security scheme of the
 * contract and by the usual names. It replaces every form of them in every text. Keys that the sandbox makes itself are shown.
 * @param others further secrets, such as a valid key, which messages may name
 * @param mark shown instead of credentials
 * @example createHideCredentials(contract, [], '[hidden]')(exchange).exchange.request.query // 'api_key=[hidden]'
 */
export function createHideCredentials(
  { schemes, operations, secretNames = [] }: Pick<RequestContract, 'schemes' | 'operations' | 'secretNames'>,
  others: readonly string[],
  mark: string,
): HideCredentials {
  const named = Object.values(schemes).flatMap((scheme) => (scheme.kind === 'apiKey' ? scheme : []))
  const namesIn = (place: string) =>
    new Set(named.flatMap((scheme) => (scheme.in === place ? scheme.name.toLowerCase() : [])))
  const [inHeaders, inQuery, inCookies] = [namesIn('header'), namesIn('query'), namesIn('cookie')]
  const documented = (wanted: string) =>
    new Set(
      operations.flatMap((each) => each.parameters.flatMap(({ in: place, name }) => (place === wanted ? name : []))),
    )
  const [shownCookies, shownInQuery] = [documented('cookie'), documented('query')]
  const secretly = new Set(secretNames.map((name) => name.toLowerCase()))
  const isSecretName = (name: string) => secretly.has(name.toLowerCase()) || isUsual.test(name)
  function isSecretParameter(encoded: string): boolean {
    const name = decodeForm(encoded).replace(/\[.*$/, '')
    return (
      inQuery.has(name.toLowerCase()) || isSecretName(name) || (isUsualInQuery.test(name) && !shownInQuery.has(name))
    )
  }
  for (const { in: place, name } of named) if (place === 'cookie') shownCookies.delete(name)
  /** Clients send the same credentials with most requests. */
  let last = { key: '', hide: createHide([], mark) }

  function hiding(exchange: ExchangeTexts): Pick<HiddenExchange<never>, 'hide' | 'secrets'> {
    const secrets = findAll(exchange)
    /** Put there for a text that takes too long to decode, which is hidden as a whole. */
    const isPartly = secrets?.delete(mark) === true
    if (!secrets) return { hide: (text) => text && mark, secrets: [] }
    const key = JSON.stringify([...secrets])
    if (last.key !== key) last = { key, hide: createHide(secrets, mark) }
    const { hide } = last
    return {
      hide: isPartly ? (text) => (decodedLayers(text) ? hide(text) : mark) : hide,
      secrets: [...secrets],
    }
  }

  function findAll(exchange: ExchangeTexts): Set<string> | undefined {
    try {
      return find(exchange)
    } catch (error) {
      if (error instanceof TooMuchWork) return undefined
      throw error
    }
  }

  function find({ key = '', request, response, sent }: ExchangeTexts): Set<string> {
    const found = new Set<string>()
    let count = 0
    const [isSecret, isSecretInQuery] = [memoize(isSecretName), memoize(isSecretParameter)]
    for (const secret of [...others, key]) add(secret)
    const headers = [...request.headers, ...Object.entries(response?.headers ?? {}).flat()]
    for (let index = 0; index < headers.length; index += 2) addHeader(headers[index] ?? '', headers[index + 1] ?? '')
    for (const text of new Set([request.path, `?${request.query}`, request.body, textOf(response?.body), sent?.url]))
      if (text) addTexts(text)
    return found

    function add(text: string): void {
      const secret = text.trim()
      if (++count > maxValues || found.size > maxSecrets) throw new TooMuchWork()
      if (secret !== '' && !ownKey.test(secret)) found.add(secret)
    }

    function addHeader(name: string, value: string): void {
      const known = name.toLowerCase()
      const cookies = cookiePatterns[known]
      for (const [, , name = '', cookie = ''] of cookies ? value.matchAll(cookies) : []) {
        const isNamed = inCookies.has(name.toLowerCase()) || isSecret(name)
        if (isNamed || (cookie.length >= shortestCookie && !shownCookies.has(name)))
          add(cookie.replace(/^"(.*)"$/, '$1'))
      }
      if (/^(proxy-)?authorization$/.test(known)) addCredentials(anyScheme, value)
      else if (inHeaders.has(known) || isSecret(known) || isCredentialHeader.test(known) || isCredential.test(value))
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

    /** The value of a property, a parameter or an element, which may also have a scheme. */
    function addValue(value: string): void {
      if (isNoSecret.test(value)) return void count++
      if (/^(?:bearer|basic|digest|token|apikey) /i.test(value)) addCredentials(usualScheme, value)
      else add(value)
    }

    /** Every text below a secret name. A member `value` belongs to the name beside it, as in JSON Patch (RFC 6902). */
    function addLeaves(text: string): void {
      const left: [value: unknown, isHidden: boolean][] = [[parse(text), false]]
      for (let next = left.pop(); next; next = left.pop()) {
        const [value, isHidden] = next
        if (typeof value === 'string' && isHidden) addValue(value)
        else if (typeof value === 'string') left.push([parse(value), false])
        else if (typeof value !== 'object' || value === null) continue
        else {
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

    /** Also the texts of the elements in an element. */
    function addElements(text: string): void {
      openTags.lastIndex = 0
      for (let tag = openTags.exec(text); tag; tag = openTags.exec(text)) {
        const [{ length }, name = ''] = tag
        if (!isSecret(name)) continue
        const from = tag.index + length
        const inside = text.slice(from, from + maxElement)
        const end = inside.indexOf(`</${name}`)
        const texts = inside.slice(0, end < 0 ? inside.search(/<(?!!)|$/) : end)
        for (const each of texts.split(/<!\[CDATA\[|\]\]>|<[^<>]*>/)) addValue(each.trim())
        openTags.lastIndex = from + Math.max(0, end)
      }
    }

    /** Finds credentials also in texts that are encoded in the text. */
    function addTexts(whole: string): void {
      addLeaves(whole)
      if (whole.includes(': '))
        for (const [, name = '', value = ''] of whole.matchAll(lineOfYaml)) if (isSecret(name)) addValue(value)
      const layers = mayBeEncoded.test(whole) ? decodedLayers(whole)?.slice(1) : []
      if (!layers) found.add(mark)
      for (const text of [whole, ...(layers ?? []).map((layer) => layer.text)]) {
        for (const [, name = '', value = ''] of text.matchAll(parameters))
          if (isSecretInQuery(name)) addValue(decodeForm(value))
        for (const [token] of text.matchAll(jwt)) for (const part of [token, ...token.split('.')]) add(part)
        for (const [, user = ''] of text.matchAll(userInfo)) for (const part of [user, ...user.split(':')]) add(part)
        for (const [, key = ''] of text.matchAll(privateKey)) add(key)
        addElements(text)
        for (const { 0: name, index } of text.matchAll(names)) {
          if (!isSecret(name)) continue
          valueAfterName.lastIndex = index + name.length
          addValue(
            valueAfterName
              .exec(text)
              ?.slice(1)
              .find((each) => each !== undefined) ?? '',
          )
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
    const { hide, secrets } = hiding(exchange)
    return {
      hide,
      secrets,
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

/** Attackers repeat names. */
function memoize(test: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const result = known.get(name) ?? test(name)
    known.set(name, result)
    return result
  }
}

/** @returns undefined for what is no object or array of JSON */
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

function textOf(body: string | Uint8Array | undefined): string | undefined {
  return typeof body === 'object' ? new TextDecoder().decode(body) : body
}

/** A body that is not text stays as it is if it has no credentials. */
function hideBody(body: string | Uint8Array | undefined, hide: Hide): typeof body {
  const text = textOf(body) ?? ''
  const hidden = hide(text)
  return hidden === text ? body : hidden
}
