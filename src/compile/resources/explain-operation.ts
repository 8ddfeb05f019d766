/** Explains why an operation has its effect. */
import type { CollectionModel } from '../../contract/contract.js'
import type { EffectKind } from '../../contract/effect.js'
import { jsonContent } from '../describe-operations.js'
import type { OpenApiDocument } from '../document.js'
import { isObjectSchema } from '../schemas/flatten-schema.js'
import type { Candidate } from './candidate.js'
import { findList } from './find-list.js'

/** What an operation does, and why. */
export interface ExplainedOperation {
  method: string
  /** The documented path: `/xs/{id}` */
  path: string
  operationId: string | null
  effect: EffectKind
  /** What is kept besides records. */
  state: 'none' | 'file'
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

export function explainOperation(
  document: OpenApiDocument,
  candidate: Candidate,
  collection: CollectionModel | undefined,
): ExplainedOperation {
  const { operation, kind, path, success, isChosen } = candidate
  const hasState = kind !== 'example' && kind !== 'undescribed'
  const effect = hasState && !collection ? 'example' : kind
  const known = effect === kind && hasState ? collection : undefined
  const flat = success?.flat
  const property = flat && kind === 'list' ? findList(document, flat, candidate.list)?.property : undefined
  const isRecord = known !== undefined && kind !== 'list' && flat !== undefined && isObjectSchema(flat)
  return {
    method: operation.method,
    path: operation.path,
    operationId: operation.value.operationId ?? null,
    effect,
    state: 'none',
    collection: known ? path : null,
    key: known?.key ?? null,
    list: known && kind === 'list' ? toPointer(property) : null,
    record: isRecord ? '' : null,
    ...explain(candidate, known),
  }

  function explain(
    { parameter }: Candidate,
    found: CollectionModel | undefined,
  ): Pick<ExplainedOperation, 'reason' | 'sure'> {
    if (isChosen) return { reason: 'x-sandbox-effect says so', sure: 'high' }
    if (kind === 'undescribed') return { reason: 'it documents no success', sure: 'high' }
    if (!found) return whyExample(candidate, hasState)
    const selected = `it has one record of ${path} by {${parameter}}`
    const where = property === undefined ? 'an array of objects' : `an object with an array of objects in "${property}"`
    const reasons = {
      list: `it returns ${where}`,
      create: `it has a JSON body and returns one object, which is added to ${path}`,
      read: `${selected}, which is returned`,
      replace: `${selected}, which the JSON body replaces`,
      update: `${selected}, which the JSON body changes`,
      remove: `${selected}, which is deleted`,
    }
    // A key with a name of its own is only guessed.
    const isNamed = parameter === undefined || found.key === parameter || /id$/i.test(parameter)
    return { reason: reasons[kind as keyof typeof reasons], sure: isNamed ? 'high' : 'medium' }
  }
}

/** Why an operation is answered by an example, although it may do something to the state. */
function whyExample(
  { operation, success, parameter }: Candidate,
  hasState: boolean,
): Pick<ExplainedOperation, 'reason' | 'sure'> {
  const { method, template, body } = operation
  const unsure = (reason: string) => ({ reason, sure: 'low' as const })
  if (hasState) return unsure('no operation of its collection describes a record')
  const parameters = template.segments.flatMap(({ names }) => names).length
  if (parameters > 1 || (parameters === 1 && parameter === undefined)) {
    return unsure('its path is below a record, and only collections at the top have state')
  }
  const isWriting = ['POST', 'PUT', 'PATCH'].includes(method)
  if (isWriting && !jsonContent(body?.value.content, [])) return unsure('it has no JSON body')
  if (success?.flat === undefined) return unsure('its success has no JSON schema')
  if (method === 'GET' && parameter === undefined) return unsure('its success has no list of objects, or several')
  return unsure(`${method} of such a path and success follows no known pattern`)
}

function toPointer(property: string | undefined): string {
  return property === undefined ? '' : `/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
