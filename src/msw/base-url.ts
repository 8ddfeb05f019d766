/** Reads the option `baseUrl`. */
import type { RequestContract, Server } from '../contract/contract.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'
import type { ServerAddress } from './intercepted-addresses.js'

/** An address for the first server, or addresses by server name. Each is absolute, or relative to the page. */
export type BaseUrl = string | Readonly<Record<string, string>>

/**
 * Returns absolute addresses of the given servers, or of all servers without a base URL.
 * @throws SandboxError `INVALID_OPTION` for an invalid address or an unknown server
 */
export function toAddresses({ servers }: RequestContract, baseUrl: BaseUrl | undefined): ServerAddress[] {
  const names = servers.map((server) => server.name)
  if (baseUrl === undefined) return servers.map((server) => [server.name, documentedAddress(server)])
  if (typeof baseUrl === 'string') return names.slice(0, 1).map((name) => [name, toAbsolute(baseUrl)])
  return Object.entries(baseUrl).map(([name, url]) => {
    if (!names.includes(name)) throw unknownName('server', name, names)
    return [name, toAbsolute(url)]
  })
}

/**
 * The address of a server, or its path on the origin of the page if the document gives no absolute address. Outside a
 * page, where code has to use some origin too, that is `http://localhost`.
 */
function documentedAddress({ url, basePath }: Server): string {
  const page = typeof location === 'undefined' ? 'null' : location.origin
  const origin = page === 'null' ? 'http://localhost' : page
  const relative = url.startsWith('//') && URL.canParse(url, origin) ? url : basePath
  return URL.canParse(url) ? url : new URL(relative || '/', origin).href
}

function toAbsolute(text: string): string {
  const page = typeof location === 'undefined' ? undefined : location.href
  if (URL.canParse(text, page)) return new URL(text, page).href
  const hint =
    page === undefined ? 'outside a page it must be absolute, such as "http://localhost:3000/v1"' : 'it is not a URL'
  throw new SandboxError('INVALID_OPTION', `Failed to use the base address "${text}": ${hint}`)
}
