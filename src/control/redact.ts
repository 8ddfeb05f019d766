/** Hides credentials in exchanges, except keys of the sandbox's own making. */
import type { RequestContract } from '../contract/contract.js'
import { isOwnKey } from './world-ids.js'

const hidden = '[hidden]'
/** Headers that have credentials, whatever the document says. */
const secretHeaders = /^(authorization|proxy-authorization|set-cookie|x-api-key|api-key)$/

export interface Redact {
  header(name: string, value: string): string
  /** A query without its question mark. */
  query(query: string): string
  path(path: string): string
  /** Any other text of an exchange: keys that are in it are hidden. */
  text(text: string): string
}

/**
 * @param apiKeys the valid keys, which messages may name
 * @returns a function for an exchange by the key of its world
 */
export function createRedact(
  { schemes, operations }: Pick<RequestContract, 'schemes' | 'operations'>,
  apiKeys: readonly string[] = [],
): (key: string | undefined) => Redact {
  const named = Object.values(schemes).flatMap((scheme) => (scheme.kind === 'apiKey' ? scheme : []))
  const inHeaders = new Set(named.flatMap(({ in: place, name }) => (place === 'header' ? name.toLowerCase() : [])))
  const parameters = operations.flatMap((operation) => operation.parameters)
  const cookies = new Set(parameters.flatMap(({ in: place, name }) => (place === 'cookie' ? name : [])))
  for (const { in: place, name } of named) if (place === 'cookie') cookies.delete(name)
  const inQuery = new Set(named.flatMap(({ in: place, name }) => (place === 'query' ? name : [])))

  /** Parameters of the document are no credentials. Other cookies may be those of other programs. */
  function hideCookie(cookie: string): string {
    const end = cookie.indexOf('=')
    const isShown = isOwnKey(cookie.slice(end + 1)) || cookies.has(cookie.slice(0, end))
    return isShown ? cookie : cookie.slice(0, end + 1) + hidden
  }

  return (own) => {
    const secrets = [...apiKeys, ...(own === undefined ? [] : [own])].filter((key) => key !== '' && !isOwnKey(key))
    const forms = new Set(
      secrets.flatMap((key) => [key, encodeURIComponent(key.toWellFormed()), JSON.stringify(key).slice(1, -1)]),
    )
    const hide = (text: string, known: Iterable<string>) =>
      [...known].reduce((shown, form) => shown.replaceAll(form, hidden), text)
    const hideKeys = (text: string) => hide(text, forms)
    // A short key may be a part of any word.
    const long = [...forms].filter(({ length }) => length >= 8)
    const hideSegment = (segment: string) => (forms.has(segment) ? hidden : hide(segment, long))
    return {
      text: hideKeys,
      header(name, value) {
        const known = name.toLowerCase()
        if (known === 'cookie') return hideKeys(value.split(/; */).map(hideCookie).join('; '))
        if (!secretHeaders.test(known) && !inHeaders.has(known)) return hideKeys(value)
        const [, scheme = '', key = ''] = /^((?:Bearer|Basic|Digest|Token|ApiKey) )?(.*)$/i.exec(value) ?? []
        return isOwnKey(key) ? value : scheme + hidden
      },
      path: (path) => path.split('/').map(hideSegment).join('/'),
      query(query) {
        const parts = query.split('&').map((part) => {
          const [[name, value] = ['', '']] = [...new URLSearchParams(part)]
          return inQuery.has(name) && !isOwnKey(value) ? `${encodeURIComponent(name)}=${hidden}` : part
        })
        return hideKeys(parts.join('&'))
      },
    }
  }
}
