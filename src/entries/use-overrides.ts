/** Gives a sandbox overrides. */

import { isObject } from '../json/own-value.js'
import type { Engine } from '../sandbox/create-engine.js'
import type { OptionChecks } from '../sandbox/facade/check-options.js'
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

export const overrideChecks: OptionChecks<{ overrides?: unknown; overrideTimeoutMs?: unknown }> = {
  overrides: (value) =>
    [value].flat().every((each) => isObject(each))
      ? undefined
      : 'functions by the name of their operation, or a list of such objects',
  overrideTimeoutMs: (value) =>
    Number.isFinite(value) && Number(value) > 0 ? undefined : 'a number of milliseconds, more than 0',
}
