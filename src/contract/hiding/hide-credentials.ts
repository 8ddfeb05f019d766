/** Hides the credentials of an exchange in all of its texts. */
import { ownKey } from '../credentials.js'
import {
  bodyText,
  cookiePatterns,
  type ExchangeTexts,
  findCredentials,
  findSecretNames,
  never,
  type SecretNamesOf,
} from './find-credentials.js'
import { createHide, type Hide, limited } from './hide-secrets.js'

/** The members of an exchange that may contain credentials, including nested values. */
const shownTexts = new Set(['path', 'query', 'headers', 'body', 'notes', 'at', 'message', 'url'])

/** An exchange without credentials, and a function that hides them in other texts about it. */
export interface HiddenExchange<Texts> {
  readonly exchange: Texts
  hide: Hide
}

export type HideCredentials = <Texts extends ExchangeTexts>(exchange: Texts) => HiddenExchange<Texts>

const maxRecent = 16

/**
 * Returns a function that finds the credentials of an exchange, valid or not, and replaces every form of them in every text. The default keys of the sandbox stay visible.
 * @param others further secrets, such as a valid key that messages may quote
 * @param mark shown instead of credentials
 * @example createHideCredentials(contract, [], '[hidden]')(exchange).exchange.request.query // 'api_key=[hidden]'
 */
export function createHideCredentials(
  contract: SecretNamesOf,
  others: readonly string[],
  mark: string,
): HideCredentials {
  const names = findSecretNames(contract)
  const { isPlain, documented } = names
  /** Caches by headers, because clients send the same ones with most requests. Latest first. */
  const recent: { key: string; headers: readonly string[]; hide: Hide }[] = []
  let last = { key: '', hide: createHide([], mark) }

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
    const secrets = findCredentials(names, exchange, others)
    const key = JSON.stringify([...secrets])
    if (last.key !== key) last = { key, hide: createHide(secrets, mark) }
    return last.hide
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
