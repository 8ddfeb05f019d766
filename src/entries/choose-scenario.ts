/** Chooses the starting data of worlds by the options: a scenario by name or file, or generated records. */

import type { Contract } from '../contract/contract.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { ReadText } from '../document/load-sources.js'
import type { LazyScenario } from '../generate/generate-collections.js'
import { contract as bundledContract } from '../generated/contract.js'
import { scenarios } from '../generated/scenarios.js'
import { parseScenario, type Scenario } from '../state/scenario.js'
import type { CompiledDocument } from './compile-document.js'
import { type GenerateScenarioOptions, generateServedScenario } from './generate-scenario.js'

interface DataOptions extends Omit<GenerateScenarioOptions, 'compiled' | 'hints'> {
  scenario?: string | Scenario | undefined
}

/**
 * @param isOfBundled whether the document is the bundled one with corrections: then its scenarios fit, as far as possible
 * @param texts files that are not read again, by their locations. Gets a scenario that is read
 * @throws SandboxError for wrong options, unreadable files and invalid scenarios
 */
export async function chooseScenario(
  compiled: CompiledDocument | undefined,
  { scenario: given, ...generated }: DataOptions,
  isOfBundled: boolean,
  texts?: Map<string, ReadText>,
): Promise<{ scenario?: string | Scenario | undefined; prepare?: LazyScenario['prepare'] }> {
  const { records, seed } = generated
  const contract = compiled?.contract ?? bundledContract
  const scenario = compiled && isOfBundled ? ownScenario(contract, given, generated) : given
  if (given !== undefined && records !== undefined) {
    throw new SandboxError(
      'INVALID_OPTION',
      `Give either a scenario or a number of records, not both (got ${records} records)`,
    )
  }
  const isGenerated = records !== undefined || seed !== undefined || compiled !== undefined
  if (scenario === undefined) {
    const hints = compiled && isOfBundled && { hints: (await import('../generated/hints.js')).hints }
    return isGenerated ? generateServedScenario({ compiled, ...hints, ...generated }) : {}
  }
  if (typeof scenario === 'object') return { scenario }
  const isFile = compiled !== undefined || !Object.hasOwn(scenarios, scenario)
  // An unknown name that does not look like a file is probably a misspelled scenario. `createSandbox` refuses it.
  if (!isFile || !/[./\\]/.test(scenario)) return { scenario }
  const { readTextFile } = await import('../node/read-text-file.js')
  const text = texts?.get(scenario)?.text ?? (await readTextFile(scenario))
  texts?.set(scenario, { text, location: scenario })
  return { scenario: parseScenario(contract, text, scenario) }
}

/** A scenario of the bundled document, with the default one if its records still fit. */
function ownScenario(
  contract: Contract,
  given: DataOptions['scenario'],
  { records, seed }: DataOptions,
): DataOptions['scenario'] {
  const name = given ?? (records === undefined && seed === undefined ? 'default' : undefined)
  const text = typeof name === 'string' && Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
  if (text === undefined) return given
  try {
    return parseScenario(contract, text, String(name))
  } catch (error) {
    if (given === undefined && error instanceof SandboxError) return undefined
    throw error
  }
}
