/** A served document: its sandbox, its control API, and the places of its parts. */

import type { Contract } from '../contract/contract.js'
import { createHideCredentials, type HideCredentials } from '../contract/hiding/hide-credentials.js'
import type { OpenFact } from '../contract/open-fact.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { quote } from '../contract/violations.js'
import { type Control, createControl } from '../control/create-control.js'
import { createFeed } from '../control/feed.js'
import type { GuardOptions } from '../control/guard.js'
import { connectKept, createKept, type Kept, withRevocation } from '../control/kept.js'
import type { OpenApiDocument } from '../document/document.js'
import type { ReadText } from '../document/load-sources.js'
import type { LazyScenario } from '../generate/generate-collections.js'
import { contract as bundledContract } from '../generated/contract.js'
import { version } from '../generated/package.js'
import { parts as bundledParts } from '../generated/parts.js'
import type { Engine, EngineParts } from '../sandbox/create-engine.js'
import { createKeys } from '../sandbox/credentials/valid-keys.js'
import { type Sandbox, toSandbox } from '../sandbox/facade/sandbox.js'
import type { Prepare } from '../sandbox/handle.js'
import type { Overrides } from '../sandbox/overrides/override-types.js'
import { keepOverrides, keepStart, type OpenedShared, openSharedTable } from '../state/commits/shared-table.js'
import type { OnAside } from '../state/commits/world-table.js'
import { createFaults, type Faults } from '../state/faults.js'
import type { WritableJournal } from '../state/journal.js'
import type { MemoryBudget } from '../state/memory-budget.js'
import { keepChanges } from '../state/record-changes.js'
import type { Scenario } from '../state/scenario.js'
import type { SetAside } from '../state/snapshots/carry-world.js'
import {
  assembleEngine,
  type CheckedOptions,
  type SandboxOptions,
  type Sending,
  toScenario,
} from './assemble-sandbox.js'
import { chooseScenario } from './choose-scenario.js'
import { type CompiledDocument, toCompiledDocument } from './compile-document.js'
import { compileSpec, isBundled, type SpecOptions } from './compile-spec.js'
import type { CompiledText, FilePosition } from './compile-text.js'
import type { Corrections } from './corrections.js'
import { writeExampleCurl } from './examples/example-request.js'
import type { ServedOverrides } from './served-overrides.js'

/** Options of `startServer` about the document and the data. */
export interface ServedOptions extends Omit<SandboxOptions, 'contract' | 'fetch' | 'overrides'>, SpecOptions {
  /** Refuses a document with any mistake, instead of leaving the part out. @default false */
  strict?: boolean
  /**
   * The data that every world starts with: the name of a bundled scenario, the path of a JSON file, or records by
   * collection. Not together with `records`.
   * @default 'default' for the bundled document, 20 generated records in each collection for another one
   */
  scenario?: string | Scenario
  /** The number of generated records in each collection, 0 to 10000000. @default 20, if records are generated */
  records?: number
  /** An integer up to ±(2^53−1). The same seed gives the same records, byte for byte. @default 1 */
  seed?: number
  /** Called during the generation of records, with the number of finished records of all collections. */
  onProgress?: (done: number, total: number) => void
  /** Called for each collection that stays empty because no valid record was found. */
  onSkip?: (collection: string, why: string) => void
  /**
   * Hosts that callbacks and webhooks may be sent to, in addition to loopback addresses: names or addresses,
   * each with an optional port, or `'*'` for every host. @default none
   */
  callbackHosts?: readonly string[]
  /**
   * Whether `sandbox.exchanges` and the control API have the exchanges of all programs that use the store, which must be in
   * Redis. They are stored without credentials. @default false: only those of this program
   */
  sharedJournal?: boolean
  /** Called with what a store has to say, such as a damaged world that it set aside. */
  onMessage?: (message: string) => void
}

export interface ServedDocument {
  contract: Contract
  engine: Engine
  sandbox: Sandbox
  control: Control
  /** Generates the records of a collection in slices. Absent if all exist. */
  prepare: LazyScenario['prepare'] | undefined
  /** Hides credentials in the request log. */
  hideCredentials: HideCredentials
  /** The number of parts of the document that are left out or approximated, as far as known. */
  readonly noteCount: number
  /** Resolves to the document as OpenAPI 3.1. */
  document(): Promise<OpenApiDocument>
  /** Resolves to the file and line of each operation of the document, by id. */
  openFacts(): Promise<readonly OpenFact[]>
  places(): Promise<ReadonlyMap<string, FilePosition>>
  /** Uses other overrides. @throws SandboxError for an unknown operation */
  useOverrides(all: readonly Overrides[]): void
  /** Reports to the inspector why the latest version of the document is not served. */
  reportProblem(problem: string): void
  /** Ends the streams of its control API, and appends its last exchanges to those of all programs. */
  end(): Promise<void>
}

export interface ServeListeners {
  /** Restricts who may use the control API. */
  access: GuardOptions
  /** Whether the server is closing, so that no further requests should be sent to it. @default never */
  isClosing?: () => boolean
  /** The memory for pending data in the server. */
  memory: MemoryBudget
  /** The state of the control API of the previous document. */
  kept?: Kept
  /** The faults of the previous document, with their counters. @default none */
  faults?: Faults
  /** Called before each file or URL of the document is read. */
  onRead?: (location: string) => void
  /** Texts of the document that are not read again. Gets those that are read. @default none */
  texts?: Map<string, ReadText>
  /** The time of generated records in milliseconds since 1970, which another document keeps. @default now */
  startedAt?: number
  /** Corrections in force while the program runs. Absent if it cannot have any. */
  corrections?: Corrections | undefined
  /** The journal of the previous document. @default a new one */
  journal?: WritableJournal | undefined
  /** Replaces parts of the engine. */
  withParts?: (parts: EngineParts) => EngineParts
  /** Called once for each world of a store that is carried over to this document with records that do not fit. */
  onSetAside?: ((setAside: SetAsideRecord[]) => void) | undefined
  /** Called after each attempt to send a callback or webhook. */
  onSent?: Sending['onSent']
  /** The team's own code. @default none */
  overrides?: ServedOverrides | undefined
}

/** A record that a caller added or changed and that does not fit the document. */
export interface SetAsideRecord {
  /** The key that opens its world. With a store, the public id instead of a secret key. */
  world: string
  collection: string
  values: Readonly<Record<string, unknown>>
  /** A sentence without a full stop. */
  why: string
}

/** The records of a world that are set aside. Removals need no message. */
export function toRecords(world: string, aside: readonly SetAside[]): SetAsideRecord[] {
  return aside.flatMap(({ collection, values, isRemoved, why }) =>
    isRemoved ? [] : { world, collection, values, why },
  )
}

/** @throws SandboxError if the document or the scenario can't be read or served */
export async function serveDocument(options: ServedOptions, listeners: ServeListeners): Promise<ServedDocument> {
  const { memory, corrections, access, isClosing, journal: begun, overrides } = listeners
  const { kept = createKept(memory), faults = createFaults(memory) } = listeners
  const read = await readServed(options, listeners)
  const { whole, compiled, contract, prepare } = read
  const engine = await openEngine(options, { ...listeners, kept, faults }, read)
  const replaceOverrides = await addOverrides(engine, options, overrides)
  if (overrides && read.shared && !(await keepOverrides(read.shared, overrides.hash)))
    options.onMessage?.(
      'Another program that uses this store has other overrides, so the same request may get different answers',
    )
  connectKept(kept, engine, contract)
  if (!begun) keepChanges(engine.journal)
  await engine.worlds.refresh?.()
  const { defaultKey } = engine.keys
  if (!engine.keys.idOf(defaultKey))
    throw new SandboxError('INVALID_OPTION', `The key ${quote(defaultKey)} was revoked in this store; list another`)
  const hideCredentials = createHideCredentials(contract, [defaultKey], '[hidden]')
  const own = toSandbox(engine)
  const journal = options.sharedJournal ? await shareJournal(own, engine, options, hideCredentials) : undefined
  const sandbox = journal?.sandbox ?? own
  const document = compiled ? async () => compiled : () => import('../generated/document.js')
  const served = async () => (await document()).document
  const inspected = prepare ? withPrepared(sandbox, prepare) : sandbox
  const ownDocuments = () => import('./own-documents.js')
  const spec = async () => whole ?? (await ownDocuments()).bundledSpec()
  const ending = new AbortController()
  const feed = createFeed()
  return {
    contract,
    engine,
    sandbox,
    control: createControl({
      ...{ sandbox: inspected, journal: journal?.journal ?? own.journal, prepare },
      ...{ engine, contract, version, access, isClosing, memory, kept, faults, document, feed },
      overridesHash: () => overrides?.hash,
      controlDocument: async () => (await ownDocuments()).controlDocument(),
      judge: async (expected, judged) =>
        (await import('./judge-end-state.js')).judgeEndState(expected, contract, judged),
      writeCurl: (origin) => writeExampleCurl(inspected, served, origin),
      inspect: async () => {
        const { inspectDocument } = await import('./inspect-document.js')
        return inspectDocument(await spec(), inspected, corrections)
      },
      ended: ending.signal,
      inspector: () => import('../generated/inspector.js'),
      docs: async () => (await import('../generated/docs.js')).docs,
      onUnexpectedError: (error) => options.onUnexpectedError?.(error),
    }),
    prepare,
    hideCredentials,
    get noteCount() {
      return compiled?.noteCount ?? 0
    },
    document: served,
    // The bundled document is described by the service itself.
    openFacts: async () => whole?.openFacts() ?? [],
    places: async () => (await spec()).places(),
    useOverrides: replaceOverrides,
    reportProblem: feed.reportProblem,
    async end() {
      ending.abort()
      await journal?.end()
    },
  }
}

/** @returns a function that uses others in their place */
async function addOverrides(
  engine: Engine,
  { overrideTimeoutMs }: ServedOptions,
  overrides: ServedOverrides | undefined,
): Promise<ServedDocument['useOverrides']> {
  if (!overrides) return () => {}
  const { useOverrides } = await import('./use-overrides.js')
  const table = useOverrides(engine, overrides.all, overrideTimeoutMs)
  return table.replace
}

interface ReadDocument {
  /** Undefined for the bundled document without corrections. */
  whole: CompiledText | undefined
  compiled: CompiledDocument | undefined
  contract: Contract
  checked: CheckedOptions
  prepare: LazyScenario['prepare'] | undefined
  shared: OpenedShared | undefined
}

/** Reads the document and its data. */
async function readServed(
  options: ServedOptions,
  { onRead, texts, startedAt, corrections }: ServeListeners,
): Promise<ReadDocument> {
  const { spec, overlays, allowRemoteRefs, allowOutsideRefs, unknownKeys, strict, ...others } = options
  const {
    scenario,
    records,
    seed,
    onProgress,
    onSkip,
    callbackHosts: _,
    sharedJournal: __,
    onMessage: ___,
    ...rest
  } = others
  const source = { spec, overlays, allowRemoteRefs, allowOutsideRefs, unknownKeys }
  const further = [...(corrections?.actions.values() ?? [])]
  const isUnchanged = isBundled(source) && further.length === 0
  const whole = isUnchanged ? undefined : await compileSpec(source, { strict }, { onRead, texts, further })
  const compiled = whole && toCompiledDocument(whole)
  const now = startedAt ?? rest.now?.() ?? Date.now()
  const shared = rest.store && openSharedTable(rest.store)
  const at = rest.at ?? (shared ? await keepStart(shared, now) : now)
  const data = { scenario, records, seed, at, onProgress, onSkip }
  const chosen = await chooseScenario(compiled, data, spec === undefined, texts)
  // A store keeps all of it.
  if (rest.store) for (const { name } of compiled?.contract.collections ?? []) await chosen.prepare?.(name)
  const contract = compiled?.contract ?? bundledContract
  const isGenerated = scenario === undefined && typeof chosen.scenario === 'object'
  const fitting = isGenerated ? (chosen.scenario as Scenario) : toScenario(contract, chosen.scenario)
  const checked = { ...rest, contract, scenario: fitting }
  return { whole, compiled, contract, checked, prepare: chosen.prepare, shared }
}

/** Opens the engine with the parts that the document and the store need. */
async function openEngine(
  { spec, httpCare, prismQuery, store, callbackHosts = [] }: ServedOptions,
  { kept, faults, journal, withParts = (parts) => parts, onSent, onSetAside, memory }: ServeListeners & { kept: Kept },
  { compiled, checked, prepare, shared }: ReadDocument,
): Promise<Engine> {
  const { contract } = checked
  const needsOthers = compiled !== undefined || httpCare === true || prismQuery === true
  const onAside: OnAside = (world, aside) => onSetAside?.(toRecords(world, aside))
  const parts = {
    ...(needsOthers
      ? (await import('./all-parts.js')).allParts(spec === undefined ? { ...checked, exact: true } : checked)
      : bundledParts),
    ...(store && (await import('./store-parts.js')).storeParts(checked, { shared, onAside })),
  }
  const createOwnKeys = withRevocation(parts.createKeys ?? createKeys, kept.revoked)
  // TLS takes a tenth of the time of a start.
  const transmit = contract.webhooks && (await import('../node/transmit-webhooks.js')).createTransmit(callbackHosts)
  const prepareOf: Prepare | undefined =
    prepare && (({ effect }) => ('collection' in effect ? prepare(effect.collection ?? '') : undefined))
  const ofServer = { createKeys: createOwnKeys, journal, faults, prepare: prepareOf }
  return assembleEngine(checked, withParts({ ...parts, ...ofServer }), { transmit, onSent, memory })
}

/** A sandbox whose collections are generated in slices before they are listed. */
function withPrepared(sandbox: Sandbox, prepare: LazyScenario['prepare']): Sandbox {
  return {
    ...sandbox,
    world(...names) {
      const world = sandbox.world(...names)
      return {
        ...world,
        collection(name, environment) {
          const collection = world.collection(name, environment)
          const list: typeof collection.list = async (options) => {
            await prepare(name)
            return collection.list(options)
          }
          return { ...collection, list }
        },
      }
    },
  }
}

/** Shares the exchanges of a sandbox with all programs that use its store. */
async function shareJournal(
  own: Sandbox,
  { keys: { idOf } }: Engine,
  { store, journal: limits, onMessage }: Pick<ServedOptions, 'store' | 'journal' | 'onMessage'>,
  hideCredentials: HideCredentials,
) {
  const log = store?.openLog?.(limits?.maxExchanges ?? 1000)
  if (!log)
    throw new SandboxError('INVALID_OPTION', 'Only a store in Redis has a shared journal: use the store redis://<host>')
  const { shareExchanges } = await import('../control/shared-exchanges.js')
  const onFailure = (error: unknown) => onMessage?.(`Exchanges are not shared: ${(error as Error).message}`)
  const { journal, exchanges, clear, end } = await shareExchanges(own.journal, log, {
    ...{ hideCredentials, idOf, limits, onFailure },
  })
  const reset = async () => {
    await own.reset()
    await clear()
  }
  return { journal, sandbox: { ...own, exchanges, reset }, end }
}
