/** Generates data for a document. The generator comes in only when this is called. */

import { SandboxError } from '../contract/sandbox-error.js'
import type { Hints } from '../generate/hints.js'
import { contract as bundledContract } from '../generated/contract.js'
import type { Scenario } from '../state/scenario.js'
import type { CompiledDocument } from './compile-document.js'

export interface GenerateScenarioOptions {
  /** What to generate for, as `compileDocument` gives it. @default the bundled document */
  compiled?: CompiledDocument
  /** Records in each collection that an operation reads, 0 to 10000000. @default 20 */
  records?: number
  /** Any integer up to ±(2^53−1); the same one gives the same records, byte for byte. @default 1 */
  seed?: number
  /** What makes values believable, by collection and property. @default those of the bundled document; none for another one */
  hints?: Hints
  /** Called now and then, and at the end, with how many records of all collections are done. @default nothing */
  onProgress?: (done: number, total: number) => void
  /** Called for a collection for which no valid record was found; it stays empty. @default nothing */
  onSkip?: (collection: string, why: string) => void
}

const maxRecords = 10_000_000

/**
 * Records by collection, oldest first, each valid by the document; for the option `scenario` of `createSandbox`.
 * @throws SandboxError `INVALID_OPTION`
 */
export async function generateScenario({
  compiled,
  records = 20,
  seed = 1,
  hints,
  onProgress,
  onSkip,
}: GenerateScenarioOptions = {}): Promise<Scenario> {
  if (!(Number.isInteger(records) && records >= 0 && records <= maxRecords)) {
    throw new SandboxError('INVALID_OPTION', `records must be a whole number from 0 to ${maxRecords} (got ${records})`)
  }
  if (!Number.isSafeInteger(seed)) {
    const limit = Number.MAX_SAFE_INTEGER
    throw new SandboxError('INVALID_OPTION', `seed must be a whole number from -${limit} to ${limit} (got ${seed})`)
  }
  const { generateScenario: generate } = await import('../generate/generate-collections.js')
  const { contract, document } = compiled ?? {
    contract: bundledContract,
    document: (await import('../generated/document.js')).document,
  }
  const standardHints = compiled ? {} : (await import('../generated/hints.js')).hints
  return generate({ document, contract, records, seed, hints: hints ?? standardHints, onProgress, onSkip })
}
