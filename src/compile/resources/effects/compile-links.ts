/** Compiles which operations link records with another one: by their keys in the body, or by a verb in the path. */
import type { Effect, KeyedEffect, LinkUse } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { segmentVerb } from '../../../infer/facts/facts.js'
import { findRequestRecord } from '../../../infer/facts/request-record.js'
import type { FoundResources } from '../../../infer/paths/find-resources.js'
import type { PathNode } from '../../../infer/paths/path-tree.js'
import { isRelation } from '../../../json/path-property.js'
import { isLinking, isUnlinking } from '../../../lexicon/verbs.js'
import { bareName, nounOf, wordsOf } from '../../../lexicon/words.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { CompiledCandidate } from '../compiled-candidate.js'
import { compileEffect } from './compile-effect.js'
import { compileLinkScope, type Group, type Groups } from './compile-scope.js'
import { ensureRecords } from './ensure-records.js'
import { findLink, listsOf } from './find-link.js'

export interface CompiledLink {
  use: LinkUse
  /** What the operation answers, if that is not its own effect. */
  effect?: Effect
}

/** @returns undefined if the operation links nothing */
export function compileLink(
  context: OperationContext,
  resources: FoundResources,
  groups: Groups,
  candidate: CompiledCandidate,
): CompiledLink | undefined {
  const { document } = context
  const { operation, isChosen, success, decision } = candidate
  if (isChosen || !success || !/^(POST|PUT|DELETE)$/.test(operation.method)) return undefined
  const found = findInPath(resources, groups, candidate) ?? findInVerb(document, resources, groups, candidate)
  if (!found) return undefined
  const { group, does, parameter, node } = found
  const { model } = group
  const place = compileLinkScope(document, resources, groups, group, { node, steps: decision.steps })
  const isLink = (property: string, link?: unknown) => link !== undefined || isRelation(property, model.scope)
  if (!place?.values.some(({ property, link }) => isLink(property, link))) return undefined
  const sent = parameter === undefined ? findSentKeys(document, operation, group) : undefined
  if (parameter === undefined && !sent && (does !== 'remove' || operation.body)) return undefined
  const all = { ...place, values: place.values.filter(({ property, link }) => !isLink(property, link)) }
  const isOnly = /\bremoves? (it|the \w+) from (all )?(other|the previous|its current)\b/i.test(describe(operation))
  const use: LinkUse = {
    ...{ kind: 'link', does, collection: model.name, place, all, key: sent?.key ?? model.key },
    ...(parameter !== undefined && { parameter }),
    ...(sent && { given: sent.given, names: sent.names }),
    ...(sent && namesRecords(document, group) && { creates: true as const }),
    ...(isOnly && { isOnly: true as const }),
  }
  if (found.isVerb) return { use }
  const { list } = decision.facts
  const plain: CompiledCandidate = { ...candidate, resource: group.resource, path: group.path, parameter: undefined }
  const answer = (shown: CompiledCandidate): Effect => {
    const effect = compileEffect(context, shown, group, place)
    ensureRecords(context, model, group.record, [{ candidate: shown, effect }])
    return effect
  }
  if (list?.hasRecords && flattenSchema(document, list.item).properties.has(model.key)) {
    const { pointer, isMap, item: record } = list
    return { use, effect: answer({ ...plain, kind: 'list', pointer, isMap, record }) }
  }
  if (parameter !== undefined) return undefined
  const record = does === 'add' ? decision.recordSchema : undefined
  const shows = record && answer({ ...plain, kind: 'read', record, parameter: model.key, keyIn: 'body' })
  const effect = compileEffect(context, { ...candidate, kind: 'example' }, undefined, place)
  return { use: { ...use, ...(shows && { shows: shows as KeyedEffect }) }, effect }
}

interface LinkedInPath extends Pick<LinkUse, 'does' | 'parameter'> {
  group: Group
  node: PathNode
  isVerb?: true
}

/** A path that lists records of a collection below another record, or is that of one of them. */
function findInPath(
  { at, byItem }: FoundResources,
  groups: Groups,
  { node, operation, decision: { steps } }: CompiledCandidate,
): LinkedInPath | undefined {
  const item = byItem.get(node)
  const list = item ? node.parent : node
  const resource = list && at.get(list)
  const group = resource && groups.get(resource.home)
  if (!group || resource.kind !== 'collection' || (item && (item !== resource || operation.body))) return undefined
  const does = operation.method === 'DELETE' ? 'remove' : operation.method === 'PUT' && !item ? 'set' : 'add'
  const { parameter } = steps.at(-1) ?? {}
  return { group, does, node: list, ...(item && parameter !== undefined && { parameter }) }
}

/** A verb behind a record, with the name of what is linked with it: `/tasks/{taskId}/addTag` */
function findInVerb(
  document: OpenApiDocument,
  resources: FoundResources,
  groups: Groups,
  { node, operation }: CompiledCandidate,
): LinkedInPath | undefined {
  const owner = node.parent && resources.byItem.get(node.parent)
  const ownerGroup = owner && groups.get(owner.home)
  const [verb = '', ...noun] = wordsOf(node.step.text ?? '')
  const does = isLinking(verb) ? 'add' : isUnlinking(verb) ? 'remove' : undefined
  if (!node.parent || !ownerGroup || !does || noun.length === 0 || !operation.body || !segmentVerb(node))
    return undefined
  const group = [...groups.values()].find(
    (each) =>
      nounOf(each.resource?.name ?? '') === nounOf(noun.join('-')) &&
      (listsOf(resources, ownerGroup, each) ||
        listsOf(resources, each, ownerGroup) ||
        findLink(document, resources, ownerGroup, each)),
  )
  return group && { group, does, node: node.parent, isVerb: true }
}

interface SentKeys {
  given: string[]
  names: string[]
  key: string
}

/** Where a body has keys of records, and nothing else of them. */
function findSentKeys(document: OpenApiDocument, operation: DescribedOperation, group: Group): SentKeys | undefined {
  const request = findRequestRecord(document, operation, [], group.record)
  if (!request) return undefined
  const { model, resource, record } = group
  const own = [model.key, ...(model.otherKeys ?? [])].map(bareName)
  const noun = bareName(nounOf(resource?.name ?? ''))
  const singles = [noun, `${noun}id`, ...own.map((key) => noun + key)]
  const lists = ['id', ...own, ...singles].map((name) => `${name}s`)
  // The name alone may be that of a new record.
  const wanted = new Set(['id', bareName(model.key), ...singles, ...lists, bareName(resource?.name ?? '')])
  const flat = flattenSchema(document, request.schema)
  const known = flattenSchema(document, record).properties
  const keyOf = ({ types, properties }: FlatSchema): string | undefined => {
    if (properties.size === 0) return types.has('string') || types.has('integer') ? model.key : undefined
    // Whatever has more of a record than its key is a new record.
    const isNew = [...properties.keys()].some((name) => known.has(name) && !own.includes(bareName(name)))
    return isNew ? undefined : [...properties.keys()].find((name) => own.includes(bareName(name)))
  }
  const ofItems = (schema: Located<Schema> | undefined) => schema && keyOf(flattenSchema(document, schema))
  if (flat.types.has('array') && !isObjectSchema(flat)) {
    const key = ofItems(flat.items)
    return key === undefined ? undefined : { given: request.given, names: [], key }
  }
  const named = [...flat.properties].filter(([name]) => wanted.has(bareName(name)))
  if (named.length === 0 || [...flat.properties.keys()].some((name) => known.has(name) && !wanted.has(bareName(name))))
    return undefined
  const keys = named.map(([, schema]) => ofItems(flattenSchema(document, schema).items ?? schema))
  const names = named.flatMap(([name], index) => (keys[index] === undefined ? [] : [name]))
  const key = keys.find((each) => each !== undefined)
  return key === undefined ? undefined : { given: request.given, names, key }
}

/** Whether callers choose the keys of new records, so that a text is enough to name one. */
function namesRecords(document: OpenApiDocument, { members, record, model }: Group): boolean {
  if (model.keyKind !== 'string') return false
  return members.some(({ kind, operation }) => {
    const request = kind === 'create' ? findRequestRecord(document, operation, [], record) : undefined
    return request !== undefined && flattenSchema(document, request.schema).required.has(model.key)
  })
}

function describe({ value }: DescribedOperation): string {
  return [value.summary, 'description' in value ? value.description : ''].join(' ')
}
