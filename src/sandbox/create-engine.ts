/** Assembles a sandbox from a contract, its data, a clock and a journal. */
import type { RequestContract } from '../contract/contract.js'
import type { Codecs } from '../media/codec.js'
import { type Clock, RunningClock } from '../state/clock.js'
import { createFaults, type Faults } from '../state/faults.js'
import { createJournal, type JournalOptions, type WritableJournal } from '../state/journal.js'
import type { Scenario } from '../state/scenario.js'
import { createWorldFactory, type WorldFactory } from '../state/stored-world.js'
import { createApply } from './apply.js'
import { createAuthenticate } from './authenticate.js'
import type { CredentialReaders } from './credentials/read-credentials.js'
import type { CreateTokenEndpoint } from './credentials/token-endpoint.js'
import { type CreateKeys, createKeys, type Keys } from './credentials/valid-keys.js'
import { createFinish } from './finish.js'
import { createHandle, type Handle, type Prepare, type Steps } from './handle.js'
import type { ApplyOperation } from './http/apply-http.js'
import { createInjectFaults } from './inject-faults.js'
import { createForceAnswer, createPrefer, type ReadPrismQuery } from './prefer.js'
import type { CreateLeniency } from './request/leniency.js'
import type { CreatePreferredExamples } from './request/preferred-examples.js'
import { createBodyReader } from './request/read-body.js'
import { createParameterReader, type ReadStyled } from './request/read-parameters.js'
import type { CreateCorrections } from './responses/corrections.js'
import type { CreateNegotiation } from './responses/negotiate.js'
import { createRenderRefusal } from './responses/render-refusal.js'
import { createRouter } from './route.js'
import { createValidate } from './validate.js'
import type { Deliveries } from './webhooks/schedule.js'
import type { CreateWebhooks } from './webhooks/webhooks.js'
import { type CreateWorlds, createWorlds, type Worlds } from './worlds.js'
import type { EffectInput, Effects } from './writes/effect-input.js'
import type { WriteError } from './writes/sampler.js'

/** What a contract needs to be served. Steps that it does not need are left out, so that bundles can drop them. */
export interface EngineParts {
  effects: Effects
  codecs: Codecs
  credentialReaders: CredentialReaders
  /** Decides which keys are valid. @default `sandbox` and `sandbox-<name>` */
  createKeys?: CreateKeys
  /** Issues tokens. @default none are issued */
  createTokenEndpoint?: CreateTokenEndpoint
  /** Reads parameters with an OpenAPI `style`. */
  readStyled?: ReadStyled
  /** Accepts what means the same as what is documented. @default only what is documented is accepted */
  createLeniency?: CreateLeniency | undefined
  /** Applies the preferences `example` and `dynamic`. @default they are unknown */
  createPreferredExamples?: CreatePreferredExamples
  /** Changes answers as corrections say. */
  createCorrections?: CreateCorrections
  /** Chooses among the media types of an answer. */
  createNegotiation?: CreateNegotiation
  /** Applies operations with HTTP semantics, files, links, or many records. */
  applyOperation?: ApplyOperation
  /** Writes error bodies as the document describes them. @default only those with usual properties */
  writeError?: WriteError
  /** Reads records whose state follows the clock. */
  openProgress?: EffectInput['openProgress']
  /** Shows only the properties that a request chooses. */
  showChosen?: EffectInput['showChosen']
  /** Sends callbacks and webhooks. @default none are sent */
  createWebhooks?: CreateWebhooks | undefined
  /** Applies effects, for tools that observe them. @default `createApply` */
  createApply?: typeof createApply
  /** Decides where worlds are kept. @default in memory */
  createWorlds?: CreateWorlds
  /** The journal, if another engine has begun it. @default a new one */
  journal?: WritableJournal | undefined
  /** The faults, if another engine has begun them. @default none */
  faults?: Faults | undefined
  /** Reads the query parameters of Prism. @default they are unknown parameters */
  readPrismQuery?: ReadPrismQuery | undefined
  /** Generates the data of an operation if it is missing. @default all data exists */
  prepare?: Prepare | undefined
}

/** The options of a sandbox that are the same for every entry of the package. */
export interface CommonOptions {
  /**
   * The only valid keys: one or more, of visible ASCII without spaces.
   * @default for the bundled document `sandbox`, and `sandbox-<name>` for any name of 1 to 64 of `A-Z a-z 0-9 . _ -`; for
   * another one any credentials that are not empty
   */
  apiKeys?: readonly string[]
  /** Whether to answer preflights and send CORS headers to any origin. @default true */
  cors?: boolean
  /** The maximum size of a request body in bytes, 0 to 67108864 (64 MiB). A larger body gets 413. @default 1048576 (1 MiB) */
  maxBodyBytes?: number
  /** Start time of the clock: a `Date`, RFC 3339 text or milliseconds since 1970. @default the current time */
  at?: Date | string | number
  /** Returns the real time in milliseconds since 1970. @default Date.now */
  now?: () => number
  /** The maximum number of worlds. A request with a further key gets 503. @default 100000 */
  maxWorlds?: number
  /** Limits of the journal. @default 1000 exchanges and 32 MiB */
  journal?: JournalOptions
  /** Called with each unexpected error, for which the request gets 500. @default ignores errors */
  onUnexpectedError?: (error: unknown) => void
}

export interface EngineOptions extends Omit<CommonOptions, 'at'> {
  /** The compiled document. */
  contract: RequestContract
  /** The effects, codecs and credential readers of the contract, and where worlds are kept. */
  parts: EngineParts
  /** The data that every world starts with. @default no records */
  scenario?: Scenario
  /** Start time of the clock in milliseconds since 1970. @default the current time */
  at?: number | undefined
}

/** A sandbox without its facade. Adapters use it, and the facade is built on it. */
export interface Engine {
  contract: RequestContract
  /** Answers a request of an adapter. Never rejects. */
  handle: Handle
  /** Path of the token endpoint of OAuth 2.0, if there is one. */
  tokenPath: string | undefined
  keys: Keys
  /** The option `apiKeys`. */
  apiKeys: readonly string[] | undefined
  worlds: Worlds
  /** Creates worlds that are not among `worlds`. */
  factory: WorldFactory
  /** The clock that the clocks of all worlds follow. Moved by `worlds.useClock`. */
  clock: Clock
  journal: WritableJournal
  faults: Faults
  openProgress: EffectInput['openProgress']
  /** The callbacks and webhooks that are still to be sent. Undefined if the contract has none. */
  deliveries: Deliveries | undefined
  parts: EngineParts
  /** Steps that may change while it runs. */
  steps: Pick<Steps, 'overrides'>
  /** Removes all worlds, clears the journal, and resets the clock to its start. */
  reset(): Promise<void>
}

/** Does not validate its options: see `checkOptions`. */
export function createEngine({
  contract,
  parts,
  scenario = {},
  apiKeys,
  cors = true,
  maxBodyBytes = 1024 * 1024,
  at,
  now = Date.now,
  maxWorlds = 100_000,
  journal: journalOptions = {},
  onUnexpectedError = () => {},
}: EngineOptions): Engine {
  const clock = new RunningClock(now)
  const resetClock = () => clock.setOffset(at === undefined ? 0 : at - now())
  resetClock()
  const journal = parts.journal ?? createJournal(journalOptions, onUnexpectedError)
  const faults = parts.faults ?? createFaults()
  const factory = createWorldFactory(contract, scenario, clock)
  const worlds = (parts.createWorlds ?? createWorlds)({ factory, clock, resetClock, maxWorlds })
  const keys = (parts.createKeys ?? createKeys)(apiKeys)
  const tokens = parts.createTokenEndpoint?.({ contract, keys, worlds, cors })
  const readParameters = createParameterReader(contract, parts.readStyled)
  const readBody = createBodyReader({ ...parts, contract, maxBytes: maxBodyBytes })
  const render = createRenderRefusal(contract, parts.writeError)
  const forceAnswer = createForceAnswer(contract)
  const { route } = createRouter(contract, cors, readParameters)
  const validate = createValidate(contract, readParameters, readBody)
  const leniency = parts.createLeniency?.({ contract, route, validate })
  const examples = parts.createPreferredExamples?.(contract, render)
  const webhooks = parts.createWebhooks?.({ contract, journal, worlds, clock, onUnexpectedError })
  const steps: Steps = {
    answerTokens: tokens?.answer,
    readPrismQuery: parts.readPrismQuery,
    route,
    leniency,
    refresh: worlds.refresh,
    authenticate: createAuthenticate({ ...parts, contract, keys, worlds, render }),
    faults,
    injectFaults: createInjectFaults({ contract, faults, forceAnswer, worlds }),
    prefer: createPrefer({ contract, forceAnswer, examples }),
    corrections: parts.createCorrections?.(contract),
    validate,
    negotiation: parts.createNegotiation?.({ contract, readAccept: leniency?.readAccept }),
    prepare: parts.prepare,
    apply: (parts.createApply ?? createApply)({ ...parts, contract, worlds }),
    webhooks,
    finish: createFinish({ contract, clock, journal, cors, render, webhooks }),
    refuseFailure: worlds.refuseFailure,
  }
  return {
    contract,
    handle: createHandle(steps, onUnexpectedError),
    tokenPath: tokens?.path,
    keys,
    apiKeys,
    worlds,
    factory,
    clock,
    journal,
    faults,
    openProgress: parts.openProgress,
    parts,
    steps,
    deliveries: webhooks?.deliveries,
    async reset() {
      journal.clear()
      await Promise.all([worlds.clear(), worlds.useClock(resetClock)])
    },
  }
}
