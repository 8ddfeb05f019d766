/** Describes a sandbox for the banner and the page. */
import type { Operation } from '../../contract/contract.js'
import type { Sandbox } from './sandbox.js'

export interface Description {
  title: string
  servers: { name: string; url: string }[]
  operations: { method: string; path: string; effect: string; notes: string; servers: string[] }[]
  /** A sentence that says which keys are valid and which data they show. */
  keys: string
  /** Where tokens are issued, if the document has OAuth 2.0. */
  tokens: string | undefined
}

/** @param origin origin of the sandbox, without a trailing slash */
export function describe(sandbox: Sandbox, origin: string): Description {
  const { contract, tokenPath } = sandbox
  const { title, version, servers, operations, oauth } = contract
  return {
    title: `${title} ${version}`,
    servers: servers.map(({ name, mount }) => ({ name, url: `${origin}${mount}` })),
    operations: operations.map((operation) => ({
      method: operation.method,
      path: operation.path,
      effect: operation.means ?? operation.effect.kind,
      notes: noteOn(operation),
      servers: operation.servers,
    })),
    keys: describeKeys(sandbox),
    tokens: oauth && tokenPath !== undefined ? `${origin}${tokenPath}` : undefined,
  }
}

function describeKeys({ contract, defaultKey: key, apiKeys, keyRule }: Sandbox): string {
  if (keyRule === 'named') return `The key "${key}" works; another key, ${key}-<any name>, sees other data.`
  if (apiKeys?.length === 1) return `The key "${key}" works; no other key does.`
  if (apiKeys) return `The key "${key}" works; so do ${apiKeys.slice(1).join(', ')}, and each sees its own data.`
  if (contract.operations.some(({ security }) => security.length > 0)) {
    return `Any key works, such as "${key}"; another key sees other data.`
  }
  return 'No key is needed; with a header "Sandbox-World: <any name>" you see other data.'
}

function noteOn({ lifecycle, effect, means, extras }: Operation): string {
  const { deprecated, sunset, successor, stability } = lifecycle
  const notes: string[] = []
  if (deprecated) notes.push('deprecated')
  if (sunset !== undefined) notes.push(`until ${new Date(sunset).toISOString().slice(0, 10)}`)
  if (successor) notes.push(`use ${successor.method} ${successor.path}`)
  if (stability !== undefined && stability !== 'stable') notes.push(stability)
  if (effect.kind === 'undescribed') notes.push('its success is not described: 501')
  const isKept = extras !== undefined && extras.kind !== 'http' && extras.kind !== 'values'
  if (means !== undefined && effect.kind === 'example' && !isKept) notes.push('answers with an example')
  return notes.join(', ')
}
