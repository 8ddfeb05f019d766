/** Describes a sandbox for the banner and the page. */
import type { Operation } from '../contract/contract.js'
import { writeCredentials } from '../contract/credentials.js'
import { parsePathTemplate, writeQuery } from '../contract/path-template.js'
import type { Sandbox } from './sandbox.js'

export interface Description {
  title: string
  servers: { name: string; url: string }[]
  operations: { method: string; path: string; effect: string; notes: string; servers: string[] }[]
  key: string
  /** Which other keys are valid. */
  keys: string
  /** A curl command that works in every shell. */
  curl: string
}

/** @param origin origin of the sandbox, without a trailing slash */
export function describe({ contract, defaultKey, apiKeys }: Sandbox, origin: string): Description {
  const { title, version, servers, operations } = contract
  return {
    title: `${title} ${version}`,
    servers: servers.map(({ name, mount }) => ({ name, url: `${origin}${mount}` })),
    operations: operations.map((operation) => ({
      method: operation.method,
      path: operation.path,
      effect: operation.effect.kind,
      notes: noteOn(operation),
      servers: operation.servers,
    })),
    key: defaultKey,
    keys: describeKeys(defaultKey, apiKeys),
    curl: toCurl(contract.operations, { contract, defaultKey, origin }),
  }
}

function describeKeys(key: string, apiKeys: readonly string[] | undefined): string {
  if (!apiKeys) return `another key, ${key}-<any name>, sees other data`
  return apiKeys.length === 1 ? 'no other key does' : `so do ${apiKeys.slice(1).join(', ')}, and each sees its own data`
}

function noteOn({ lifecycle, effect }: Operation): string {
  const { deprecated, sunset, successor, stability } = lifecycle
  const notes: string[] = []
  if (deprecated) notes.push('deprecated')
  if (sunset !== undefined) notes.push(`until ${new Date(sunset).toISOString().slice(0, 10)}`)
  if (successor) notes.push(`use ${successor.method} ${successor.path}`)
  if (stability !== undefined && stability !== 'stable') notes.push(stability)
  if (effect.kind === 'undescribed') notes.push('its success is not described: 501')
  return notes.join(', ')
}

interface CurlOptions extends Pick<Sandbox, 'contract' | 'defaultKey'> {
  origin: string
}

/** Requests a list if possible, else any operation without path parameters. The quoting works in every shell. */
function toCurl(operations: Operation[], { contract, defaultKey, origin }: CurlOptions): string {
  const readable = operations.filter(
    ({ method, parameters }) => method === 'GET' && parameters.every((each) => each.in !== 'path'),
  )
  const operation = readable.find(({ effect }) => effect.kind === 'list') ?? readable[0] ?? operations[0]
  const server = contract.servers.find(({ name }) => operation?.servers.includes(name))
  const template = parsePathTemplate(operation?.path ?? '')
  const query = new URLSearchParams(writeQuery(template))
  const headers: string[] = []
  for (const name of operation?.security[0] ?? []) {
    const scheme = contract.schemes[name]
    const sent = scheme && writeCredentials(scheme, defaultKey)
    if (sent?.in === 'query') query.set(sent.name, sent.value)
    else if (sent)
      headers.push(sent.in === 'cookie' ? `Cookie: ${sent.name}=${sent.value}` : `${sent.name}: ${sent.value}`)
  }
  if (operation?.effect.kind === 'list' && operation.effect.limit) query.set(operation.effect.limit, '3')
  const method = operation && operation.method !== 'GET' ? `-X ${operation.method} ` : ''
  const address = `${origin}${server?.mount}${template.path}${query.size > 0 ? `?${query}` : ''}`
  return `curl ${method}${headers.map((header) => `-H "${header}" `).join('')}"${address}"`
}
