/** The public API for Node.js: a sandbox as an HTTP server. Prints nothing and handles no signals. */

import type { OpenApiDocument } from '../compile/document.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { quote } from '../contract/violations.js'
import { createControl } from '../control/create-control.js'
import { aHostName, isHostName } from '../node/host-name.js'
import { type LogEntry, listen } from '../node/listen.js'
import { readTextFile } from '../node/read-text-file.js'
import { aBoolean, aFunction, aString, checkOptions, type OptionChecks } from '../sandbox/check-options.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Scenario } from '../state/scenario.js'
import { chooseScenario } from './choose-scenario.js'
import { compileDocument } from './compile-document.js'
import { createSandbox, type SandboxOptions, sandboxChecks } from './create-sandbox.js'
import { writeExampleCurl } from './example-request.js'
import { dataChecks } from './generate-scenario.js'

/** Options of `startServer`. */
export interface ServerOptions extends Omit<SandboxOptions, 'contract'> {
  /** Port to listen on, 0 to 65535. 0 takes any free port. @default 4010 */
  port?: number
  /** Address to listen on. @default '127.0.0.1', which only this machine can reach */
  host?: string
  /**
   * Further host names that requests may be sent to, or `'*'` for every name. On a loopback address the names of this
   * machine and of the servers in the document are always allowed; on another address every name is.
   * @default none
   */
  allowHosts?: readonly string[]
  /** Path of a document: Swagger 2.0 or OpenAPI 3.0 to 3.2, YAML or JSON. @default the bundled document */
  spec?: string
  /** Refuses a document with anything wrong in it, instead of leaving that out. @default false */
  strict?: boolean
  /**
   * The data that every world starts with: the name of a bundled scenario, the path of a JSON file, or records by
   * collection. Not together with `records`.
   * @default 'default' for the bundled document, 20 generated records in each collection for another one
   */
  scenario?: string | Scenario
  /** The number of generated records in each collection, 0 to 10000000. @default 20, if records are generated */
  records?: number
  /** An integer up to ±(2^53−1). The same seed gives the same records, byte for byte. @default 1 */
  seed?: number
  /** Called during the generation of records, with the number of finished records of all collections. */
  onProgress?: (done: number, total: number) => void
  /** Called for each collection that stays empty because no valid record was found. */
  onSkip?: (collection: string, why: string) => void
  /** Called after each response. */
  onExchange?: (entry: LogEntry) => void
}

/** A server that `startServer` has started. */
export interface RunningServer {
  /** Address without a path: `http://127.0.0.1:4010` */
  readonly url: string
  /** The port that the server listens on. */
  readonly port: number
  /** The sandbox that answers. */
  readonly sandbox: Sandbox
  /** The number of parts of the document that are left out or approximated, as far as they are known. */
  readonly noteCount: number
  /** Resolves to the served document as OpenAPI 3.1. */
  document(): Promise<OpenApiDocument>
  /** Stops accepting connections. Resolves when all pending requests are answered. */
  close(): Promise<void>
}

/**
 * Starts an HTTP server on a sandbox.
 * @throws SandboxError `INVALID_OPTION`, `INVALID_SCENARIO`, `INVALID_DOCUMENT`, `UNREADABLE_FILE`, `PORT_IN_USE` or
 * `CANNOT_LISTEN`
 *
 * @example
 * const server = await startServer({ port: 0, spec: 'books.yaml' })
 * await fetch(`${server.url}/books`)
 * await server.close()
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  checkOptions(options, serverChecks())
  const {
    port = 4010,
    host = '127.0.0.1',
    allowHosts = [],
    spec,
    strict,
    scenario,
    records,
    seed,
    onProgress,
    onSkip,
    onExchange,
    ...rest
  } = options
  const compiled = spec === undefined ? undefined : await compileDocument(await readTextFile(spec), spec, { strict })
  const data = await chooseScenario(compiled, { scenario, records, seed, onProgress, onSkip })
  const sandbox = createSandbox({ ...rest, contract: compiled?.contract, scenario: data })
  const document = compiled ? async () => compiled : () => import('../generated/document.js')
  const served = async () => (await document()).document
  const writeCurl = (origin: string) => writeExampleCurl(sandbox, served, origin)
  const control = createControl({ sandbox, document, writeCurl })
  const safeOnExchange = (entry: LogEntry) => {
    try {
      onExchange?.(entry)
    } catch (error) {
      rest.onUnexpectedError?.(error)
    }
  }
  const server = await listen({
    sandbox,
    control,
    port,
    host,
    allowHosts,
    onExchange: onExchange && safeOnExchange,
    onUnexpectedError: (error) => rest.onUnexpectedError?.(error),
  })
  return {
    ...server,
    sandbox,
    get noteCount() {
      return compiled?.noteCount ?? 0
    },
    document: served,
  }
}

/** Node.js listens on all addresses if the host is empty. */
const isHost = (name: unknown): boolean => typeof name === 'string' && /^[^\s/]+$/.test(name)

function serverChecks(): OptionChecks<ServerOptions> {
  const { contract: _, ...checks } = sandboxChecks()
  return {
    ...checks,
    ...dataChecks,
    port: (value) =>
      Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65535
        ? undefined
        : 'a whole number from 0 to 65535',
    host: (name) => (isHost(name) ? undefined : 'a name or an address such as 127.0.0.1'),
    allowHosts(names) {
      if (!Array.isArray(names)) return 'a list of names'
      const wrong: unknown = names.find((name) => typeof name !== 'string' || !isHostName(name))
      if (wrong === undefined) return undefined
      throw new SandboxError('INVALID_OPTION', `allowHosts must be names, each ${aHostName} (got ${quote(wrong)})`)
    },
    spec: aString,
    strict: aBoolean,
    onExchange: aFunction,
  }
}

export type { OpenApiDocument } from '../compile/document.js'
export { SandboxError } from '../contract/sandbox-error.js'
export type { LogEntry } from '../node/listen.js'
export type { Sandbox } from '../sandbox/sandbox.js'
