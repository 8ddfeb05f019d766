/** The public API for Node.js: the sandbox behind a port. Prints nothing and handles no signal. */

import type { OpenApiDocument } from '../compile/document.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { createControl } from '../control/create-control.js'
import { type LogEntry, listen } from '../node/listen.js'
import { readTextFile } from '../node/read-text-file.js'
import type { Sandbox } from '../sandbox/create-engine.js'
import type { Scenario } from '../state/scenario.js'
import { chooseScenario } from './choose-scenario.js'
import { compileDocument } from './compile-document.js'
import { createSandbox, type SandboxOptions } from './create-sandbox.js'

export interface ServerOptions extends Omit<SandboxOptions, 'contract'> {
  /** Port to listen on, 0 to 65535; 0 takes any free one. @default 4010 */
  port?: number
  /** Address to listen on. @default '127.0.0.1', so that nobody else reaches it */
  host?: string
  /** Path of an OpenAPI document, 3.0 or 3.1, YAML or JSON, to serve in place of the bundled one. */
  spec?: string
  /**
   * What every world begins with: the name of a bundled scenario, the path of a JSON file, or records by collection.
   * @default 'default'; for another document 20 generated records in each collection
   */
  scenario?: string | Scenario
  /** Begin with this many generated records in each collection, in place of a scenario. */
  records?: number
  /** The number that makes generated data repeatable. @default 1 */
  seed?: number
  /** Called while records are generated. */
  onProgress?: (done: number, total: number) => void
  /** Called for a collection for which no valid record could be generated; it stays empty. */
  onSkip?: (collection: string, why: string) => void
  /** Called after each response. */
  onExchange?: (entry: LogEntry) => void
}

export interface RunningServer {
  /** Address without a path: `http://127.0.0.1:4010` */
  readonly url: string
  readonly port: number
  readonly sandbox: Sandbox
  /** The document that is served, as OpenAPI 3.1. */
  document(): Promise<OpenApiDocument>
  /** Takes no more connections and resolves when the requests in flight have been answered. */
  close(): Promise<void>
}

/** @throws SandboxError for wrong options, unreadable files and a port that is in use */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const {
    port = 4010,
    host = '127.0.0.1',
    spec,
    scenario,
    records,
    seed,
    onProgress,
    onSkip,
    onExchange,
    ...rest
  } = options
  if (!(Number.isInteger(port) && port >= 0 && port <= 65535)) {
    throw new SandboxError('INVALID_OPTION', `port must be a whole number from 0 to 65535 (got ${port})`)
  }
  const compiled = spec === undefined ? undefined : await compileDocument(await readTextFile(spec), spec)
  const data = await chooseScenario(compiled, { scenario, records, seed, onProgress, onSkip })
  const sandbox = createSandbox({ ...rest, contract: compiled?.contract, scenario: data })
  const document = compiled ? async () => compiled : () => import('../generated/document.js')
  const control = createControl({ sandbox, document })
  const guarded = (entry: LogEntry) => {
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
    onExchange: onExchange && guarded,
    onUnexpectedError: (error) => rest.onUnexpectedError?.(error),
  })
  return { ...server, sandbox, document: async () => (await document()).document }
}

export type { OpenApiDocument } from '../compile/document.js'
export { SandboxError } from '../contract/sandbox-error.js'
export type { LogEntry } from '../node/listen.js'
export type { Sandbox } from '../sandbox/create-engine.js'
