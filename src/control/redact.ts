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
}

export function createRedact({ schemes }: Pick<RequestContract, 'schemes'>): Redact {
  const named = Object.values(schemes).flatMap((scheme) => (scheme.kind === 'apiKey' ? scheme : []))
  const inHeaders = new Set(named.flatMap(({ in: place, name }) => (place === 'header' ? name.toLowerCase() : [])))
  const inQuery = new Set(named.flatMap(({ in: place, name }) => (place === 'query' ? name : [])))
  return {
    header(name, value) {
      const known = name.toLowerCase()
      if (!secretHeaders.test(known) && !inHeaders.has(known)) return value
      const [, scheme = '', key = ''] = /^(\S+ )?(.*)$/.exec(value) ?? []
      return isOwnKey(key) ? value : scheme + hidden
    },
    query(query) {
      if (inQuery.size === 0) return query
      const parts = query.split('&').map((part) => {
        const [[name, value] = ['', '']] = [...new URLSearchParams(part)]
        return inQuery.has(name) && !isOwnKey(value) ? `${encodeURIComponent(name)}=${hidden}` : part
      })
      return parts.join('&')
    },
  }
}
