/** Puts a sandbox together: a contract, its data, its clock, its journal, and the one door to them. */
import type { RequestContract } from '../contract/contract.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { type Clock, RunningClock, toTime } from '../state/clock.js'
import { createJournal, type Journal, type JournalOptions } from '../state/journal.js'
import type { Scenario } from '../state/scenario.js'
import { createWorldFactory, type World } from '../state/world.js'
import { createAuthenticate } from './authenticate.js'
import { createFetch, type Fetch } from './fetch.js'
import { createFinish } from './finish.js'
import { createHandle, type Handle } from './handle.js'
import { createLocator, type Locator } from './locate.js'
import { isRefusal } from './refusal.js'
import { createRouter } from './route.js'
import { createWorlds } from './worlds.js'

export interface EngineOptions {
  /** What the service promises. */
  contract: RequestContract
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
  /** The one door: every adapter comes through it. Never rejects. */
  readonly handle: Handle
  /** `handle` for whoever speaks `Request` and `Response`. Addresses are documented ones, or begin as the HTTP server mounts them. */
  readonly fetch: Fetch
  /** Finds the server that an address belongs to; for adapters. */
  readonly locator: Locator
  /** A key that is valid. */
  readonly defaultKey: string
  /** The only keys that are valid; none where everybody's own is. */
  readonly apiKeys: readonly string[] | undefined
  /** What a key sees. @throws SandboxError `INVALID_OPTION` for a key that is not valid */
  world(key?: string): World
  /** The clock that the worlds follow. */
  readonly clock: Clock
  readonly journal: Journal
  /** Puts every world, the clock and the journal back to the beginning. */
  reset(): void
}

/** Trusts its options; `checkOptions` judges those of users. */
export function createEngine({
  contract,
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
  const worlds = createWorlds({ factory: createWorldFactory(contract, scenario, clock), apiKeys, maxWorlds })
  const locator = createLocator(contract)
  const handle = createHandle({
    contract,
    router: createRouter(contract),
    authenticate: createAuthenticate(contract, worlds),
    finish: createFinish({ contract, clock, journal, cors }),
    cors,
    maxBodyBytes,
    onUnexpectedError,
  })
  return {
    contract,
    handle,
    fetch: createFetch(handle, locator),
    locator,
    defaultKey: worlds.defaultKey,
    apiKeys,
    world(key = worlds.defaultKey) {
      if (!worlds.isValid(key))
        throw new SandboxError('INVALID_OPTION', `The key "${key}" is not valid here; "${worlds.defaultKey}" is`)
      const world = worlds.open(key)
      if (isRefusal(world)) throw new SandboxError('INVALID_OPTION', world.message)
      return world
    },
    clock,
    journal,
    reset() {
      worlds.resetAll()
      setClock()
      journal.clear()
    },
  }
}
