/** A sandbox of the bundled document, or of another one. */
import type { Contract } from '../contract/contract.js'
import { unknownName } from '../contract/sandbox-error.js'
import { contract as bundledContract, requestContract } from '../generated/contract.js'
import { defaultScenario, scenarios } from '../generated/scenarios.js'
import { parseExactJson } from '../json/exact-json.js'
import { checkOptions } from '../sandbox/check-options.js'
import { createEngine, type EngineOptions, type Sandbox } from '../sandbox/create-engine.js'
import { checkScenario, parseScenario, type Scenario } from '../state/scenario.js'

export interface SandboxOptions extends Omit<EngineOptions, 'contract' | 'scenario'> {
  /** What the service promises; see `compileDocument`. @default the bundled document's */
  contract?: Contract
  /**
   * What every world begins with: the name of a bundled scenario, or records by collection.
   * @default 'default' for the bundled document, nothing for another one
   */
  scenario?: string | Scenario
}

/** @throws SandboxError `INVALID_OPTION` or `INVALID_SCENARIO` */
export function createSandbox({ contract = bundledContract, scenario, ...options }: SandboxOptions = {}): Sandbox {
  checkOptions(options)
  return createEngine({ contract, scenario: toScenario(contract, scenario), ...options })
}

/**
 * The sandbox of the bundled document with its default scenario, without a look at options: what only needs this one
 * leaves their checks out of its bundle.
 */
export function createStandardSandbox(): Sandbox {
  const scenario = parseExactJson(defaultScenario).exact as Scenario
  return createEngine({ contract: requestContract, scenario })
}

function toScenario(contract: Contract, scenario: SandboxOptions['scenario']): Scenario {
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
