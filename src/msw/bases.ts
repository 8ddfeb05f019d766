/** The addresses that are intercepted: explicit bases only, so that other people's traffic is never answered. */
import type { RequestContract, Server } from '../contract/contract.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'

/** An address for the first server, or addresses by the name of the server; each absolute, or relative to the page. */
export type BaseUrl = string | Readonly<Record<string, string>>

export interface Base {
  server: string
  /** Path of the address: `/v1`, or empty at the root of its origin. */
  mount: string
  /** What is intercepted, without query and fragment. It has no groups: MSW would decode what they hold. */
  pattern: RegExp
}

/** @throws SandboxError `INVALID_OPTION` for an address that is none, or a server that the document does not have */
export function toBases(contract: RequestContract, baseUrl: BaseUrl | undefined): Base[] {
  const bases = namedUrls(contract, baseUrl).map(([server, text]) => {
    const { origin, pathname } = toUrl(text)
    const mount = pathname.replace(/\/+$/, '')
    return { server, mount, pattern: toPattern(contract, server, origin, mount) }
  })
  // The longest first: MSW takes the first handler that matches.
  return bases.toSorted((a, b) => b.mount.length - a.mount.length)
}

function namedUrls({ servers }: RequestContract, baseUrl: BaseUrl | undefined): [server: string, url: string][] {
  if (baseUrl === undefined) return servers.map(({ name, url }) => [name, url])
  if (typeof baseUrl === 'string') return servers.slice(0, 1).map(({ name }) => [name, baseUrl])
  const names = servers.map((server: Server) => server.name)
  return Object.entries(baseUrl).map(([name, url]) => {
    if (!names.includes(name)) throw unknownName('server', name, names)
    return [name, url]
  })
}

function toUrl(text: string): URL {
  const page = typeof location === 'undefined' ? undefined : location.href
  if (URL.canParse(text, page)) return new URL(text, page)
  const hint =
    page === undefined ? 'outside a page it must be absolute, such as "http://localhost:3000/v1"' : 'it is not a URL'
  throw new SandboxError('INVALID_OPTION', `Failed to use the base address "${text}": ${hint}`)
}

/** Everything below a base; at the root of an origin, where other things may live, the documented paths only. */
function toPattern({ operations }: RequestContract, server: string, origin: string, mount: string): RegExp {
  if (mount !== '') return new RegExp(`^${escapeText(origin + mount)}(?:/.*)?$`)
  const paths = operations.filter(({ servers }) => servers.includes(server)).map(({ path }) => toPathPattern(path))
  return new RegExp(`^${escapeText(origin)}(?:${[...new Set(paths)].join('|')})$`)
}

function toPathPattern(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '[^/]+' : escapeText(segment)))
    .join('/')
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
