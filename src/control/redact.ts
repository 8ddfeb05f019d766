/** Hides credentials in exchanges, except keys of the sandbox's own making. */
import type { RequestContract } from '../contract/contract.js'
import { isOwnKey } from './world-ids.js'

const hidden = '[hidden]'
/** Headers that have credentials, whatever the document says. */
const secretHeaders = /^(authorization|proxy-authorization|set-cookie|x-api-key|api-key)$/

function hideCookie(cookie: string): string {
  const end = cookie.indexOf('=')
  return isOwnKey(cookie.slice(end + 1)) ? cookie : cookie.slice(0, end + 1) + hidden
}

export interface Redact {
  header(name: string, value: string): string
  /** A query without its question mark. */
  query(query: string): string
  /** Any other text of an exchange: keys that are in it are hidden. */
  text(text: string): string
}

/**
 * @param apiKeys the valid keys, which messages may name
 * @returns a function for an exchange by the key of its world
 */
export function createRedact(
  { schemes }: Pick<RequestContract, 'schemes'>,
  apiKeys: readonly string[] = [],
): (key: string | undefined) => Redact {
  const named = Object.values(schemes).flatMap((scheme) => (scheme.kind === 'apiKey' ? scheme : []))
  const inHeaders = new Set(named.flatMap(({ in: place, name }) => (place === 'header' ? name.toLowerCase() : [])))
  const inQuery = new Set(named.flatMap(({ in: place, name }) => (place === 'query' ? name : [])))

  return (own) => {
    const secrets = [...apiKeys, ...(own === undefined ? [] : [own])].filter((key) => key !== '' && !isOwnKey(key))
    const forms = new Set(secrets.flatMap((key) => [key, encodeURIComponent(key)]))
    const hideKeys = (text: string) => [...forms].reduce((shown, form) => shown.replaceAll(form, hidden), text)
    return {
      text: hideKeys,
      header(name, value) {
        const known = name.toLowerCase()
        if (known === 'cookie') return value.split(/; */).map(hideCookie).join('; ')
        if (!secretHeaders.test(known) && !inHeaders.has(known)) return hideKeys(value)
        const [, scheme = '', key = ''] = /^((?:Bearer|Basic|Digest|Token|ApiKey) )?(.*)$/i.exec(value) ?? []
        return isOwnKey(key) ? value : scheme + hidden
      },
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
