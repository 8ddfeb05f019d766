/** Hides credentials in exchanges, except keys of the sandbox's own making. */
import type { RequestContract } from '../contract/contract.js'
import { isOwnKey } from './world-ids.js'

const hidden = '[hidden]'
/** Headers that have credentials, whatever the document says. */
const secretHeaders = /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|api-key)$/

export interface Redact {
  header(name: string, value: string): string
  /** A query without its question mark. */
  query(query: string): string
  /** Any other text of an exchange: keys that are in it are hidden. */
  text(text: string): string
}

/** @param keysOf the keys that are known, which texts may have */
export function createRedact({ schemes }: Pick<RequestContract, 'schemes'>, keysOf: () => Iterable<string>): Redact {
  const named = Object.values(schemes).flatMap((scheme) => (scheme.kind === 'apiKey' ? scheme : []))
  const inHeaders = new Set(named.flatMap(({ in: place, name }) => (place === 'header' ? name.toLowerCase() : [])))
  const inQuery = new Set(named.flatMap(({ in: place, name }) => (place === 'query' ? name : [])))

  function hideKeys(text: string): string {
    let shown = text
    for (const key of keysOf()) {
      if (isOwnKey(key)) continue
      for (const form of new Set([key, encodeURIComponent(key)])) shown = shown.replaceAll(form, hidden)
    }
    return shown
  }

  return {
    text: hideKeys,
    header(name, value) {
      const known = name.toLowerCase()
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
