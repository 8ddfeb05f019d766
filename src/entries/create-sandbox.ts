/** Creates a sandbox for the bundled document or another one. */
import type { DocumentTypes } from '../contract/document-types.js'
import { contract as bundledContract } from '../generated/contract.js'
import type { BundledDocument } from '../generated/schemas.js'
import { checkOptions } from '../sandbox/facade/check-options.js'
import { type Sandbox, toSandbox } from '../sandbox/facade/sandbox.js'
import { keepChanges } from '../state/record-changes.js'
import { allParts } from './all-parts.js'
import { assembleEngine, type SandboxOptions, sandboxChecks, toScenario } from './assemble-sandbox.js'
import { useOverrides } from './use-overrides.js'

/**
 * Creates a sandbox: the service in this process, without a port.
 * @typeParam Types types of the document, taken from the contract. @default the bundled document
 * @throws SandboxError `INVALID_OPTION` for a wrong option, `INVALID_SCENARIO` for records that violate the document
 *
 * @example
 * const sandbox = createSandbox({ scenario: 'empty' })
 * const response = await sandbox.fetch('https://api.example.com/v1/books', {
 *   headers: { Authorization: 'Bearer sandbox' },
 * })
 */
export function createSandbox<Types extends DocumentTypes = BundledDocument>(
  options?: SandboxOptions<Types>,
): Sandbox<Types>
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  checkOptions(options, sandboxChecks())
  const { contract = bundledContract, scenario, overrides, overrideTimeoutMs, ...others } = options
  const checked = { ...others, contract, scenario: toScenario(contract, scenario) }
  const engine = assembleEngine(checked, allParts(checked))
  if (overrides) useOverrides(engine, [overrides].flat(), overrideTimeoutMs)
  keepChanges(engine.journal)
  return toSandbox(engine)
}
