/** Explains why an operation has its effect. */

import type { CollectionModel } from '../../contract/contract.js'
import type { EffectKind } from '../../contract/effects/effect.js'
import { toJsonPointer } from '../../json/json-pointer.js'
import { isPathProperty } from '../../json/path-property.js'
import type { Candidate } from './facts/candidate.js'
import type { KeptState } from './rules/rule.js'

/** What an operation does, and why. */
export interface ExplainedOperation {
  method: string
  /** The documented path: `/xs/{id}` */
  path: string
  operationId: string | null
  effect: EffectKind
  /** What is kept besides records. */
  state: KeptState
  /** The path of the collection. Null if the operation has none. */
  collection: string | null
  /** The property that holds the key of a record. */
  key: string | null
  /** Where the list is in the body of the success, as a JSON Pointer (RFC 6901). Empty for the whole body. */
  list: string | null
  /** Where the record is in the body of the success, as a JSON Pointer. */
  record: string | null
  /** A sentence without a full stop. */
  reason: string
  /** How certain that is. */
  sure: 'high' | 'medium' | 'low'
}

export function explainOperation(candidate: Candidate, collection: CollectionModel | undefined): ExplainedOperation {
  const { operation, kind, path, success, isChosen, pointer, record, decision } = candidate
  const hasState = kind !== 'example' && kind !== 'undescribed'
  // Nothing writes a record that exists once and has no collection, so that an example is as good.
  const isConstant = kind === 'read' && candidate.resource?.kind === 'singleton'
  const isKnown = hasState && (collection !== undefined || isConstant)
  // Where nothing describes records, the answer is an example, whatever the operation does.
  const isOnlyNamed = !isKnown && !isChosen && decision.effect !== 'example' && success !== undefined
  const effect = isOnlyNamed ? decision.effect : hasState && !isKnown ? 'example' : kind
  const known = isKnown ? collection : undefined
  const shown = isOnlyNamed
    ? describedPart(decision)
    : isKnown && (record ?? candidate.keys) !== undefined
      ? pointer
      : undefined
  const at = shown && success?.mediaType !== undefined ? toJsonPointer(shown) : null
  const own = isOnlyNamed ? decision.resource?.key : known?.key
  const isKeyed = isChosen || candidate.resource?.isKeyed === true
  return {
    method: operation.method,
    path: operation.path,
    operationId: operation.value.operationId ?? null,
    effect,
    state: isKnown ? 'none' : decision.state,
    collection: isKnown ? path : isOnlyNamed ? (decision.resource?.home ?? null) : null,
    key: own !== undefined && !isPathProperty(own) && isKeyed ? own : null,
    list: effect === 'list' ? at : null,
    record: effect === 'list' ? null : at,
    ...(isChosen ? { reason: 'x-sandbox-effect says so', sure: 'high' } : explain(candidate, isOnlyNamed)),
  }
}

/** What leads to the list or the record in a body that an example has. */
function describedPart({ effect, list, record, recordSchema }: Candidate['decision']): string[] | undefined {
  if (effect === 'list') return list
  return recordSchema && record?.pointer
}

function explain({ decision }: Candidate, isOnlyNamed: boolean): Pick<ExplainedOperation, 'reason' | 'sure'> {
  const { reason, sure } = decision
  if (!isOnlyNamed) return { reason, sure }
  return { reason: `${reason}; nothing describes the records, so that the answer is an example`, sure: 'low' }
}
