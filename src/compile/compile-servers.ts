/** Gives each server of a document a name and a mount: the path at which the sandbox serves it. */
import type { Server } from '../contract/contract.js'
import type { DescribedOperation } from './describe-operations.js'
import { DocumentProblem, type OpenApiDocument, type ServerObject } from './document.js'

export interface CompiledServers {
  all: Server[]
  /** Names of the servers of an operation. */
  namesOf(operation: DescribedOperation): string[]
}

export function compileServers(document: OpenApiDocument, operations: DescribedOperation[]): CompiledServers {
  const byUrl = new Map<string, Server>()
  const written = [...(document.servers ?? []), ...operations.flatMap((operation) => operation.servers)]
  for (const server of written) {
    const url = toUrl(server)
    if (!byUrl.has(url)) byUrl.set(url, compileServer(server, url, [...byUrl.values()]))
  }
  return {
    all: [...byUrl.values()],
    namesOf: ({ servers }) => servers.flatMap((server) => byUrl.get(toUrl(server))?.name ?? []),
  }
}

function compileServer(server: ServerObject, url: string, others: Server[]): Server {
  const basePath = toBasePath(url)
  const isTaken = (name: string) => others.some((other) => other.name === name)
  const preferred = server['x-sandbox-name'] ?? toName(server, url)
  const name = isTaken(preferred) ? `${preferred}-${others.length + 1}` : preferred
  const isMounted = others.some((other) => other.mount === basePath)
  return {
    name,
    url,
    basePath,
    mount: isMounted ? toBasePath(`/${encodeURIComponent(name.toWellFormed())}${basePath}`) : basePath,
  }
}

/** Returns the first word of the description, else the first label of the host. */
function toName(server: ServerObject, url: string): string {
  const word = /[A-Za-z0-9-]+/.exec(server.description ?? '')?.[0]
  const label = /^[a-z]+:\/\/([A-Za-z0-9-]+)/i.exec(url)?.[1]
  return (word ?? label ?? 'default').toLowerCase()
}

/** Fills in the defaults of variables (OpenAPI 3.1, section 4.8.5), and removes a trailing slash. */
function toUrl({ url, variables }: ServerObject): string {
  const filled = url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = variables?.[name]
    if (!variable)
      throw new DocumentProblem(`The server address "${url}" does not declare its variable "${name}"`, ['servers'])
    return variable.default
  })
  return filled.replace(/\/+$/, '')
}

/** The path as clients send it: percent-encoded, without dot segments and a trailing slash (URL standard, section 4.4). */
function toBasePath(url: string): string {
  const path = url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const { pathname } = new URL(`http://host${path.startsWith('/') ? '' : '/'}${path}`)
  return pathname.replace(/\/+$/, '')
}
