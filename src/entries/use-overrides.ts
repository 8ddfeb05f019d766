/** Gives a sandbox overrides. */

import type { Engine } from '../sandbox/create-engine.js'
import { createApplyOverrides, type OverrideTable } from '../sandbox/overrides/apply-overrides.js'
import type { Overrides } from '../sandbox/overrides/override-types.js'
import { createRenderRefusal } from '../sandbox/responses/render-refusal.js'
import { userFinder } from '../sandbox/writes/use-user.js'

/**
 * @param timeoutMs @default 10000
 * @returns the overrides of the sandbox, to which more can be added
 * @throws SandboxError `INVALID_OPTION` for an unknown operation
 */
export function useOverrides(engine: Engine, overrides: readonly object[] = [], timeoutMs?: number): OverrideTable {
  const { contract, worlds, factory, parts, steps } = engine
  const render = createRenderRefusal(contract, parts.writeError)
  const findUser = userFinder(contract)
  steps.overrides ??= createApplyOverrides(
    { ...parts, contract, worlds, factory, render },
    { overrides: overrides as Overrides[], timeoutMs, ...(findUser && { findUser }) },
  )
  return steps.overrides.table
}
