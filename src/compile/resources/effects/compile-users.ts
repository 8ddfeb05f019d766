/** Compiles which operations are about the record of the user who is logged in. */
import type { AuthorUse, KeyedEffect, LoginCheck, UserUse } from '../../../contract/effects/effect.js'
import { passwordProperty } from '../../../json/path-property.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { CompiledCandidate } from '../known-operation.js'
import { compileEffect } from './compile-effect.js'
import { type Groups, hiddenWith } from './compile-scope.js'
import { ensureRecords } from './ensure-records.js'

/** Stands for the key of the user among the parameters of the path. */
const parameter = '{user}'

/** @returns undefined if the operation is about something else */
export function compileUser(
  context: OperationContext,
  groups: Groups,
  candidate: CompiledCandidate,
): UserUse | undefined {
  const says = candidate.lines.value('user')
  const group = groups.get(says?.to ?? '')
  if (!says || !group) return undefined
  const { by, at } = says
  const login = at && { kind: 'read' as const, record: group.record, pointer: at }
  const own: CompiledCandidate = { ...candidate, ...login, isSingleton: false, path: group.path, parameter }
  const effect = compileEffect(context, own, group) as KeyedEffect
  ensureRecords(context, group, [{ candidate: own, effect }])
  // Where a user is kept whose name was changed after the login.
  group.model.hidden = hiddenWith(group.model, parameter)
  effect.hidden = group.model.hidden
  return { kind: 'user', names: [...says.names, parameter], effect, ...(by !== undefined && { by }) }
}

/** @returns undefined if it is no login that compares passwords */
export function compileLogin(groups: Groups, { lines }: CompiledCandidate): LoginCheck | undefined {
  const says = lines.value('login')
  const group = groups.get(says?.to ?? '')
  if (!says || !group) return undefined
  group.model.hidden = hiddenWith(group.model, passwordProperty)
  const { to: _, ...login } = says
  return { ...login, collection: group.model.name }
}

/** @returns undefined if its records do not say who made them */
export function compileAuthor(groups: Groups, { lines, kind }: CompiledCandidate): AuthorUse | undefined {
  const says = lines.value('author')
  const group = groups.get(says?.to ?? '')
  if (!says || !group || (!says.owned && kind !== 'create' && kind !== 'action')) return undefined
  const { to: _, names, ...author } = says
  return { kind: 'author', names: [...names, parameter], collection: group.model.name, ...author }
}
