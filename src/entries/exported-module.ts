/** What the modules that `export msw` writes have in common: options, and the handlers of a contract. */
import equal from 'ajv/dist/runtime/equal.js'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import type { HttpHandler } from 'msw'
import type { RequestContract } from '../contract/contract.js'
import type { AnyDocument, DocumentTypes } from '../contract/document-types.js'
import { type BaseUrl, toAddresses } from '../msw/base-url.js'
import { createSandboxHandlers } from '../msw/create-handlers.js'
import { type CommonOptions, createEngine, type Engine, type EngineParts } from '../sandbox/create-engine.js'
import { openCredentials } from '../sandbox/credentials/open-keys.js'
import { allEffects } from '../sandbox/effects/all-effects.js'
import { relations } from '../sandbox/effects/relations.js'
import { sampler } from '../sandbox/effects/sampler.js'
import {
  aBoolean,
  anything,
  aSandbox,
  checkNoOptionsBeside,
  checkOptions,
  commonChecks,
  type OptionChecks,
  webhookChecks,
} from '../sandbox/facade/check-options.js'
import { type Sandbox, toSandbox } from '../sandbox/facade/sandbox.js'
import type { Handle, Steps } from '../sandbox/handle.js'
import { addRetryAfter } from '../sandbox/http/retry-later.js'
import { withPrismQuery } from '../sandbox/request/prism-query.js'
import { isolateContent } from '../sandbox/responses/isolate-content.js'
import type { createSendingEngine } from '../sandbox/webhooks/create-sending-engine.js'
import type { SendingFetch, transmitByFetch } from '../sandbox/webhooks/transmit.js'
import { toTime } from '../state/clock.js'
import type { Scenario } from '../state/scenario.js'
import { undoTo } from '../state/world-content.js'
import { wrapSteps } from './wrap-steps.js'

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
}

/** Handlers for MSW and the sandbox that answers them. */
export interface Handlers<Types extends DocumentTypes = AnyDocument> {
  /** For `setupServer(...handlers)` or `setupWorker(...handlers)`. */
  handlers: HttpHandler[]
  /** The sandbox that answers. */
  sandbox: Sandbox<Types>
}

/** The parts of a module that not every contract needs. */
export interface ModuleParts {
  parts: Pick<EngineParts, 'codecs' | 'useExtras' | 'readStyled' | 'createNegotiate' | 'createWorlds'>
  /** Sends callbacks and webhooks. Not needed without any. */
  sending?: { createSendingEngine: typeof createSendingEngine; transmitByFetch: typeof transmitByFetch } | undefined
  /** Loads what an operation needs. @default everything is there */
  withChunks?(steps: Steps): Steps
  inOrder?(handle: Handle): Handle
}

const common = { ...openCredentials, effects: allEffects, sampler, undoTo, relations, isolateContent }

/** @param standardScenario the data in the module */
export function createModule(
  contract: RequestContract,
  standardScenario: Scenario,
  { parts, sending, withChunks = (steps) => steps, inOrder = (handle) => handle }: ModuleParts,
): (options?: HandlersOptions) => Handlers {
  function openEngine({
    at,
    scenario = standardScenario,
    fetch,
    webhookUrl,
    webhookSecret,
    exact = false,
    prismQuery,
    ...others
  }: Omit<HandlersOptions, 'sandbox' | 'baseUrl'>): Engine {
    const start = at === undefined ? undefined : toTime(at)
    const wrap = wrapSteps(contract, exact)
    const own = { ...common, ...parts, wrapSteps: (steps: Steps) => withChunks(wrap(steps)) }
    const options = { contract, parts: own, scenario, at: start, ...others }
    const transmit = fetch && sending?.transmitByFetch(fetch)
    const engine = sending
      ? sending.createSendingEngine(options, { sampler, transmit, webhookUrl, webhookSecret })
      : createEngine(options)
    addRetryAfter(engine)
    engine.handle = inOrder(prismQuery ? withPrismQuery(engine.handle) : engine.handle)
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
}
