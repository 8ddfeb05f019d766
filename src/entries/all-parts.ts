/** Every effect and codec, because the contract may be compiled at run time. */
import { contract as bundledContract } from '../generated/contract.js'
import type { EngineParts } from '../sandbox/create-engine.js'
import { openCredentials } from '../sandbox/credentials/open-keys.js'
import { allCredentialReaders } from '../sandbox/credentials/read-credentials.js'
import type { CheckedOptions } from './assemble-sandbox.js'
import { openParts } from './open-parts.js'
import { storeParts } from './store-parts.js'
import { wrapSteps } from './wrap-steps.js'

/** The parts for any contract, with or without a store. */
export function allParts(checked: Pick<CheckedOptions, 'contract' | 'scenario' | 'store' | 'exact'>): EngineParts {
  const { contract, exact } = checked
  return {
    ...openParts,
    credentialReaders: allCredentialReaders,
    ...(contract !== bundledContract && openCredentials),
    ...(contract !== bundledContract && { wrapSteps: wrapSteps(contract, exact) }),
    ...storeParts(checked),
  }
}
