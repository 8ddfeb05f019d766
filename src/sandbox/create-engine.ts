/** Assembles a sandbox from a contract, its data, a clock and a journal. */
import type { RequestContract } from '../contract/contract.js'
import type { Codecs } from '../media/codec.js'
import { type Clock, RunningClock } from '../state/clock.js'
import { createJournal, type JournalOptions, type WritableJournal } from '../state/journal.js'
import type { Scenario } from '../state/scenario.js'
import { createWorldFactory, type WorldFactory } from '../state/stored-world.js'
import { createApply } from './apply.js'
import { createAuthenticate } from './authenticate.js'
import type { CredentialReaders } from './credentials/read-credentials.js'
import type { CreateTokenEndpoint } from './credentials/token-endpoint.js'
import { type CreateKeys, createKeys, type Keys } from './credentials/valid-keys.js'
import { createFinish } from './finish.js'
import { createHandle, type Handle, type Interceptors, type Steps } from './handle.js'
import { applyPreferences, createForceAnswer, type ForceAnswer } from './prefer.js'
import { createBodyReader } from './request/read-body.js'
import { createParameterReader } from './request/read-parameters.js'
import type { ReadStyled } from './request/read-styled.js'
import type { IsolateContent } from './responses/isolate-content.js'
import type { CreateNegotiate } from './responses/negotiate.js'
import { createRenderRefusal } from './responses/render-refusal.js'
import { createRouter } from './route.js'
import { createValidate } from './validate.js'
import { type CreateWorlds, createWorlds, type Worlds } from './worlds.js'
import type { EffectInput, Effects, Relations } from './writes/effect-input.js'
import type { UseExtras } from './writes/extras.js'
import type { Sampler } from './writes/sampler.js'

/** The functions that a contract needs to be served. */
export interface EngineParts {
  effects: Effects
  codecs: Codecs
  credentialReaders: CredentialReaders
  /** Makes what responses require and requests do not give. @default nothing is made */
  sampler?: Sampler
  /** Undoes the changes of a request if its answer cannot be written. Not needed without `sampler`. */
  undoTo?: EffectInput['undoTo']
  /** Knows which records belong to which. */
  relations?: Relations
  /** Decides which keys are valid. @default `sandbox` and `sandbox-<name>` */
  createKeys?: CreateKeys
  /** Issues tokens. @default none are issued */
  createTokenEndpoint?: CreateTokenEndpoint
  /** Reads parameters with an OpenAPI `style`. */
  readStyled?: ReadStyled
  /** Keeps and sends files, and changes many records at once. */
  useExtras?: UseExtras
  /** Chooses among the media types of an answer. */
  createNegotiate?: CreateNegotiate
  /** Replaces steps, for contracts and options that need more than the usual ones. */
  wrapSteps?: (steps: Steps) => Steps
  /** Keeps scripts in answers away from the control API. */
  isolateContent?: IsolateContent
  /** Decides where worlds are kept. @default in memory */
  createWorlds?: CreateWorlds
  /** The journal, if another engine has begun it. @default a new one */
  journal?: WritableJournal | undefined
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
  /** Functions that are added while the engine runs. */
  interceptors: Interceptors
  forceAnswer: ForceAnswer
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
  const factory = createWorldFactory(contract, scenario, clock, parts.relations?.createIdentity)
  const worlds = (parts.createWorlds ?? createWorlds)({ factory, clock, resetClock, maxWorlds })
  const keys = (parts.createKeys ?? createKeys)(apiKeys)
  const readBody = createBodyReader({ ...parts, contract, maxBytes: maxBodyBytes })
  const readParameters = createParameterReader(contract, parts.readStyled)
  const render = createRenderRefusal(contract, parts.sampler)
  const forceAnswer = createForceAnswer(contract, parts.sampler)
  const interceptors: Interceptors = {
    intercept: (request, operation, _, progress) => applyPreferences(request, operation, progress, forceAnswer),
  }
  const authenticate = createAuthenticate({ ...parts, contract, keys, worlds, render })
  const steps: Steps = {
    route: createRouter(contract, cors, readParameters).route,
    // Another program may have revoked a key.
    authenticate: worlds.refreshBefore?.(authenticate) ?? authenticate,
    interceptors,
    validate: createValidate(contract, readParameters, readBody),
    apply: createApply({ ...parts, contract, worlds }),
    negotiate: parts.createNegotiate?.({ ...parts, contract }),
    finish: createFinish({ ...parts, contract, clock, journal, cors, render }),
    refuseFailure: worlds.refuseFailure,
  }
  const serve = createHandle(parts.wrapSteps?.(steps) ?? steps, onUnexpectedError)
  const tokens = parts.createTokenEndpoint?.({ contract, keys, worlds, cors, handle: serve })
  return {
    contract,
    handle: tokens?.handle ?? serve,
    tokenPath: tokens?.path,
    keys,
    apiKeys,
    worlds,
    factory,
    clock,
    journal,
    interceptors,
    forceAnswer,
    async reset() {
      journal.clear()
      await Promise.all([worlds.clear(), worlds.useClock(resetClock)])
    },
  }
}
