/** A sandbox, as users of the package see it. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { AnyDocument, DocumentTypes, OperationId } from '../../contract/document-types.js'
import type { Journal } from '../../state/journal.js'
import type { Engine } from '../create-engine.js'
import type { KeyRule } from '../credentials/valid-keys.js'
import type { Handle } from '../handle.js'
import { createLocator, type Locator } from '../request/locate-server.js'
import { createExchanges, type Exchanges } from './exchanges.js'
import { createSandboxFaults, type SandboxFaults } from './faults.js'
import { createFetch, type Fetch } from './fetch.js'
import { createWorld, createWorldClock, findWorld, type World, type WorldClock } from './world.js'

/** @typeParam Types types of the document for TypeScript. @default none */
export interface Sandbox<Types extends DocumentTypes = AnyDocument> {
  /** The compiled document. */
  readonly contract: RequestContract
  /** Answers a request of an adapter. Never rejects. */
  readonly handle: Handle
  /**
   * Answers a request like the global `fetch`. The URL is a documented address, or has the path that the HTTP server
   * would serve, on any other origin. Rejects only if the request is invalid or aborted.
   * @example
   * const response = await sandbox.fetch('https://api.example.com/v1/books', {
   *   headers: { Authorization: 'Bearer sandbox' },
   * })
   */
  readonly fetch: Fetch
  /** Finds the server that an address belongs to, for adapters. */
  readonly locator: Locator
  /** A valid key: the first of `apiKeys`, or `sandbox`. */
  readonly defaultKey: string
  /** The only valid keys. Undefined without the option `apiKeys`. */
  readonly apiKeys: readonly string[] | undefined
  /** Which keys are valid: only `apiKeys`, `sandbox` and every `sandbox-<name>`, or any that is not empty. */
  readonly keyRule: KeyRule
  /** Path of the token endpoint of OAuth 2.0 on the origin. Undefined for the bundled document, which needs no tokens. */
  readonly tokenPath: string | undefined
  /**
   * Returns the world of a key, or of a client by its name.
   * @param key @default `defaultKey`
   * @param apiKey with `apiKeys`, the one with which a user opens the world; '' for the world that `Sandbox-World` names. @default `defaultKey`
   * @throws SandboxError `INVALID_OPTION` for an invalid key
   * @example await sandbox.world('sandbox-ana').collection('books').add({ title: 'Emma' })
   */
  world(key?: string, apiKey?: string): World<Types>
  /** The clock that the clocks of all worlds follow. */
  readonly clock: WorldClock
  /** The latest exchanges. */
  readonly journal: Journal<OperationId<Types>>
  /** The exchanges of the journal: finds some, and waits for the next one. */
  readonly exchanges: Exchanges<OperationId<Types>>
  /** Rules that make requests fail, wait or break off. */
  readonly faults: SandboxFaults<OperationId<Types>>
  /** For `override` of `petstore-sandbox/testing`. */
  readonly engine: unknown
  /** Removes all worlds and faults, clears the journal, and resets the clock. */
  reset(): Promise<void>
}

/** Separate from the engine, so that a bundle with only handlers does not contain it. */
export function toSandbox<Types extends DocumentTypes = AnyDocument>(engine: Engine): Sandbox<Types>
export function toSandbox(engine: Engine): Sandbox {
  const { contract, handle, tokenPath, keys, apiKeys, worlds, journal, deliveries, openProgress } = engine
  const { defaultKey, rule: keyRule } = keys
  const faults = createSandboxFaults(engine)
  const worldSource = { contract, worlds, keys, deliveries, openProgress, captures: new WeakMap() }
  const locator = createLocator(contract)
  return {
    contract,
    handle,
    fetch: createFetch(handle, locator),
    locator,
    defaultKey,
    apiKeys,
    keyRule,
    tokenPath,
    world: (key = defaultKey, apiKey) => createWorld(worldSource, findWorld(keys, key, apiKey)),
    clock: createWorldClock(
      async (work) => worlds.useClock(work),
      () => deliveries?.check(),
    ),
    journal,
    exchanges: createExchanges(journal),
    faults,
    engine,
    async reset() {
      await faults.clear()
      await engine.reset()
      deliveries?.cancel()
    },
  }
}

interface Description {
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
  const { overrides } = (sandbox.engine as Engine).steps
  return {
    title: `${title} ${version}`,
    servers: servers.map(({ name, mount }) => ({ name, url: `${origin}${mount}` })),
    operations: operations.map((operation) => ({
      method: operation.method,
      path: operation.path,
      effect: operation.means ?? operation.effect.kind,
      notes: [noteOn(operation), (overrides?.table.of(operation).length ?? 0) > 0 ? 'overridden' : '']
        .filter((note) => note !== '')
        .join(', '),
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
