/** Every effect and codec, because the contract may be compiled at run time. */
import { contract as bundledContract } from '../generated/contract.js'
import type { EngineParts } from '../sandbox/create-engine.js'
import type { CheckedOptions } from './assemble-sandbox.js'
import { openParts, otherParts } from './open-parts.js'
import { storeParts } from './store-parts.js'

/** The parts for any contract, with or without a store. */
export function allParts(checked: Pick<CheckedOptions, 'contract' | 'scenario' | 'store' | 'exact'>): EngineParts {
  const { contract, exact } = checked
  return { ...openParts, ...(contract !== bundledContract && otherParts(exact)), ...storeParts(checked) }
}
