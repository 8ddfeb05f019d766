/** Puts a sandbox together: a contract, its data, its clock, its journal, and the one way to them. */
import type { RequestContract } from '../contract/contract.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { Codecs } from '../media/codec.js'
import { RunningClock, toTime } from '../state/clock.js'
import { createJournal, type Journal, type JournalOptions } from '../state/journal.js'
import type { Scenario } from '../state/scenario.js'
import { createWorldFactory } from '../state/stored-world.js'
import { createApply } from './apply.js'
import { createAuthenticate } from './authenticate.js'
import type { Effects } from './effects/effect.js'
import { createFetch, type Fetch } from './fetch.js'
import { createFinish } from './finish.js'
import { createHandle, type Handle } from './handle.js'
import { createKeys } from './keys.js'
import { createLocator, type Locator } from './locator.js'
import { createBodyReader } from './read-body.js'
import { createRenderRefusal } from './render-refusal.js'
import { createRouter } from './route.js'
import { createValidate } from './validate.js'
import { createWorld, createWorldClock, type World, type WorldClock } from './world.js'
import { type CreateWorlds, createWorlds } from './worlds.js'

/** What a contract needs to be served: those functions that its operations name. */
export interface EngineParts {
  effects: Effects
  codecs: Codecs
  /** Where worlds are kept. @default in memory */
  createWorlds?: CreateWorlds
}

export interface EngineOptions {
  /** What the service promises. */
  contract: RequestContract
  /** The effects and codecs of the contract, and where worlds are kept. */
  parts: EngineParts
  /** What every world begins with. @default nothing */
  scenario?: Scenario
  /** The only keys that are valid. @default `sandbox`, and `sandbox-<name>` for any name of 1 to 64 of `A-Z a-z 0-9 . _ -` */
  apiKeys?: readonly string[]
  /** Answer cross-origin requests of any origin. @default true */
  cors?: boolean
  /** Bytes that a request body may have. @default 1048576 (1 MiB) */
  maxBodyBytes?: number
  /** Where the clock starts: a date, ISO 8601 text or milliseconds since 1970. @default the present */
  at?: Date | string | number
  /** Where the time comes from, in milliseconds since 1970. @default Date.now */
  now?: () => number
  /** Worlds that may be opened; a further key is answered 503. @default 100000 */
  maxWorlds?: number
  /** How much of what happened is kept. */
  journal?: JournalOptions
  /** Called with what should not happen; the request is answered 500. @default nothing */
  onUnexpectedError?: (error: unknown) => void
}

export interface Sandbox {
  readonly contract: RequestContract
  /** Answers a request; every adapter uses it. Never rejects. */
  readonly handle: Handle
  /**
   * `handle` for `Request` and `Response`. Addresses are documented ones, or begin as the HTTP server mounts them.
   * @example
   * const response = await sandbox.fetch('https://api.example.com/v1/books', {
   *   headers: { Authorization: 'Bearer sandbox' },
   * })
   */
  readonly fetch: Fetch
  /** Finds the server that an address belongs to; for adapters. */
  readonly locator: Locator
  /** A key that is valid. */
  readonly defaultKey: string
  /** The only keys that are valid; undefined if every `sandbox-<name>` is. */
  readonly apiKeys: readonly string[] | undefined
  /** What a key sees. @throws SandboxError `INVALID_OPTION` for a key that is not valid */
  world(key?: string): World
  /** The clock that the worlds follow. */
  readonly clock: WorldClock
  readonly journal: Journal
  /** Forgets every world, empties the journal, and puts the clock back to its start. */
  reset(): Promise<void>
}

/** Trusts its options; `checkOptions` judges those of users. */
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
}: EngineOptions): Sandbox {
  const clock = new RunningClock(now)
  const start = at === undefined ? undefined : toTime(at)
  const setClock = () => (start === undefined ? clock.reset() : clock.travelTo(start))
  setClock()
  const journal = createJournal(journalOptions, onUnexpectedError)
  const factory = createWorldFactory(contract, scenario, clock)
  const worlds = (parts.createWorlds ?? createWorlds)({ factory, maxWorlds })
  const keys = createKeys(apiKeys)
  const locator = createLocator(contract)
  const readBody = createBodyReader({ contract, codecs: parts.codecs, maxBytes: maxBodyBytes })
  const render = createRenderRefusal(contract)
  const steps = {
    route: createRouter(contract, cors).route,
    authenticate: createAuthenticate({ contract, keys, worlds, render }),
    validate: createValidate(contract, readBody),
    apply: createApply({ contract, effects: parts.effects, worlds }),
    finish: createFinish({ contract, clock, journal, cors, render }),
  }
  const handle = createHandle(steps, onUnexpectedError)
  return {
    contract,
    handle,
    fetch: createFetch(handle, locator),
    locator,
    defaultKey: keys.defaultKey,
    apiKeys,
    world(key = keys.defaultKey) {
      if (keys.isValid(key)) return createWorld(contract, worlds, key)
      throw new SandboxError('INVALID_OPTION', `The key "${key}" is not valid here; "${keys.defaultKey}" is`)
    },
    clock: createWorldClock(async (work) => work(clock)),
    journal,
    async reset() {
      const cleared = worlds.clear()
      setClock()
      journal.clear()
      await cleared
    },
  }
}
