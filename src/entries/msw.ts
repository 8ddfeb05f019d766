/** The public API for MSW: handlers over a sandbox. */
import type { HttpHandler } from 'msw'
import { type BaseUrl, toAddresses } from '../msw/base-url.js'
import { createSandboxHandlers } from '../msw/create-handlers.js'
import type { Sandbox } from '../sandbox/create-engine.js'
import { createSandbox, type SandboxOptions } from './create-sandbox.js'
import { createStandardSandbox } from './create-standard-sandbox.js'

export interface HandlersOptions extends SandboxOptions {
  /** The sandbox that answers. @default a new one, made with the other options */
  sandbox?: Sandbox
  /**
   * Where your code calls the service: an address for its first server, or addresses by the name of the server.
   * Relative ones count from the page. Only these are intercepted.
   * @default the documented addresses of all servers
   */
  baseUrl?: BaseUrl
}

export interface Handlers {
  /** For `setupServer(...handlers)` or `setupWorker(...handlers)`. */
  handlers: HttpHandler[]
  sandbox: Sandbox
}

/**
 * Handlers over a sandbox of its own, for other addresses, data or documents than the bundled ones.
 * @throws SandboxError `INVALID_OPTION` or `INVALID_SCENARIO`
 *
 * @example
 * const { handlers, sandbox } = createHandlers({ baseUrl: 'http://localhost:3000/v1', scenario: 'empty' })
 * const server = setupServer(...handlers)
 */
export function createHandlers({ sandbox, baseUrl, ...options }: HandlersOptions = {}): Handlers {
  const own = sandbox ?? createSandbox(options)
  return { handlers: createSandboxHandlers(own, toAddresses(own.contract, baseUrl)), sandbox: own }
}

/** The sandbox behind `handlers`, with the default scenario; `sandbox.reset()` puts its data back. */
export const sandbox: Sandbox = /* @__PURE__ */ createStandardSandbox()

/** Handlers for the documented addresses. */
export const handlers: HttpHandler[] = /* @__PURE__ */ createSandboxHandlers(
  sandbox,
  // The documented ones are absolute.
  sandbox.contract.servers.map(({ name, url }) => [name, url]),
)

export type { BaseUrl, Sandbox }
