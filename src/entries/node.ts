/** The public API for Node.js: a sandbox as an HTTP server. Prints nothing and handles no signals. */

import type { AnyDocument, DocumentTypes } from '../contract/document-types.js'
import type { OpenFact } from '../contract/open-fact.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { quote } from '../contract/violations.js'
import type { OpenApiDocument } from '../document/document.js'
import { isObject } from '../json/own-value.js'
import { aHostName, aTargetHost, isHostName, isLoopbackHost, isTargetHost } from '../node/host-name.js'
import { defaultMemoryBytes, listen } from '../node/listen.js'
import { type LogEntry, toSentEntry } from '../node/request-log.js'
import { aBoolean, aFunction, aString, checkOptions, type OptionChecks } from '../sandbox/facade/check-options.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import type { SentAttempt } from '../sandbox/webhooks/sender.js'
import type { Store } from '../state/commits/store.js'
import { MemoryBudget } from '../state/memory-budget.js'
import { openStore, type StoreOptions } from '../stores/open-store.js'
import { sandboxChecks } from './assemble-sandbox.js'
import { type CompiledDocument, type CompileOptions, toCompiledDocument } from './compile-document.js'
import { compileSpec, type SpecOptions } from './compile-spec.js'
import type { FilePosition } from './compile-text.js'
import { dataChecks } from './generate-scenario.js'
import { serveReplaceable } from './replace-document.js'
import type { ServedOptions, SetAsideRecord } from './serve-document.js'
import type { Reload } from './watch-document.js'

/** Options of `startServer`. */
export interface ServerOptions extends Omit<ServedOptions, 'store' | 'overrides'> {
  /**
   * Where the worlds are kept: a store, or the address of one: `memory`, `file:<path>` for a file, `redis://<host>` or
   * `rediss://<host>` for a server that several programs share. @default 'memory'
   */
  store?: Store | string
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
  /**
   * Reads the document again when it, an overlay or a file that it refers to changes, and keeps the changes of callers, as
   * far as they fit. Not for URLs, the bundled document or a store. @default false
   */
  watch?: boolean
  /**
   * The bearer token that requests to the control API must have. Without a token, the control API is off if other machines
   * can reach the host. @default none
   */
  controlToken?: string
  /**
   * The memory in bytes for pending data of all clients: unfinished bodies, unread responses, unsent callbacks and webhooks,
   * snapshots, faults and created keys, 1048576 (1 MiB) or more. Requests beyond the limit get 413, 503 or 507.
   * @default the smaller of 512 MiB and a quarter of the memory of the container or machine
   */
  maxMemoryBytes?: number
  /**
   * The team's own code for operations: files in JavaScript or TypeScript whose default export is what `defineOverrides` returns, or
   * such objects. The last one is called first. @default none
   */
  overrides?: string | object | readonly (string | object)[]
  /** Called when the document was read again. */
  onReload?: (reload: Reload) => void
  /** Called once for each world of a store that is carried over to another document or other data with records that do not fit. */
  onSetAside?: (setAside: SetAsideRecord[]) => void
  /** Called after each response. */
  onExchange?: (entry: LogEntry) => void
}

/** Options of `compileFile`. */
export interface CompileFileOptions extends CompileOptions, Omit<SpecOptions, 'spec'> {}

/** A server that `startServer` has started. */
export interface RunningServer<Types extends DocumentTypes = AnyDocument> {
  /** Address without a path: `http://127.0.0.1:4010` */
  readonly url: string
  /** The port that the server listens on. */
  readonly port: number
  /** The sandbox that answers. Another one after each change of the document: by `watch`, or by a correction in the page. */
  readonly sandbox: Sandbox<Types>
  /** The number of parts of the document that are left out or approximated, as far as known. */
  readonly noteCount: number
  /** Resolves to the served document as OpenAPI 3.1. */
  document(): Promise<OpenApiDocument>
  /** Resolves to what decides answers, and neither the document, nor a person, nor a recording says. */
  openFacts(): Promise<readonly OpenFact[]>
  /** Resolves to the file and line of each operation of the document, by id. */
  places(): Promise<ReadonlyMap<string, FilePosition>>
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
export function startServer<Types extends DocumentTypes = AnyDocument>(
  options?: ServerOptions,
): Promise<RunningServer<Types>>
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  checkOptions(options, serverChecks())
  const { port = 4010, host = '127.0.0.1', allowHosts = [], watch = false, ...others } = options
  const {
    controlToken: token,
    maxMemoryBytes = defaultMemoryBytes(),
    onReload,
    onSetAside,
    onExchange,
    store: given,
    overrides: code,
    ...rest
  } = others
  const store =
    typeof given === 'string' ? await openStore(given, rest.onMessage && { onMessage: rest.onMessage }) : given
  const source = { ...rest, ...(store && { store }) }
  const overrides =
    code === undefined ? undefined : (await import('./served-overrides.js')).createServedOverrides([code].flat())
  const memory = new MemoryBudget(maxMemoryBytes)
  const onSent =
    onExchange && ((sent: SentAttempt) => safely(() => onExchange(toSentEntry(sent, watched.current.hideCredentials))))
  const access = { isLoopback: isLoopbackHost(host), token }
  const safely = (work: () => void) => {
    try {
      work()
    } catch (error) {
      source.onUnexpectedError?.(error)
    }
  }
  const report = (reload: Reload) => safely(() => onReload?.(reload))
  let isClosing = false
  const listeners = {
    ...{ access, memory, onSent, overrides, isClosing: () => isClosing },
    onSetAside: onSetAside && ((setAside: SetAsideRecord[]) => safely(() => onSetAside(setAside))),
  }
  const closeStore = async () => {
    if (typeof given === 'string') await store?.close?.()
  }
  const serving = watch
    ? import('./watch-document.js').then(({ watchDocument }) => watchDocument(source, listeners, report))
    : serveReplaceable(source, listeners)
  const watched = await serving.catch(async (error: unknown) => {
    await closeStore()
    throw error
  })
  const server = await listen({
    serving: () => watched.current,
    port,
    host,
    allowHosts,
    memory,
    onExchange: onExchange && ((entry) => safely(() => onExchange(entry))),
    onUnexpectedError: (error) => source.onUnexpectedError?.(error),
  }).catch(async (error: unknown) => {
    watched.close()
    await closeStore()
    throw error
  })
  return {
    ...server,
    async close() {
      isClosing = true
      watched.close()
      watched.current.engine.deliveries?.close()
      await server.close()
      await watched.current.end()
      await closeStore()
    },
    get sandbox() {
      return watched.current.sandbox
    },
    get noteCount() {
      return watched.current.noteCount
    },
    document: () => watched.current.document(),
    openFacts: () => watched.current.openFacts(),
    places: () => watched.current.places(),
  }
}

/**
 * Compiles a document with all files that it refers to, and with overlays.
 * @param spec path or URL (http or https)
 * @throws SandboxError `UNREADABLE_FILE` or `INVALID_DOCUMENT`
 *
 * @example
 * const { contract } = await compileFile('api/openapi.yaml', { overlays: ['corrections.yaml'] })
 * const sandbox = createSandbox({ contract })
 */
export function compileFile<Types extends DocumentTypes = AnyDocument>(
  spec: string,
  options?: CompileFileOptions,
): Promise<CompiledDocument<Types>>
export async function compileFile(spec: string, options: CompileFileOptions = {}): Promise<CompiledDocument> {
  const { overlays, allowRemoteRefs, allowOutsideRefs, ...others } = options
  return toCompiledDocument(await compileSpec({ spec, overlays, allowRemoteRefs, allowOutsideRefs }, others))
}

const leastMemoryBytes = 1024 * 1024

/** Node.js listens on all addresses if the host is empty. */
const isHost = (name: unknown): boolean => typeof name === 'string' && /^[^\s/]+$/.test(name)

function serverChecks(): OptionChecks<ServerOptions> {
  const { contract: _, fetch: __, ...checks } = sandboxChecks()
  return {
    ...checks,
    ...dataChecks,
    sharedJournal: aBoolean,
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
    callbackHosts(hosts) {
      if (!Array.isArray(hosts)) return 'a list of hosts'
      const wrong: unknown = hosts.find((host) => typeof host !== 'string' || !isTargetHost(host))
      if (wrong === undefined) return undefined
      throw new SandboxError('INVALID_OPTION', `callbackHosts must be hosts, each ${aTargetHost} (got ${quote(wrong)})`)
    },
    spec: aString,
    overlays: (values) =>
      Array.isArray(values) && values.every((value) => typeof value === 'string')
        ? undefined
        : 'a list of paths or URLs',
    allowRemoteRefs: aBoolean,
    allowOutsideRefs: aBoolean,
    strict: aBoolean,
    unknownKeys: (value) => (value === 404 ? undefined : '404'),
    watch: aBoolean,
    overrides: (value) =>
      [value].flat().every((each) => typeof each === 'string' || isObject(each))
        ? undefined
        : 'files, or functions by name',
    controlToken: (value) =>
      typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? undefined : 'visible ASCII without spaces',
    maxMemoryBytes: (value) =>
      Number.isSafeInteger(value) && Number(value) >= leastMemoryBytes
        ? undefined
        : `a whole number of bytes, at least ${leastMemoryBytes}`,
    onReload: aFunction,
    onSetAside: aFunction,
    onMessage: aFunction,
    store: (value) => (typeof value === 'string' ? undefined : checks.store?.(value)),
    onExchange: aFunction,
  }
}

export { SandboxError } from '../contract/sandbox-error.js'
export type { OpenApiDocument } from '../document/document.js'
export type { LogEntry } from '../node/request-log.js'
export type { Sandbox } from '../sandbox/facade/sandbox.js'
export type { FilePosition } from './compile-text.js'
export type { SetAsideRecord } from './serve-document.js'
export type { Reload } from './watch-document.js'
export { openStore, type StoreOptions }
