/** The public API for MSW: request handlers that a sandbox answers. */
import type { HttpHandler } from 'msw'
import type { AnyDocument, DocumentTypes } from '../contract/document-types.js'
import { requestContract } from '../generated/contract.js'
import { parts } from '../generated/parts.js'
import { defaultScenario } from '../generated/scenarios.js'
import type { BundledDocument } from '../generated/schemas.js'
import { parseExactJson } from '../json/exact-json.js'
import { type BaseUrl, createSandboxHandlers, toAddresses } from '../msw/create-handlers.js'
import { createEngine, type Engine } from '../sandbox/create-engine.js'
import { anything, aSandbox, checkNoOptionsBeside, checkOptions } from '../sandbox/facade/check-options.js'
import { type Sandbox, toSandbox } from '../sandbox/facade/sandbox.js'
import type { Scenario } from '../state/scenario.js'
import { type SandboxOptions, sandboxChecks } from './assemble-sandbox.js'
import { createSandbox } from './create-sandbox.js'

/** Options of `createHandlers`. */
export interface HandlersOptions<Types extends DocumentTypes = AnyDocument> extends SandboxOptions<Types> {
  /** The sandbox that answers. @default a new one with the other options */
  sandbox?: Sandbox<Types>
  /**
   * The addresses at which your code calls the service: one for the first server, or one for each server by name.
   * Relative addresses are resolved against the page. No other address is intercepted.
   * @default the documented addresses of all servers
   */
  baseUrl?: BaseUrl
}

/** Handlers for MSW and the sandbox that answers them. */
export interface Handlers<Types extends DocumentTypes = AnyDocument> {
  /** For `setupServer(...handlers)` or `setupWorker(...handlers)`. */
  handlers: HttpHandler[]
  /** The sandbox that answers. */
  sandbox: Sandbox<Types>
}

/**
 * Creates handlers for your own addresses, data or document.
 * @throws SandboxError `INVALID_OPTION` for a wrong option, `INVALID_SCENARIO` for records that violate the document
 *
 * @example
 * const { handlers, sandbox } = createHandlers({ baseUrl: 'http://localhost:3000/v1', scenario: 'empty' })
 * const server = setupServer(...handlers)
 */
export function createHandlers<Types extends DocumentTypes = BundledDocument>(
  options?: HandlersOptions<Types>,
): Handlers<Types>
export function createHandlers(options: HandlersOptions = {}): Handlers {
  checkOptions<HandlersOptions>(options, { ...sandboxChecks(), sandbox: aSandbox, baseUrl: anything })
  const { sandbox, baseUrl, ...others } = options
  checkNoOptionsBeside(sandbox, others)
  const own = sandbox ?? createSandbox(others)
  return { handlers: createSandboxHandlers(own, toAddresses(own.contract, baseUrl)), sandbox: own }
}

/** Shared by `sandbox` and `handlers`. A page that imports only the handlers does not load the facade. */
const engine: Engine = /* @__PURE__ */ createStandardEngine()

/** The sandbox behind `handlers`, with the default scenario. `sandbox.reset()` restores its data. */
export const sandbox: Sandbox<BundledDocument> = /* @__PURE__ */ toSandbox(engine)

/**
 * Handlers for the documented addresses.
 * @example
 * const server = setupServer(...handlers)
 */
export const handlers: HttpHandler[] = /* @__PURE__ */ createSandboxHandlers(
  engine,
  // The documented addresses are absolute.
  engine.contract.servers.map(({ name, url }) => [name, url]),
)

export type { BaseUrl, Sandbox }

/** Contains only the effects, codecs and credential readers that the bundled document needs. */
function createStandardEngine(): Engine {
  const scenario = parseExactJson(defaultScenario).exact as Scenario
  return createEngine({ contract: requestContract, parts, scenario })
}
