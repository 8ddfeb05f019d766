/** Finds the server that an address belongs to. */
import type { RequestContract } from '../../contract/contract.js'

/** The server and path of an address. */
export interface Location {
  server: string | undefined
  mount: string
  /** Path below the mount, still percent-encoded. */
  path: string
}

export interface Locator {
  /** Looks up a path by the mounts of the servers. */
  byMount(pathname: string): Location
  /** Looks up a URL by the documented addresses, else its path by the mounts. */
  byUrl(url: URL): Location
}

export function createLocator({ servers }: RequestContract): Locator {
  // Longest first, so that a server at the root only gets the remaining paths.
  const mounts = toBases(servers.map((server) => [server.name, server.mount]))
  const origins = new Map<string, [string, string][]>()
  for (const { name, url, basePath } of servers) {
    if (!URL.canParse(url)) continue
    const { origin } = new URL(url)
    origins.set(origin, toBases([...(origins.get(origin) ?? []), [name, basePath]]))
  }
  return {
    byMount: (pathname) => find(mounts, pathname),
    byUrl: ({ origin, pathname }) => find(origins.get(origin) ?? mounts, pathname),
  }
}

function toBases(bases: [name: string, base: string][]): [name: string, base: string][] {
  return bases.toSorted(([, a], [, b]) => b.length - a.length)
}

function find(bases: [name: string, base: string][], pathname: string): Location {
  for (const [server, mount] of bases) {
    if (pathname.startsWith(mount) && (pathname[mount.length] ?? '/') === '/') {
      return { server, mount, path: pathname.slice(mount.length) || '/' }
    }
  }
  return { server: undefined, mount: '', path: pathname }
}
