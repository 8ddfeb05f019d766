/** Compiles which operations link records with another one: by their keys in the body, or by a verb in the path. */
import type { Effect, KeyedEffect, LinkUse, PathScope } from '../../../contract/effects/effect.js'
import { isRelation } from '../../../json/path-property.js'
import { flattenSchema, placeOf } from '../../../schemas/flatten-schema.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { CompiledCandidate } from '../known-operation.js'
import { compileEffect } from './compile-effect.js'
import { compileLinkScope, compileScope, type Group, type Groups } from './compile-scope.js'
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
  const answer = (shown: CompiledCandidate, of: Group, scope: PathScope | undefined): Effect => {
    const effect = compileEffect(context, shown, of, scope)
    ensureRecords(context, of, [{ candidate: shown, effect }])
    return effect
  }
  const { collection, parameter } = place.owners.at(-1) ?? {}
  const owner = [...groups.values()].find((each) => each.model.name === collection)
  const { schema } = candidate.success ?? {}
  if (owner && schema && placeOf(document, schema) === placeOf(document, owner.record)) {
    const read = { ...candidate, kind: 'read' as const, record: schema, pointer: [], path: owner.path, parameter }
    return { use, effect: answer(read, owner, compileScope(document, groups, owner, read)) }
  }
  const own = flattenSchema(document, group.record).properties
  const shown = [...(list?.hasRecords ? flattenSchema(document, list.item).properties.keys() : [])]
  // An item may only report what became of a key: `{"id": 1, "success": true}`
  const isOfRecord = shown.includes(model.key) && 2 * shown.filter((name) => own.has(name)).length >= shown.length
  if (list && isOfRecord) {
    const { pointer, isMap, item: record } = list
    return { use, effect: answer({ ...plain, kind: 'list', pointer, isMap, record }, group, place) }
  }
  if (steps.at(-1)?.parameter !== undefined) return undefined
  const answered = linked.does === 'add' && !list ? candidate.answered : undefined
  const shows =
    answered && answer({ ...plain, kind: 'read', record: answered, parameter: model.key, keyIn: 'body' }, group, place)
  const effect = compileEffect(context, { ...candidate, kind: 'example' }, undefined, place)
  return { use: { ...use, ...(shows && { shows: shows as KeyedEffect }) }, effect }
}
