/** The environment variables that the consumer's command gets: address and key of the sandbox. */
import { SandboxError, unknownName } from '../../contract/sandbox-error.js'
import type { RunningServer } from '../../entries/node.js'
import { name } from '../../generated/package.js'

/** The first part of the program's name, in upper case. */
const prefix = toVariable(name.split('-')[0] ?? name)

/** Variables for the address of the first server, for the address without a path, and for a valid key. */
export const variables = { base: `${prefix}_BASE_URL`, address: `${prefix}_SANDBOX_URL`, key: `${prefix}_API_KEY` }

/**
 * Values of the variables, by name.
 * @param mappings further variables, each `NAME=what`; what is the name of a server, `api-key` or `sandbox`
 * @throws SandboxError `INVALID_OPTION` for a mapping that cannot be read or has an unknown value
 */
export function consumerEnvironment(
  { url, sandbox }: Pick<RunningServer, 'url' | 'sandbox'>,
  mappings: readonly string[],
): Record<string, string> {
  const { defaultKey, contract } = sandbox
  const addresses = contract.servers.map((server): [string, string] => [server.name, `${url}${server.mount}`])
  const values = new Map<string, string>([...addresses, ['api-key', defaultKey], ['sandbox', url], ...addresses])
  const own = addresses.map(([server, address]) => [`${prefix}_${toVariable(server)}_URL`, address] as const)
  const [first] = addresses
  return {
    [variables.base]: first ? first[1] : url,
    [variables.key]: defaultKey,
    [variables.address]: url,
    SANDBOX_URL: url,
    // A server may be called sandbox.
    ...Object.fromEntries(own),
    ...Object.fromEntries(mappings.map((mapping) => readMapping(mapping, values))),
  }
}

/**
 * Variables that load the tracer into each Node.js process of the command: it adds to each request where it was made. Options of
 * the user come first.
 */
export function traceEnvironment({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const loader = new URL('../loader.js', import.meta.url).href
  return { NODE_OPTIONS: `${NODE_OPTIONS} --import ${loader}`.trimStart(), SANDBOX_TRACE_FOLDER: process.cwd() }
}

/** Names and meanings of the variables, for the help text. */
export function describeVariables(): string {
  const rows = [
    [variables.base, 'address of the first server of the document'],
    [`${prefix}_<SERVER>_URL`, `address of each server, e.g. ${prefix}_STAGING_URL`],
    [variables.key, 'a valid key'],
    [variables.address, 'address without a path; of the server "sandbox", if there is one'],
    ['SANDBOX_URL', 'address without a path, for every document'],
  ]
  return `\nThe command gets these environment variables:\n${rows.map(([variable, what]) => `  ${variable?.padEnd(24)}${what}\n`).join('')}`
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
