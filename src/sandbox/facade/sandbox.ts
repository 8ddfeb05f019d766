/** A sandbox, as users of the package see it. */
import type { RequestContract } from '../../contract/contract.js'
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
  /** Removes all worlds and faults, clears the journal, and resets the clock. */
  reset(): Promise<void>
}

/** Separate from the engine, so that a bundle with only handlers does not contain it. */
export function toSandbox<Types extends DocumentTypes = AnyDocument>(engine: Engine): Sandbox<Types>
export function toSandbox(engine: Engine): Sandbox {
  const { contract, handle, tokenPath, keys, apiKeys, worlds, journal, deliveries } = engine
  const { defaultKey, rule: keyRule } = keys
  const faults = createSandboxFaults(engine)
  const worldSource = { contract, worlds, keys, deliveries, captures: new WeakMap() }
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
    async reset() {
      await faults.clear()
      await engine.reset()
      deliveries?.cancel()
    },
  }
}
