/** The environment variables that tell a consumer's command where the sandbox is. */
import { SandboxError, unknownName } from '../contract/sandbox-error.js'
import type { RunningServer } from '../entries/node.js'
import { name } from '../generated/package.js'

/** The first part of the name, as it stands in variables. */
const prefix = toVariable(name.split('-')[0] ?? name)

/** Of the first server's address, of the address without a path, and of a key that is valid. */
export const variables = { base: `${prefix}_BASE_URL`, address: `${prefix}_SANDBOX_URL`, key: `${prefix}_API_KEY` }

/**
 * Variables by name.
 * @param mappings further ones, each `NAME=what`: the name of a server, `api-key` or `sandbox`
 * @throws SandboxError for a mapping of something that there is not
 */
export function consumerEnvironment(
  { url, sandbox }: Pick<RunningServer, 'url' | 'sandbox'>,
  mappings: readonly string[],
): Record<string, string> {
  const { defaultKey, contract } = sandbox
  const addresses = contract.servers.map((server): [string, string] => [server.name, `${url}${server.mount}`])
  const values = new Map<string, string>([...addresses, ['api-key', defaultKey], ['sandbox', url]])
  const own = addresses.map(([server, address]) => [`${prefix}_${toVariable(server)}_URL`, address] as const)
  const [first] = addresses
  return {
    ...Object.fromEntries(own),
    [variables.base]: first ? first[1] : url,
    [variables.key]: defaultKey,
    [variables.address]: url,
    ...Object.fromEntries(mappings.map((mapping) => readMapping(mapping, values))),
  }
}

/** What the variables are called and what they hold, for help. */
export function describeVariables(): string {
  const rows = [
    [variables.base, 'address of the first server of the document'],
    [`${prefix}_<SERVER>_URL`, `address of each server, e.g. ${prefix}_STAGING_URL`],
    [variables.key, 'a key that is valid'],
    [variables.address, 'address without a path'],
  ]
  return `\nThe command finds in its environment:\n${rows.map(([variable, what]) => `  ${variable?.padEnd(24)}${what}\n`).join('')}`
}

function toVariable(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '_')
}

function readMapping(mapping: string, values: ReadonlyMap<string, string>): [name: string, value: string] {
  const [, variable, what = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(mapping) ?? []
  if (variable === undefined) {
    throw new SandboxError('INVALID_OPTION', `--env must be e.g. API_URL=production (got "${mapping}")`)
  }
  const value = values.get(what)
  if (value === undefined) throw unknownName('value for --env', what, [...values.keys()])
  return [variable, value]
}
