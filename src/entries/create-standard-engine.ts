/** Creates the engine of the bundled document with its default scenario. Small, because it needs no option checks. */
import { requestContract } from '../generated/contract.js'
import { parts } from '../generated/parts.js'
import { defaultScenario } from '../generated/scenarios.js'
import { parseExactJson } from '../json/exact-json.js'
import { createEngine, type Engine } from '../sandbox/create-engine.js'
import type { Scenario } from '../state/scenario.js'

/** Contains only the effects, codecs and credential readers that the bundled document needs. */
export function createStandardEngine(): Engine {
  const scenario = parseExactJson(defaultScenario).exact as Scenario
  return createEngine({ contract: requestContract, parts, scenario })
}
