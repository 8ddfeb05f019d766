/** Compiles how keys are made. */

import type { CollectionModel } from '../../../contract/contract.js'
import type { KeyMaking } from '../../../infer/collection.js'
import type { OperationContext } from '../../operations/compile-operation.js'

export function compileKey(
  { plans }: Pick<OperationContext, 'plans'>,
  { keyKind, schema }: KeyMaking,
): Pick<CollectionModel, 'keyKind' | 'keyPlan'> {
  return { keyKind, ...(schema !== undefined && { keyPlan: plans.add(schema, { isKey: true }) }) }
}
