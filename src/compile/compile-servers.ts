/** Gives each server of a document a name and a mount: the path at which the sandbox serves it. */

import type { CollectionModel, Server } from '../contract/contract.js'
import { shorten } from '../contract/violations.js'
import type { OpenApiDocument, ServerObject } from '../document/document.js'
import type { Notes } from '../document/notes.js'
import { oncePer } from '../document/once.js'
import { getOrInsert } from '../json/own-value.js'
import { environmentOf, isVague, serverWords } from '../lexicon/environments.js'
import { countTexts, singular } from '../lexicon/words.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import { chooseMounts, leadingTexts } from './choose-mounts.js'

export interface CompiledServers {
  all: Server[]
  /** Names of the servers of an operation. */
  namesOf(operation: DescribedOperation): string[]
  /** Names of the servers with a name, or of an environment. Empty if there is none. */
  inEnvironment(name: string): string[]
  /** The names of servers and environments. */
  environments(): string[]
  /**
   * Makes the servers of each environment share their collections, if they have one in common or an extension joins them.
   * @returns names of servers, each with that of the first server with the same data
   */
  share(collections: readonly CollectionModel[]): [name: string, first: string][]
}

/** The address in the entry of a server. */
interface Address {
  server: ServerObject
  url: string
  basePath: string
  /** Host and path. Two entries with the same key are one server. */
  key: string
}

/** @param notes collects incomplete addresses */
export function compileServers(
  document: OpenApiDocument,
  operations: readonly DescribedOperation[],
  notes: Notes,
): CompiledServers {
  const lists = new Set(operations.map(({ servers }) => servers))
  const written = [...(document.servers ?? []), ...[...lists].flat()]
  const keys = new Map<ServerObject, string>()
  const addresses = new Map<string, Address>()
  for (const server of new Set(written)) {
    const address = toAddress(server, notes)
    keys.set(server, address.key)
    if (!addresses.has(address.key)) addresses.set(address.key, address)
  }
  const names = toNames([...addresses.values()])
  // An operation belongs to both servers if they differ only in the scheme, such as `http:`.
  const bare = (key: string) => key.replace(/^[^/]*/, '')
  const byHost = new Map<string, string[]>()
  for (const key of addresses.keys()) getOrInsert(byHost, bare(key), () => []).push(key)
  // Cached by list, because most operations share the list of the document.
  const texts = new Map<readonly ServerObject[], Set<string>>()
  for (const { servers, template } of operations) {
    const own = getOrInsert(texts, servers, () => new Set())
    for (const text of leadingTexts(template)) own.add(text)
  }
  const keysOf = oncePer((servers: readonly ServerObject[]) => {
    const hosts = new Set(servers.map((server) => bare(keys.get(server) ?? '')))
    return [...hosts].flatMap((host) => byHost.get(host) ?? [])
  })
  const paths = new Map<string, Set<string>[]>()
  for (const [servers, own] of texts) for (const key of keysOf(servers)) getOrInsert(paths, key, () => []).push(own)
  const serverName = (key: string) => names.get(key) ?? ''
  const all = [...addresses.values()].map(({ key, url, basePath }) => ({ key, name: serverName(key), url, basePath }))
  const mounts = chooseMounts(all.map((server) => ({ ...server, paths: paths.get(server.key) ?? [] })))
  const environments = new Map<string, Address[]>()
  for (const address of addresses.values())
    getOrInsert(environments, environmentOfServer(address), () => []).push(address)
  const serverNames = all.map(({ name }) => name)
  return {
    all: all.map(({ name, url, basePath }) => ({ name, url, basePath, mount: mounts.get(name) ?? basePath })),
    namesOf: ({ servers }) => keysOf(servers).map(serverName),
    inEnvironment: (name) =>
      serverNames.includes(name) ? [name] : (environments.get(name) ?? []).map(({ key }) => serverName(key)),
    environments: () => [...new Set([...serverNames, ...environments.keys()])],
    share(collections) {
      const groups = [...environments.values()].map((group) => {
        const own = new Set(group.map(({ key }) => serverName(key)))
        if (group.some(({ server }) => 'x-sandbox-environment' in server)) return own
        const common = collections.map(({ servers }) => servers.filter((name) => own.has(name)))
        const joined = new Set(common.filter(({ length }) => length > 1).flat())
        return new Set([...own].filter((name) => joined.has(name)))
      })
      for (const model of collections) {
        const joined = groups.filter((group) => model.servers.some((name) => group.has(name)))
        model.servers = [...new Set([...model.servers, ...joined.flatMap((group) => [...group])])]
      }
      return groups.flatMap(([first = '', ...others]) => others.map((name): [string, string] => [name, first]))
    },
  }
}

/**
 * Servers with the same result share their data: hosts, versions and regions of one service do. What an extension, the
 * name, the host, a variable or the description calls an environment is separate.
 */
function environmentOfServer({ server, url }: Address): string {
  const { description = '', name = '', variables = {} } = server
  const given = server['x-sandbox-environment']
  if (typeof given === 'string' && given !== '') return given
  const host = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/@]*@)?([^/:]*)/i.exec(url)?.[1] ?? ''
  const labels = host.split('.')
  // The top-level domain says nothing: `.dev` and `.local` are domains like others.
  const named = labels.length > 1 ? labels.slice(0, -1) : labels
  const values = Object.values(variables).map(({ default: standard, enum: [first] = [] }) => String(standard ?? first))
  const texts = [server['x-sandbox-name'], name, ...named, ...values].join(' ').toLowerCase()
  const words = [...(texts.match(/[a-z0-9][a-z0-9-]*/g) ?? []), ...serverWords(description)]
  return words.map(environmentOf).find((each) => each !== undefined) ?? 'production'
}

/** Names by key. A given name is not changed because a server without one would have the same. */
function toNames(addresses: readonly Address[]): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Map<string, number>()
  const add = (key: string, preferred: string) => {
    let name = preferred
    let number = taken.get(preferred) ?? 1
    while (taken.has(name)) name = `${preferred}-${++number}`
    taken.set(name, 1).set(preferred, number)
    names.set(key, name)
  }
  const isNamed = ({ server }: Address) =>
    typeof server['x-sandbox-name'] === 'string' && server['x-sandbox-name'] !== ''
  for (const address of addresses) if (isNamed(address)) add(address.key, address.server['x-sandbox-name'] ?? '')
  const others = addresses
    .filter((address) => !isNamed(address))
    .map(({ key, ...rest }) => ({ key, words: wordsOf(rest) }))
  const firsts = countTexts(others.flatMap(({ words }) => words.slice(0, 1)))
  const all = countTexts(others.flatMap(({ words }) => [...new Set(words)]))
  /** The words of the servers with the same first word. */
  const alike = new Map<string, Map<string, number>>()
  for (const { words } of others) {
    const [first = 'default'] = words
    alike.set(first, countTexts(new Set(words), alike.get(first)))
  }
  for (const { key, words } of others) {
    const [first = 'default'] = words
    const own = firsts.get(first) === 1 ? first : words.find((word) => all.get(word) === 1)
    const part = words.find((word) => alike.get(first)?.get(word) === 1)
    add(key, own ?? (part === undefined ? first : `${first}-${part}`))
  }
  return names
}

/** Words of a description that names a server. A longer one describes it. */
const maxWords = 4

/**
 * The words that can name a server, best first: an environment, words in both its description and its address, then the
 * words of its description, host, path and scheme.
 */
function wordsOf({ server, url }: Pick<Address, 'server' | 'url'>): string[] {
  const [, scheme = '', host = 'default', path = ''] =
    /^(?:(?:([a-z][a-z0-9+.-]*):)?\/\/([^/]*))?(.*)$/is.exec(url) ?? []
  const described = serverWords(server.description ?? '').filter((word) => !isVague(word))
  const hosts = /^\d+(\.\d+){3}(:|$)/.test(host)
    ? [host.replace(/:.*/, '').replaceAll('.', '-')]
    : host.match(/[a-z0-9-]+/gi)
  const parts = [...(hosts ?? []), ...(path.match(/[a-z0-9][a-z0-9.-]*/gi) ?? []), scheme]
  const labels = parts.map((each) => each.toLowerCase())
  const singulars = new Set(described.map(singular))
  const agreed = labels.filter((label) => !isVague(label) && singulars.has(singular(label)))
  const names = described.length > maxWords ? [] : described
  return [...described.filter((word) => environmentOf(word) !== undefined), ...agreed, ...names, ...labels].filter(
    Boolean,
  )
}

const authority = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i

function toAddress(server: ServerObject, notes: Notes): Address {
  const url = toUrl(server, notes)
  const basePath = toBasePath(url)
  return { server, url, basePath, key: (authority.exec(url)?.[0] ?? '').toLowerCase() + basePath }
}

/**
 * Fills in the variables (OpenAPI 3.1, section 4.8.5), and removes a trailing slash. A variable without a default gets
 * its first value, an undeclared one its own name. `localhost:8080` is a host with a port, not a scheme.
 */
function toUrl({ url, variables }: ServerObject, notes: Notes): string {
  const filled = url.trim().replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const { default: standard, enum: [first] = [] } = variables?.[name] ?? {}
    if (standard === undefined) {
      const message = `The server address "${shorten(url)}" does not declare its variable "${name}" with a default`
      notes.add(['servers'], message, `"${first ?? name}" is used`)
    }
    return String(standard ?? first ?? name)
  })
  const absolute = /^[a-z0-9.-]+:\d+(?=[/?#]|$)/i.test(filled) ? `http://${filled}` : filled
  return absolute.replace(/(?<!\/)\/+$/, '')
}

/** The path as clients send it: percent-encoded, without dot segments and a trailing slash (URL standard, section 4.4). */
function toBasePath(url: string): string {
  const path = url.replace(authority, '').replace(/[?#].*$/s, '')
  const { pathname } = new URL(`http://host${path.startsWith('/') ? '' : '/'}${path}`)
  return pathname.replace(/(?<!\/)\/+$/, '')
}
