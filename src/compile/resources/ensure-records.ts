/** Decides where records and answers must be made valid, because their schema may not be satisfied. */
import type { CollectionModel } from '../../contract/contract.js'
import type { Effect } from '../../contract/effect.js'
import { placeOf } from '../compile-ensure.js'
import type { OperationContext } from '../compile-operation.js'
import type { Located, Schema } from '../document.js'
import type { Candidate } from './candidate.js'
import { provesRecord } from './prove-records.js'

/** An operation of a collection with its effect. */
export interface StatefulOperation {
  candidate: Candidate
  effect: Effect
}

/** @param record the schema of the records of the collection */
export function ensureRecords(
  { document, ensures }: OperationContext,
  model: CollectionModel,
  record: Located<Schema>,
  operations: StatefulOperation[],
): void {
  const place = placeOf(document, record)
  const isSame = (schema: Located<Schema>) => placeOf(document, schema) === place
  const isProven = ({ candidate, effect }: StatefulOperation): boolean => {
    if (!('fills' in effect) || effect.kind === 'read' || effect.kind === 'remove') return true
    if (!candidate.record || !isSame(candidate.record)) return false
    // A part of a record may leave out what an object in it requires.
    return !('given' in effect) && provesRecord(document, candidate.operation, record, effect.fills)
  }
  if (!ensures.isProving || !operations.every(isProven)) model.ensure = ensures.add(record)
  // A record for every key has the key of the request, which its schema may not allow.
  const hasAnyKey = 'sample' in model
  for (const { candidate, effect } of operations) {
    if (!('collection' in effect) || !candidate.record || (isSame(candidate.record) && !hasAnyKey)) continue
    effect.ensure = ensures.add(candidate.record)
  }
}
