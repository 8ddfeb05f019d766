/** The address of a real service: its parts, and the server in the document that it belongs to. */
import { isIP } from 'node:net'
import type { Server } from '../../contract/contract.js'
import { SandboxError, unknownName } from '../../contract/sandbox-error.js'

/**
 * The server in the document that an address belongs to.
 * @param wanted its name. @default found by the path of the address
 * @throws SandboxError `INVALID_OPTION` for an unknown name, `INVALID_DOCUMENT` if there are no servers
 */
export function chooseServer(servers: readonly Server[], wanted: string | undefined, baseUrl: string): Server {
  const named = servers.find(({ name }) => name === wanted)
  if (named || wanted === undefined) return named ?? serverFor(servers, baseUrl)
  throw unknownName(
    'server',
    wanted,
    servers.map(({ name }) => name),
  )
}

/**
 * The servers of a document as they are at an address. The one that the address belongs to comes first, and the path of the address
 * is its base. An address without a path has the bases of the document.
 * @param wanted the name of the server. @default found by the path of the address
 * @throws SandboxError `INVALID_OPTION` for an unknown name, `INVALID_DOCUMENT` if there are no servers
 */
export function serversAt(servers: readonly Server[], wanted: string | undefined, baseUrl: string): Server[] {
  const { origin, pathname } = new URL(baseUrl)
  const base = pathname.replace(/(?<!\/)\/+$/, '')
  const chosen = base === '' && wanted === undefined ? undefined : chooseServer(servers, wanted, baseUrl)
  const first = chosen ? [{ ...chosen, basePath: base }] : []
  return [...first, ...servers.filter((server) => server !== chosen)].map((server) => {
    const { basePath } = server
    return { ...server, url: origin + basePath, mount: basePath }
  })
}

/** The address without a trailing slash. @throws SandboxError `INVALID_OPTION` */
export function parseBaseUrl(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined
  const refuse = (why: string) => {
    // The part before an @ may contain a password, and a query a key.
    const shown = written.replace(/\/\/[^/]*@/, '//***@').replace(/([?#]).+/s, '$1***')
    return new SandboxError('INVALID_OPTION', `The address "${shown}" ${why}, e.g. https://staging.example.com/v1`)
  }
  if (!url?.host) throw refuse('is not a URL with a host; write it with its scheme and base path')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('must begin with http:// or https://')
  if (url.username !== '' || url.password !== '') throw refuse('must not contain a user or password; use --api-key')
  if (url.search !== '' || url.hash !== '') throw refuse('must end with the base path, without "?" and "#"')
  return url.href.replace(/(?<!\/)\/+$/, '')
}

/** Whether an address belongs to this machine (RFC 6890, RFC 6761 section 6.3). */
export function isLoopback(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host === 'localhost' || host.endsWith('.localhost')
}

/**
 * The server with this address, else the one whose base path the address ends with, else the first one.
 * @throws SandboxError `INVALID_DOCUMENT` if there are no servers
 */
function serverFor(servers: readonly Server[], address: string): Server {
  const { pathname } = new URL(address)
  const path = pathname === '/' ? '' : pathname
  const same = servers.find(({ url }) => url === address) ?? servers.find(({ mount }) => mount === path)
  const alike = servers
    .filter(({ basePath }) => (basePath === '' ? path === '' : path.endsWith(basePath)))
    .sort((a, b) => b.basePath.length - a.basePath.length)
  const server = same ?? alike[0] ?? servers[0]
  if (!server) throw new SandboxError('INVALID_DOCUMENT', 'The document has no servers')
  return server
}
