/** Creates a sandbox for the bundled document or another one. */
import type { Contract } from '../contract/contract.js'
import { unknownName } from '../contract/sandbox-error.js'
import { contract as bundledContract } from '../generated/contract.js'
import { scenarios } from '../generated/scenarios.js'
import { allCodecs } from '../media/all-codecs.js'
import { allCredentialReaders } from '../sandbox/all-credential-readers.js'
import { anObjectWith, aScenario, checkOptions, commonChecks, type OptionChecks } from '../sandbox/check-options.js'
import { type CommonOptions, createEngine, type EngineParts } from '../sandbox/create-engine.js'
import { allEffects } from '../sandbox/effects/all-effects.js'
import { filler } from '../sandbox/fill.js'
import { createNegotiate } from '../sandbox/negotiate.js'
import { openCredentials } from '../sandbox/open-credentials.js'
import { readStyled } from '../sandbox/read-styled.js'
import { type Sandbox, toSandbox } from '../sandbox/sandbox.js'
import { useFiles } from '../sandbox/use-files.js'
import type { WorldsOptions } from '../sandbox/worlds.js'
import { createWorldsInStore } from '../sandbox/worlds-in-store.js'
import { toTime } from '../state/clock.js'
import { checkScenario, parseScenario, type Scenario } from '../state/scenario.js'
import type { Store } from '../state/store.js'

/** Options of `createSandbox`. */
export interface SandboxOptions extends CommonOptions {
  /** The store that keeps the worlds. @default in memory */
  store?: Store
  /** The compiled document to serve, from `compileDocument`. @default the bundled document */
  contract?: Contract
  /**
   * The data that every world starts with: the name of a bundled scenario, or records by collection.
   * @default 'default' for the bundled document, no records for another one
   */
  scenario?: string | Scenario
}

/**
 * Creates a sandbox: the service in this process, without a port.
 * @throws SandboxError `INVALID_OPTION` for a wrong option, `INVALID_SCENARIO` for records that violate the document
 *
 * @example
 * const sandbox = createSandbox({ scenario: 'empty' })
 * const response = await sandbox.fetch('https://api.example.com/v1/books', {
 *   headers: { Authorization: 'Bearer sandbox' },
 * })
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  checkOptions(options, sandboxChecks())
  const { contract = bundledContract, scenario, ...others } = options
  return assembleSandbox({ ...others, contract, scenario: toScenario(contract, scenario) })
}

/** Options of `createSandbox` that were checked. */
export interface CheckedOptions extends SandboxOptions {
  contract: Contract
  scenario: Scenario
}

/** The same for options that were checked, with a scenario whose records satisfy the document. */
export function assembleSandbox({ contract, scenario, store, at, ...common }: CheckedOptions): Sandbox {
  const credentials = contract === bundledContract ? undefined : openCredentials
  const parts = {
    ...allParts,
    ...credentials,
    ...(store && { createWorlds: (all: WorldsOptions) => createWorldsInStore(all, store) }),
  }
  const start = at === undefined ? undefined : toTime(at)
  return toSandbox(createEngine({ contract, parts, scenario, at: start, ...common }))
}

/** A function, so that bundles can drop it. */
export const sandboxChecks = (): OptionChecks<SandboxOptions> => ({
  ...commonChecks,
  scenario: aScenario,
  contract: (value) =>
    typeof value === 'object' && value !== null && 'recordValidators' in value
      ? undefined
      : 'the contract that compileDocument() resolves to',
  store: anObjectWith('a store', 'open', 'commit', 'isCommitted', 'clear'),
})

/** Every effect and codec, because the contract may be compiled at run time. */
const allParts: EngineParts = {
  effects: allEffects,
  codecs: allCodecs,
  credentialReaders: allCredentialReaders,
  filler,
  readStyled,
  useFiles,
  createNegotiate,
}

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
