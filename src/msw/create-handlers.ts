/** Handlers for MSW: the sandbox answers at the addresses of its servers only. */
import { type HttpHandler, http } from 'msw'
import type { RequestContract, Server } from '../contract/contract.js'
import { parsePathTemplate } from '../contract/path-template.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'
import { respond } from '../sandbox/facade/fetch.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import type { Handle } from '../sandbox/handle.js'

/**
 * Creates one handler for each base. The engine's router handles the paths below it, so that paths, methods and errors
 * work as on the HTTP server, in every version of MSW.
 */
export function createSandboxHandlers(
  { contract, handle }: Pick<Sandbox, 'contract' | 'handle'>,
  addresses: readonly ServerAddress[],
): HttpHandler[] {
  return toBases(contract, addresses).map((base) =>
    http.all(base.pattern, ({ request }) => answer(handle, request, base)),
  )
}

function answer(handle: Handle, request: Request, { server, mount }: Base): Promise<Response> {
  const { pathname } = new URL(request.url)
  return respond(handle, request, { server, mount, path: pathname.slice(mount.length) || '/' })
}

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
