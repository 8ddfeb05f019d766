/** The engine in the modules that `export msw` writes, followed by a contract: see `cli/commands/export-handlers.ts`. */
import equal from 'ajv/dist/runtime/equal.js'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import type { HttpHandler } from 'msw'
import type { RequestContract } from '../contract/contract.js'
import type { AnyDocument, DocumentTypes } from '../contract/document-types.js'
import { readCompact } from '../json/compact-json.js'
import { type BaseUrl, createSandboxHandlers, toAddresses } from '../msw/create-handlers.js'
import { type CommonOptions, createEngine, type Engine } from '../sandbox/create-engine.js'
import {
  aBoolean,
  anything,
  aSandbox,
  checkNoOptionsBeside,
  checkOptions,
  commonChecks,
  type OptionChecks,
  overrideChecks,
  webhookChecks,
} from '../sandbox/facade/check-options.js'
import { type Sandbox, toSandbox } from '../sandbox/facade/sandbox.js'
import { readPrismQuery } from '../sandbox/prefer.js'
import { type SendingFetch, transmitByFetch } from '../sandbox/webhooks/transmit.js'
import { webhooksOf } from '../sandbox/webhooks/webhooks.js'
import { toTime } from '../state/clock.js'
import type { Scenario } from '../state/scenario.js'
import { openParts, otherParts } from './open-parts.js'
import { useOverrides } from './use-overrides.js'

/** Modules that validators compiled ahead of time import by name. */
export const runtime: Record<string, unknown> = {
  'ajv/dist/runtime/equal': equal,
  'ajv/dist/runtime/ucs2length': ucs2length,
}

/** Options of `createHandlers` in a written module. */
export interface HandlersOptions extends CommonOptions {
  /** The data that every world starts with: records by collection. @default the data in this module */
  scenario?: Scenario
  /** Whether paths, media types and bodies are accepted only as documented. @default those that mean the same are, too */
  exact?: boolean
  /** Whether the query parameters `__code`, `__example` and `__dynamic` mean the same as in Prism. @default false */
  prismQuery?: boolean
  /** The sandbox that answers. @default a new one with the other options */
  sandbox?: Sandbox
  /** The addresses to intercept: see `BaseUrl`. @default the documented addresses of all servers */
  baseUrl?: BaseUrl
  /** Sends callbacks and webhooks: the global `fetch`, or a function like it. @default they are not sent */
  fetch?: SendingFetch
  /** The URL for webhooks that have none, and the base of relative URLs: http or https. @default none */
  webhookUrl?: string
  /** The secret that signs callbacks and webhooks: `whsec_` and Base64, or any other text. @default they are not signed */
  webhookSecret?: string
  /** The team's own code for operations: see `defineOverrides`. The last of several is called first. @default none */
  overrides?: object | readonly object[]
  /** The most milliseconds that the overrides of one request may take; then it gets 503. @default 10000 */
  overrideTimeoutMs?: number
}

/** Handlers for MSW and the sandbox that answers them. */
export interface Handlers<Types extends DocumentTypes = AnyDocument> {
  /** For `setupServer(...handlers)` or `setupWorker(...handlers)`. */
  handlers: HttpHandler[]
  /** The sandbox that answers. */
  sandbox: Sandbox<Types>
}

/**
 * @param contractText the contract without its validators, from `writeCompact`
 * @param scenarioText the default scenario, from `writeCompact`
 */
export function createHandlerModule(
  contractText: string,
  validators: RequestContract['validators'],
  scenarioText: string,
): (options?: HandlersOptions) => Handlers {
  const contract = { ...(readCompact(contractText) as Omit<RequestContract, 'validators'>), validators }
  const standardScenario = readCompact(scenarioText) as Scenario

  function openEngine({
    at,
    scenario = standardScenario,
    fetch,
    webhookUrl,
    webhookSecret,
    exact = false,
    prismQuery,
    overrides,
    overrideTimeoutMs,
    ...others
  }: Omit<HandlersOptions, 'sandbox' | 'baseUrl'>): Engine {
    const start = at === undefined ? undefined : toTime(at)
    const transmit = fetch && transmitByFetch(fetch)
    const createWebhooks = webhooksOf(contract, { transmit, webhookUrl, webhookSecret })
    const parts = { ...openParts, ...otherParts(exact), createWebhooks, ...(prismQuery && { readPrismQuery }) }
    const engine = createEngine({ contract, parts, scenario, at: start, ...others })
    if (overrides) useOverrides(engine, [overrides].flat(), overrideTimeoutMs)
    return engine
  }

  return function createHandlers(options = {}) {
    checkOptions(options, moduleChecks)
    const { sandbox, baseUrl, ...others } = options
    checkNoOptionsBeside(sandbox, others)
    const own = sandbox ?? toSandbox(openEngine(others))
    return { handlers: createSandboxHandlers(own, toAddresses(contract, baseUrl)), sandbox: own }
  }
}

const moduleChecks: OptionChecks<HandlersOptions> = {
  ...commonChecks,
  scenario: (value) => (typeof value === 'object' && value !== null ? undefined : 'records by collection'),
  sandbox: aSandbox,
  baseUrl: anything,
  exact: aBoolean,
  prismQuery: aBoolean,
  ...webhookChecks,
  ...overrideChecks,
}
