/** The options of the control API. */
import type { Contract, RequestContract } from '../contract/contract.js'
import type { Engine } from '../sandbox/create-engine.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import type { World } from '../sandbox/facade/world.js'
import type { Faults } from '../state/faults.js'
import type { Exchange, Journal } from '../state/journal.js'
import type { MemoryBudget } from '../state/memory-budget.js'
import type { WorldState } from '../state/snapshots/world-state.js'
import type { Feed } from './feed.js'
import type { GuardOptions } from './guard.js'
import type { Inspected } from './inspected.js'
import type { Kept } from './kept.js'

/** A document to send. */
export interface SentDocument {
  document: unknown
  text: string
}

/** The texts of the page, its script and its style. */
export interface InspectorFiles {
  page: string
  script: string
  style: string
}

/** A world at its end. */
export interface JudgedEnd {
  world: World
  /** Those of the world, oldest first. */
  exchanges: readonly Exchange[]
  /** The state before. @default the scenario */
  since: WorldState | undefined
}

export interface ControlOptions {
  sandbox: Sandbox
  /** The exchanges that are shown. */
  journal: Journal
  engine: Engine
  contract: Contract
  /** The memory for snapshots and made keys. */
  memory: MemoryBudget
  kept: Kept
  faults: Faults
  /** The version of this program. */
  version: string
  /** Restricts who may use the control API. */
  access: GuardOptions
  /** Whether the server is closing, so that no further requests should be sent to it. @default never */
  isClosing?: (() => boolean) | undefined
  /** The hash of the overrides. Undefined without any. */
  overridesHash?: () => string | undefined
  /** Generates the records of a collection in slices. Returns undefined if they exist. */
  prepare?: ((collection: string) => Promise<void> | undefined) | undefined
  /** Returns the served document. Called when the document is requested. */
  document: () => Promise<SentDocument>
  /** Returns the document of the control API. Called on its first use. */
  controlDocument: () => Promise<SentDocument & { contract: RequestContract }>
  /** Returns facts about the document beyond its contract. Called on the first use of the control API. */
  inspect: () => Promise<Inspected>
  /** Returns the files of the inspector. Called when it is opened. */
  inspector: () => Promise<InspectorFiles>
  /** Returns the pages of the documentation by name, such as `tasks/correct.md`. Called when one is read. */
  docs: () => Promise<Readonly<Record<string, string>>>
  /** Writes a command that a user can run first. @param origin origin of the sandbox, without a trailing slash */
  writeCurl: (origin: string) => Promise<string>
  /**
   * Judges the end state of a world: see `expect.schema.json`. @returns findings
   * @throws SandboxError `INVALID_OPTION` for an expectation that does not fit the document
   */
  judge: (expected: unknown, judged: JudgedEnd) => Promise<object[]>
  /** Reports changes to the clients of the stream. */
  feed: Feed
  /** Aborted when another document is served: ends streams and waits. */
  ended: AbortSignal
  /** Called with each unexpected error, for which the request gets 500. */
  onUnexpectedError: (error: unknown) => void
}
