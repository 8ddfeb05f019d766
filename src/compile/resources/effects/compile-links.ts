/** Compiles which operations link records with another one: by their keys in the body, or by a verb in the path. */
import type { Effect, KeyedEffect, LinkUse } from '../../../contract/effects/effect.js'
import { isRelation } from '../../../json/path-property.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { CompiledCandidate } from '../known-operation.js'
import { compileEffect } from './compile-effect.js'
import { compileLinkScope, type Groups } from './compile-scope.js'
import { ensureRecords } from './ensure-records.js'

export interface CompiledLink {
  use: LinkUse
  /** What the operation answers, if that is not its own effect. */
  effect?: Effect
}

/** @returns undefined if the operation links nothing */
export function compileLink(
  context: OperationContext,
  groups: Groups,
  candidate: CompiledCandidate,
): CompiledLink | undefined {
  const { document } = context
  const { lines, list, steps } = candidate
  const says = lines.value('links')
  const group = says && groups.get(says.to)
  if (!group) return undefined
  const { model } = group
  const { to: _, above, isVerb, ...linked } = says
  const place = compileLinkScope(document, groups, group, above ? steps.slice(0, -1) : steps)
  const isLink = (property: string, link?: unknown) => link !== undefined || isRelation(property, model.scope)
  if (!place?.values.some(({ property, link }) => isLink(property, link))) return undefined
  const all = { ...place, values: place.values.filter(({ property, link }) => !isLink(property, link)) }
  const use: LinkUse = { kind: 'link', collection: model.name, place, all, ...linked }
  if (isVerb) return { use }
  const plain: CompiledCandidate = {
    ...candidate,
    isSingleton: group.isSingleton,
    path: group.path,
    parameter: undefined,
  }
  const answer = (shown: CompiledCandidate): Effect => {
    const effect = compileEffect(context, shown, group, place)
    ensureRecords(context, group, [{ candidate: shown, effect }])
    return effect
  }
  if (list?.hasRecords && flattenSchema(document, list.item).properties.has(model.key)) {
    const { pointer, isMap, item: record } = list
    return { use, effect: answer({ ...plain, kind: 'list', pointer, isMap, record }) }
  }
  if (linked.parameter !== undefined) return undefined
  const record = linked.does === 'add' ? candidate.answered : undefined
  const shows = record && answer({ ...plain, kind: 'read', record, parameter: model.key, keyIn: 'body' })
  const effect = compileEffect(context, { ...candidate, kind: 'example' }, undefined, place)
  return { use: { ...use, ...(shows && { shows: shows as KeyedEffect }) }, effect }
}
