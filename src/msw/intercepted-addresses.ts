/** The addresses that are intercepted: explicit bases only, so that other people's traffic is never answered. */
import type { RequestContract } from '../contract/contract.js'

export interface Base {
  server: string
  /** Path of the address: `/v1`, or empty at the root of its origin. */
  mount: string
  /** What is intercepted, without query and fragment. It has no groups: MSW would decode what they hold. */
  pattern: RegExp
}

/** A server with an absolute address that it is called at. */
export type ServerAddress = readonly [server: string, address: string]

export function toBases(contract: RequestContract, addresses: readonly ServerAddress[]): Base[] {
  const bases = addresses.map(([server, address]) => {
    const { origin, pathname } = new URL(address)
    const mount = pathname.replace(/\/+$/, '')
    return { server, mount, pattern: toPattern(contract, server, origin, mount) }
  })
  // The longest first: MSW takes the first handler that matches.
  return bases.toSorted((a, b) => b.mount.length - a.mount.length)
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
