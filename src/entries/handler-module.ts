/** The engine in the modules that `export msw` writes, followed by a contract: see `cli/commands/export-handlers.ts`. */
import type { RequestContract } from '../contract/contract.js'
import { readCompact } from '../json/compact-json.js'
import { parseExactJson } from '../json/exact-json.js'
import { createSendingEngine } from '../sandbox/webhooks/create-sending-engine.js'
import { transmitByFetch } from '../sandbox/webhooks/transmit.js'
import type { Scenario } from '../state/scenario.js'
import { createModule, type Handlers, type HandlersOptions } from './exported-module.js'
import { openParts } from './open-parts.js'

export { runtime } from './exported-module.js'

/**
 * @param contractText the contract without its validators, from `writeCompact`
 * @param scenarioText the default scenario, from `writeCompact`
 */
export function createHandlerModule(
  contractText: string,
  validators: RequestContract['validators'],
  scenarioText: string,
): (options?: HandlersOptions) => Handlers {
  const contract = { ...(readCompact(contractText) as Omit<RequestContract, 'validators'>), validators }
  const scenario = readCompact(scenarioText, (text) => parseExactJson(text).exact) as Scenario
  const sending = { createSendingEngine, transmitByFetch }
  return createModule(contract, scenario, { parts: openParts, sending })
}
