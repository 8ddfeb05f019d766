/** Compiles changes of many records at once. */
import { Lines } from '../../../behaviour/line.js'
import type { OperationSaid } from '../../../behaviour/members.js'
import type { BulkUse, CreateEffect, KeyedEffect } from '../../../contract/effects/effect.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { CompiledCandidate } from '../known-operation.js'
import { compileEnvelope } from './compile-access.js'
import { compileEffect } from './compile-effect.js'
import { compileScope, type Group } from './compile-scope.js'

/** @returns undefined if the operation is about one record, or none */
export function compileBulk(
  context: OperationContext,
  groups: ReadonlyMap<string, Group>,
  candidate: CompiledCandidate,
): BulkUse | undefined {
  const { document } = context
  const { operation, lines, success } = candidate
  const says = lines.value('bulk')
  const group = groups.get(says?.to ?? '')
  const isMember = ({ kind, operation: { path } }: CompiledCandidate) =>
    (kind === 'list' || kind === 'create') && path === says?.path
  const member = group?.members.find(isMember)
  if (!says || !group || !member) return undefined
  const { isSingleton, path } = group
  const { items, key, keys, one } = says
  const shown = says.isShown ? candidate.list : undefined
  const place = compileScope(document, groups, group, member)
  const record = shown ? shown.item : group.record
  const plain = { ...candidate, isSingleton, path, record, pointer: [], isMap: false, parameter: undefined }
  const toEffect = (kind: 'create' | KeyedEffect['kind'], own: OperationSaid = new Lines()) => {
    const method = kind === 'create' ? 'POST' : 'PATCH'
    const keyed = kind !== 'create' && { parameter: key, keyIn: 'body' as const }
    const each = { ...plain, kind, lines: own, operation: { ...operation, method, body: undefined }, ...keyed }
    return compileEffect(context, each, group, place)
  }
  const envelope = shown && compileEnvelope(context, { ...candidate, pointer: shown.pointer, isMap: shown.isMap })
  const answer = shown && success ? { isShown: true as const, ...(envelope && { envelope }) } : {}
  return {
    ...{ kind: 'bulk', key: says.key, ...(items && { items }), ...answer },
    ...(keys !== undefined && { keys }),
    ...(says.query && { query: says.query }),
    ...(says.shared && { shared: says.shared }),
    ...(says.counted &&
      success?.schema && { counted: { pointers: says.counted, ensure: context.ensures.add(success.schema) } }),
    ...(says.read && { read: toEffect('read') as KeyedEffect }),
    ...(says.change && { change: toEffect(says.change, one.change) as KeyedEffect }),
    ...(says.create && { create: toEffect('create', one.create) as CreateEffect }),
    ...(says.remove && { remove: toEffect('remove', one.remove) as KeyedEffect }),
  }
}
