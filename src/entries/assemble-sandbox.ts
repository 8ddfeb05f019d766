/** Assembles a sandbox from checked options, and from the parts that its contract needs. */
import type { Contract } from '../contract/contract.js'
import type { AnyDocument, DocumentTypes } from '../contract/document-types.js'
import { withHttpCare } from '../contract/http/with-http.js'
import { unknownName } from '../contract/sandbox-error.js'
import { contract as bundledContract } from '../generated/contract.js'
import { scenarios } from '../generated/scenarios.js'
import { type CommonOptions, createEngine, type Engine, type EngineParts } from '../sandbox/create-engine.js'
import {
  aBoolean,
  anObjectWith,
  aScenario,
  commonChecks,
  type OptionChecks,
  overrideChecks,
  webhookChecks,
} from '../sandbox/facade/check-options.js'
import { readPrismQuery } from '../sandbox/prefer.js'
import { keepWebhooks } from '../sandbox/webhooks/kept-webhooks.js'
import { type SendingFetch, type Transmit, transmitByFetch } from '../sandbox/webhooks/transmit.js'
import { type WebhookOptions, webhooksOf } from '../sandbox/webhooks/webhooks.js'
import { toTime } from '../state/clock.js'
import type { Store } from '../state/commits/store.js'
import { checkScenario, parseScenario, type Scenario } from '../state/scenario.js'

/** Options of `createSandbox`. */
export interface SandboxOptions<Types extends DocumentTypes = AnyDocument> extends CommonOptions {
  /** The store that keeps the worlds. @default in memory */
  store?: Store
  /** The compiled document to serve, from `compileDocument`. @default the bundled document */
  contract?: Contract<Types>
  /**
   * The data that every world starts with: the name of a bundled scenario, or records by collection.
   * @default 'default' for the bundled document, no records for another one
   */
  scenario?: string | Scenario
  /**
   * Whether every operation has HTTP semantics, even if the document does not describe them: entity tags and conditional
   * requests, `Idempotency-Key`, `Location`, `Retry-After`, links to pages, and 406. @default false
   */
  httpCare?: boolean
  /**
   * How long each state of a job lasts until the next one, in milliseconds of the clock: records that a request began, whose
   * state no request writes, such as imports, succeed by themselves. 0 ends them at once.
   * @default 1000
   */
  lifecycleStep?: number
  /**
   * Whether paths, media types and bodies are accepted only as documented. Otherwise those that mean the same are accepted, too:
   * with a slash at the end of the path, or with `application/vnd.x+json` for `application/json`. The bundled document is
   * always served exactly. @default false
   */
  exact?: boolean
  /**
   * Whether the query parameters `__code`, `__example` and `__dynamic` choose the answer as in Prism, like the preferences `code`,
   * `example` and `dynamic`. @default false: they are unknown parameters
   */
  prismQuery?: boolean
  /**
   * Sends the callbacks and webhooks of the document: the global `fetch`, or a function like it. It gets every address
   * that callers ask for.
   * @default they are not sent, and the journal says so
   */
  fetch?: SendingFetch
  /** The team's own code for operations: see `defineOverrides`. The last of several is called first. @default none */
  overrides?: object | readonly object[]
  /** The most milliseconds that the overrides of one request may take; then it gets 503. @default 10000 */
  overrideTimeoutMs?: number
  /** The URL for webhooks that have none, and the base of relative URLs: http or https. @default none */
  webhookUrl?: string
  /**
   * The secret that signs callbacks and webhooks, in the headers of Standard Webhooks and in those that the document describes:
   * `whsec_` and Base64, or any other text. @default they are not signed
   */
  webhookSecret?: string
}

/** Checked options of `createSandbox`. */
export interface CheckedOptions extends SandboxOptions {
  contract: Contract
  scenario: Scenario
}

/** How callbacks and webhooks are sent. */
export interface Sending {
  /** @default by the option `fetch` */
  transmit?: Transmit | undefined
  onSent?: WebhookOptions['onSent']
  memory?: WebhookOptions['memory']
}

/**
 * The engine of a sandbox, without its overrides: a server without overrides does not load what runs them.
 * @param options checked, with a scenario whose records satisfy the document
 * @param parts the parts that the contract and the store need
 */
export function assembleEngine(options: CheckedOptions, parts: EngineParts, sending: Sending = {}): Engine {
  const { contract: documented, scenario, store, at, httpCare, lifecycleStep, prismQuery, fetch, ...others } = options
  const { webhookUrl, webhookSecret, ...common } = others
  const start = at === undefined ? undefined : toTime(at)
  const stepped = lifecycleStep === undefined ? documented : withLifecycleStep(documented, lifecycleStep)
  const contract = httpCare ? withHttpCare(stepped) : stepped
  const { transmit = fetch && transmitByFetch(fetch), onSent, memory } = sending
  const keep = store && keepWebhooks(store)
  const createWebhooks = webhooksOf(contract, { webhookUrl, webhookSecret, transmit, onSent, memory, keep })
  const all = { ...parts, createWebhooks, ...(prismQuery && { readPrismQuery }) }
  return createEngine({ contract, parts: all, scenario, at: start, ...common })
}

/** The contract in which the states of jobs last as long. */
function withLifecycleStep(contract: Contract, step: number): Contract {
  const collections = contract.collections.map((model) =>
    model.progress ? { ...model, progress: { ...model.progress, step } } : model,
  )
  return { ...contract, collections }
}

/** A function, so that bundles can drop it. */
export const sandboxChecks = (): OptionChecks<SandboxOptions> => ({
  ...commonChecks,
  scenario: aScenario,
  contract: (value) =>
    typeof value === 'object' && value !== null && 'recordValidators' in value
      ? undefined
      : 'the contract that compileDocument() resolves to',
  httpCare: aBoolean,
  exact: aBoolean,
  prismQuery: aBoolean,
  lifecycleStep: (value) =>
    Number.isFinite(value) && Number(value) >= 0 ? undefined : 'a number of milliseconds, 0 or more',
  ...webhookChecks,
  ...overrideChecks,
  store: anObjectWith('a store', 'open', 'commit', 'committed', 'list', 'remove', 'clear', 'blob'),
})

/** @throws SandboxError `INVALID_SCENARIO` */
export function toScenario(contract: Contract, scenario: SandboxOptions['scenario']): Scenario {
  if (typeof scenario === 'object') return checkScenario(contract, scenario)
  const isBundled = contract === bundledContract
  if (scenario === undefined && !isBundled) return {}
  const name = scenario ?? 'default'
  const text = isBundled && Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
  if (text === undefined) {
    throw unknownName('scenario', name, [...(isBundled ? Object.keys(scenarios) : []), 'any JSON file by its path'])
  }
  return parseScenario(contract, text, name)
}
