/** Finds the addresses to intercept: explicit bases only, so that no other traffic is answered. */
import type { RequestContract } from '../contract/contract.js'
import { parsePathTemplate } from '../contract/path-template.js'

export interface Base {
  server: string
  /** Path of the address: `/v1`, or empty at the root of the origin. */
  mount: string
  /** Matches a URL without query and fragment. It has no groups, because MSW would decode their matches. */
  pattern: RegExp
}

/** The name of a server, and an absolute address. */
export type ServerAddress = readonly [server: string, address: string]

export function toBases(contract: RequestContract, addresses: readonly ServerAddress[]): Base[] {
  const bases = addresses.map(([server, address]) => {
    const { origin, pathname } = new URL(address)
    const mount = pathname.replace(/(?<!\/)\/+$/, '')
    return { server, mount, pattern: toPattern(contract, server, origin, mount) }
  })
  // The longest first: MSW uses the first handler that matches.
  return bases.toSorted((a, b) => b.mount.length - a.mount.length)
}

/** Matches everything below a base. At the root of an origin, which may serve other content, only documented paths. */
function toPattern({ operations, oauth }: RequestContract, server: string, origin: string, mount: string): RegExp {
  if (mount !== '') return new RegExp(`^${escapeText(origin + mount)}(?:/.*)?$`)
  const own = operations.flatMap(({ servers, path, equivalentPath = path }) =>
    servers.includes(server) ? [path, equivalentPath] : [],
  )
  const paths = [...own, ...(oauth?.tokenPaths ?? [])].map(toPathPattern)
  return new RegExp(`^${escapeText(origin)}(?:${[...new Set(paths)].join('|')})$`) // unmeasured: documented paths, of which each parameter ends at the next slash
}

function toPathPattern(path: string): string {
  return parsePathTemplate(path)
    .segments.map(({ texts }) => `/${texts.map(toSegmentPart).join('')}`)
    .join('')
}

/**
 * The text at a place of a segment, after the value before it. A value ends at the first text that may follow, and only the
 * last one extends to the end, so that each text can be matched in one way.
 */
function toSegmentPart(text: string, index: number, texts: readonly string[]): string {
  const written = escapeText(toWritten(text))
  if (index === 0) return written
  if (index === texts.length - 1) return `[^/]+${written}`
  return text === '' ? '[^/]' : `[^/](?:(?!${written})[^/])*${written}`
}

/** A text as URLs contain it: with what must be percent-encoded. */
function toWritten(text: string): string {
  return new URL(`http://host/x${text.replace(/%(?![\da-f]{2})/gi, '%25')}`).pathname.slice(2)
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
