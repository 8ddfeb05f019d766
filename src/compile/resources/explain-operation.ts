/** Explains why an operation has its effect. */

import { isWritten } from '../../behaviour/line.js'
import type { KeptState } from '../../behaviour/model.js'
import type { CollectionModel } from '../../contract/contract.js'
import type { EffectKind } from '../../contract/effects/effect.js'
import { toJsonPointer } from '../../json/json-pointer.js'
import { getOrInsert } from '../../json/own-value.js'
import { isPathProperty } from '../../json/path-property.js'
import type { CompiledCandidate } from './known-operation.js'

/** The effect of an operation, and its reason. */
export interface ExplainedOperation {
  method: string
  /** The documented path: `/xs/{id}` */
  path: string
  operationId: string | null
  effect: EffectKind
  /** State that is kept besides records. */
  state: KeptState
  /** The path of the collection. Null if the operation has none. */
  collection: string | null
  /** The property that holds the key of a record. */
  key: string | null
  /** The place of the list in the success body, as a JSON Pointer (RFC 6901). Empty for the whole body. */
  list: string | null
  /** The place of the record in the success body, as a JSON Pointer. */
  record: string | null
  /** The rule that decided the effect. Null if the document or a correction did. */
  rule: string | null
  /** A sentence without a full stop. */
  reason: string
  /** How certain the effect is. */
  sure: 'high' | 'medium' | 'low'
  /** Whether that is high, and the collection has an operation on one record and one on all of them. */
  backed?: true
}

/** Adds which of them are backed by others of their collection. */
export function withBacked(explanations: readonly ExplainedOperation[]): ExplainedOperation[] {
  const kinds = new Map<string | null, Set<EffectKind>>()
  for (const { collection, effect } of explanations)
    if (collection !== null) getOrInsert(kinds, collection, () => new Set<EffectKind>()).add(effect)
  const isBacked = (all: ReadonlySet<EffectKind> | undefined) =>
    (all?.has('list') || all?.has('create')) &&
    (['read', 'replace', 'update', 'remove', 'action'] as const).some((kind) => all.has(kind))
  return explanations.map((each) =>
    each.sure === 'high' && isBacked(kinds.get(each.collection)) ? { ...each, backed: true } : each,
  )
}

/** The reason where a correction chose the effect. */
export const chosenReason = 'x-sandbox-effect says so'

export function explainOperation(
  candidate: CompiledCandidate,
  collection: CollectionModel | undefined,
): ExplainedOperation {
  const { operation, kind, path, success, isChosen, pointer, record, decided } = candidate
  const hasState = kind !== 'example' && kind !== 'undescribed'
  // Nothing writes such a singleton, so an example is equivalent.
  const isConstant = kind === 'read' && candidate.isSingleton
  const isKnown = hasState && (collection !== undefined || isConstant)
  // If records are not described, the answer is always an example.
  const isOnlyNamed = !isKnown && !isChosen && decided.effect !== 'example' && success !== undefined
  const effect = isOnlyNamed ? decided.effect : hasState && !isKnown ? 'example' : kind
  const known = isKnown ? collection : undefined
  const shown = isOnlyNamed ? decided.shown : isKnown && (record ?? candidate.keys) !== undefined ? pointer : undefined
  const at = shown && success?.mediaType !== undefined ? toJsonPointer(shown) : null
  const own = isOnlyNamed ? decided.key : known?.key
  const isKeyed = isChosen || candidate.isKeyed
  return {
    method: operation.method,
    path: operation.path,
    operationId: operation.value.operationId ?? null,
    effect,
    state: isKnown ? 'none' : decided.state,
    collection: isKnown ? path : isOnlyNamed ? (decided.collection ?? null) : null,
    key: own !== undefined && !isPathProperty(own) && isKeyed ? own : null,
    list: effect === 'list' ? at : null,
    record: effect === 'list' ? null : at,
    rule: (isChosen ? undefined : decided.rule) ?? null,
    ...(isChosen ? { reason: chosenReason, sure: 'high' } : explain(candidate, isOnlyNamed)),
  }
}

function explain(
  { decided, lines }: CompiledCandidate,
  isOnlyNamed: boolean,
): Pick<ExplainedOperation, 'reason' | 'sure'> {
  const { reason } = decided
  // What the author looked at is right.
  const isSaid = lines.members(isWritten).length > 0
  const sure = isSaid ? 'high' : decided.sure
  if (!isOnlyNamed) return { reason: isSaid ? `${reason}, and x-sandbox-effect says more` : reason, sure }
  return { reason: `${reason}; the records are not described, so the answer is an example`, sure: 'low' }
}
