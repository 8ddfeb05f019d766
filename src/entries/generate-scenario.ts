/** Generates data for a document. The generator is loaded on the first call. */

import type { LazyScenario, ScenarioToGenerate } from '../generate/generate-collections.js'
import { type Hints, usualRecords } from '../generate/hints.js'
import { contract as bundledContract } from '../generated/contract.js'
import { aFunction, checkOptions, commonChecks, type OptionChecks } from '../sandbox/facade/check-options.js'
import { toTime } from '../state/clock.js'
import type { Scenario } from '../state/scenario.js'
import type { CompiledDocument } from './compile-document.js'

/** Options of `generateScenario`. */
export interface GenerateScenarioOptions {
  /** The document to generate records for, from `compileDocument`. @default the bundled document */
  compiled?: CompiledDocument
  /** The number of records in each collection that an operation reads, 0 to 10000000. @default 20 */
  records?: number
  /** An integer up to ±(2^53−1). The same seed and time give the same records, byte for byte. @default 1 */
  seed?: number
  /**
   * The time to which dates are relative, as `Date`, RFC 3339 text or milliseconds since 1970. All times of one day (UTC) give the
   * same records. A server uses the time of its clock. @default 2026-01-01
   */
  at?: Date | string | number | undefined
  /** Makes values believable. @default the hints for the bundled document, none for another one */
  hints?: Hints
  /** Called during the work and at the end, with the number of finished records of all collections. */
  onProgress?: (done: number, total: number) => void
  /** Called for each collection that stays empty because no valid record was found. */
  onSkip?: (collection: string, why: string) => void
}

const maxRecords = 10_000_000
const dayMs = 86_400_000

/**
 * Generates records by collection, oldest first, for the option `scenario` of `createSandbox`. Each record satisfies
 * its schema in the document.
 * @throws SandboxError `INVALID_OPTION` for a wrong option or wrong hints
 *
 * @example
 * const compiled = await compileDocument(text)
 * const scenario = await generateScenario({ compiled, records: 100, seed: 7 })
 * const sandbox = createSandbox({ contract: compiled.contract, scenario })
 */
export async function generateScenario(options: GenerateScenarioOptions = {}): Promise<Scenario> {
  checkOptions(options, generateChecks)
  const { generateScenario: generate } = await import('../generate/generate-collections.js')
  return generate(await toInput(options))
}

/** Maximum records of a collection that is generated during the request that first reads it. */
const maxLazyRecords = 200

/** The same scenario for a server, which generates each collection on first read. */
export async function generateServedScenario(
  options: GenerateScenarioOptions,
): Promise<Pick<LazyScenario, 'scenario'> & Partial<LazyScenario>> {
  if ((options.records ?? 0) > maxLazyRecords) return { scenario: await generateScenario(options) }
  const { generateLazily } = await import('../generate/generate-collections.js')
  return generateLazily(await toInput(options))
}

async function toInput(options: GenerateScenarioOptions): Promise<ScenarioToGenerate> {
  const { compiled, records = usualRecords, seed = 1, at, hints, onProgress, onSkip } = options
  const { contract, document } = compiled ?? {
    contract: bundledContract,
    document: (await import('../generated/document.js')).document,
  }
  const standardHints = compiled ? {} : (await import('../generated/hints.js')).hints
  const now = at === undefined ? undefined : Math.floor(toTime(at) / dayMs) * dayMs
  return { document, contract, records, seed, now, hints: hints ?? standardHints, onProgress, onSkip }
}

/** The checks of the options that `startServer` shares. */
export const dataChecks: OptionChecks<Pick<GenerateScenarioOptions, 'records' | 'seed' | 'onProgress' | 'onSkip'>> = {
  records: (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxRecords
      ? undefined
      : `a whole number from 0 to ${maxRecords}`,
  seed: (value) =>
    Number.isSafeInteger(value)
      ? undefined
      : `a whole number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
  onProgress: aFunction,
  onSkip: aFunction,
}

const generateChecks: OptionChecks<GenerateScenarioOptions> = {
  ...dataChecks,
  at: commonChecks.at,
  compiled: (value) =>
    typeof value === 'object' && value !== null && 'contract' in value && 'document' in value
      ? undefined
      : 'what compileDocument() resolves to',
  hints: (value) => (typeof value === 'object' && value !== null ? undefined : 'an object of hints by collection'),
}
