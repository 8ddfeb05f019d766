/** Compiles the effects of operations on the state. */

import type { CollectionSaid } from '../../behaviour/members.js'
import type { CollectionModel, PartList, RecordSource } from '../../contract/contract.js'
import type { CreateEffect, Effect, EffectUse, LinkUse } from '../../contract/effects/effect.js'
import { type DocumentPath, type Located, type Schema, schemaOf } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { refuseUnknown } from '../../document/refuse-unknown.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { isWriting } from '../../schemas/operations/change.js'
import { chooseSuccess } from '../../schemas/operations/choose-success.js'
import { type DescribedOperation, jsonBody } from '../../schemas/operations/describe-operations.js'
import { findExamplePlaces } from '../../schemas/operations/example-places.js'
import type { OperationContext } from '../operations/compile-operation.js'
import { describeSuccess } from '../operations/compile-success.js'
import { addChosenChanges } from './effects/choose-changes.js'
import { compileBulk } from './effects/compile-bulk.js'
import { compileCollection } from './effects/compile-collection.js'
import { compileEffect } from './effects/compile-effect.js'
import { compileLink } from './effects/compile-links.js'
import { hideShownOnce } from './effects/compile-own-keys.js'
import { addProgress, effectsOf } from './effects/compile-progress.js'
import { compileReferences } from './effects/compile-references.js'
import { addParts, compileScope, type Group, scopeCollection } from './effects/compile-scope.js'
import { compileAuthor, compileLogin, compileUser } from './effects/compile-users.js'
import { compileValues } from './effects/compile-values.js'
import { ensureRecords } from './effects/ensure-records.js'
import { type ExplainedOperation, explainOperation } from './explain-operation.js'
import type { Behaviour, CompiledCandidate, KnownCollection, KnownOperation } from './known-operation.js'
import { type OverlayAction, toOverlayActions } from './print-overlay.js'

export interface CompiledEffects {
  effects: Map<DescribedOperation, Effect>
  /** What operations do to many records at once. */
  bulks: Map<DescribedOperation, EffectUse>
  /** Schemas of the records that operations write. */
  written: Map<DescribedOperation, Located<Schema>>
  collections: CollectionModel[]
  /** Why each operation has its effect, in the order of the document. */
  explanations: ExplainedOperation[]
  /** Path templates of the collections by name. */
  paths: Map<string, string>
  /** The schema of the records of each collection, by its name. */
  records: Map<string, Located<Schema>>
  /** What is said of the records of each collection, by its name. */
  lines: Map<string, CollectionSaid>
  /** What the document says about records besides their schemas, by collection. */
  sources: Record<string, RecordSource>
  /** Prints what was inferred as actions of an overlay. */
  toOverlay(): OverlayAction[]
}

/** What is found about a document, one pass after another. */
interface Compiling {
  context: OperationContext
  candidates: readonly CompiledCandidate[]
  collections: readonly KnownCollection<CompiledCandidate>[]
  /** The collections by path, and by name. */
  groups: Map<string, Group>
  byName: Map<string, Group>
  effects: CompiledEffects['effects']
  links: Map<DescribedOperation, LinkUse>
  bulks: CompiledEffects['bulks']
  sources: CompiledEffects['sources']
}

/** A pass, in slices. */
type Pass = (compiling: Compiling) => Generator<undefined, void>

/** In their order: each reads what those before have found. */
const passes: readonly Pass[] = [
  collectGroups,
  compileGroups,
  compileLinks,
  compileUsers,
  compileParts,
  compileBulks,
  compileExamples,
  compileStarted,
  compileAnswerValues,
  compileNeeded,
  compileAuthors,
  completeGroups,
]

/** @param behaviour what is said of the operations, in their order, and of the collections */
export function* compileEffects(
  context: OperationContext,
  { operations, collections }: Behaviour,
): Generator<undefined, CompiledEffects> {
  const success = oncePer((operation: DescribedOperation) => describeSuccess(context.document, operation))
  const answering = oncePer(
    (each: KnownOperation): CompiledCandidate => ({ ...each, success: success(each.operation) }),
  )
  const compiling: Compiling = {
    ...{ context, candidates: operations.map(answering), groups: new Map(), byName: new Map() },
    collections: collections.map((each) => ({ ...each, members: each.members.map(answering) })),
    ...{ effects: new Map(), links: new Map(), bulks: new Map(), sources: {} },
  }
  for (const pass of passes) yield* pass(compiling)
  return toCompiled(compiling)
}

function* collectGroups({ context, collections, groups, byName }: Compiling): Generator<undefined, void> {
  for (const collection of collections) {
    const group = compileCollection(context, collection)
    groups.set(group.path, group)
    byName.set(group.model.name, group)
    yield
  }
  // Outer collections come before those that belong to them.
  const depthOf = ({ path }: Group) => path.split('/').length
  for (const group of [...groups.values()].toSorted((one, other) => depthOf(one) - depthOf(other)))
    scopeCollection(context.document, groups, group)
  for (const group of groups.values()) addParts(groups, group)
}

function* compileGroups({ context, groups, effects, sources }: Compiling): Generator<undefined, void> {
  const { document } = context
  for (const group of groups.values()) {
    const stateful = group.members.map((candidate) => {
      const place = compileScope(document, groups, group, candidate)
      const effect = compileEffect(context, candidate, group, place)
      effects.set(candidate.operation, effect)
      return { candidate, effect }
    })
    yield
    compileReferences(context, groups, group, stateful)
    addChosenChanges(document, groups, group, stateful)
    ensureRecords(context, group, stateful)
    sources[group.model.name] = {
      examples: findExamplePlaces(document, group),
      shownSchemas: shownBy(group),
      filterValues: Object.fromEntries(group.lines.all('filterValues').map(({ about, says }) => [about, says])),
    }
    yield
  }
}

function* compileLinks({ context, groups, candidates, ...found }: Compiling): Generator<undefined, void> {
  const { links, bulks, effects } = found
  for (const candidate of candidates) {
    yield
    const link = compileLink(context, groups, candidate)
    if (!link) continue
    links.set(candidate.operation, link.use)
    bulks.set(candidate.operation, link.use)
    if (link.effect) effects.set(candidate.operation, link.effect)
  }
}

/** Hides what no body shows, and adds how parts are created alone. */
function* compileParts({ groups, byName, effects }: Compiling): Generator<undefined, void> {
  for (const effect of effects.values()) {
    if (!('collection' in effect)) continue
    const hidden = byName.get(effect.collection)?.model.hidden
    if (hidden) effect.hidden = hidden
  }
  for (const { model } of groups.values())
    for (const part of model.parts ?? []) {
      const creation = part.isSingle ? undefined : creationOf(part, byName, effects)
      if (creation) part.creates = creation
    }
  yield
}

function* compileBulks({ context, groups, candidates, ...found }: Compiling): Generator<undefined, void> {
  const { links, bulks, effects } = found
  for (const candidate of candidates) {
    yield
    if (links.has(candidate.operation)) continue
    const bulk = compileBulk(context, groups, candidate)
    if (!bulk) continue
    bulks.set(candidate.operation, bulk)
    if (candidate.kind === 'create' || bulk.read) effects.delete(candidate.operation)
  }
}

function* compileUsers({ context, groups, candidates, bulks }: Compiling): Generator<undefined, void> {
  for (const candidate of candidates) {
    yield
    const use = compileUser(context, groups, candidate)
    if (use) bulks.set(candidate.operation, use)
  }
}

/** Last, because it comes before what else a creation does. */
function* compileAuthors({ groups, candidates, effects, bulks }: Compiling): Generator<undefined, void> {
  for (const candidate of candidates) {
    yield
    const login = compileLogin(groups, candidate)
    const effect = effects.get(candidate.operation)
    if (login && effect?.kind === 'example') effect.login = login
    const isKept = ['create', 'action', 'read', 'replace', 'update', 'remove'].includes(effect?.kind ?? '')
    const use = isKept ? compileAuthor(groups, candidate) : undefined
    const others = bulks.get(candidate.operation)
    if (use && others?.kind !== 'bulk') bulks.set(candidate.operation, others ? { ...use, others } : use)
  }
}

/** Creations whose body may be left out, but requires properties. */
function* compileNeeded({ context, candidates, effects, bulks }: Compiling): Generator<undefined, void> {
  for (const { operation } of candidates) {
    yield
    const content = operation.body?.value.required === true ? undefined : jsonBody(operation)
    const isKnown = effects.get(operation)?.kind !== 'create' || bulks.has(operation)
    if (content && !isKnown && flattenSchema(context.document, schemaOf(content)).required.size > 0)
      bulks.set(operation, { kind: 'body' })
  }
}

/** What has no effect on a collection answers by example. */
function* compileExamples({ context, groups, candidates, effects }: Compiling): Generator<undefined, void> {
  for (const candidate of candidates) {
    if (effects.has(candidate.operation)) continue
    const place = compileScope(context.document, groups, undefined, candidate)
    effects.set(candidate.operation, compileEffect(context, candidate, undefined, place))
    yield
  }
}

/** Adds the records that begin because an answer names them. */
function* compileStarted({ context, groups, candidates, effects }: Compiling): Generator<undefined, void> {
  for (const candidate of candidates) {
    yield
    const { operation } = candidate
    const started = candidate.lines.value('started')
    const group = groups.get(candidate.path)
    if (!started) continue
    if (candidate.kind === 'create' && group?.members.every(({ kind }) => kind === 'create')) {
      // Nothing shows the record that is added, so that only the other one matters.
      const place = compileScope(context.document, groups, undefined, candidate)
      effects.set(operation, compileEffect(context, { ...candidate, kind: 'example' }, undefined, place))
    }
    const effect = effects.get(operation)
    // Without a body, only a header leads to it.
    if (effect && 'serviceWritten' in effect && candidate.success?.mediaType === undefined) effect.answer ??= {}
    const fixed = effect?.kind === 'example' ? effect : effect && 'answer' in effect ? effect.answer : undefined
    if (fixed) fixed.starts = started
  }
}

function* compileAnswerValues({
  context,
  groups,
  candidates,
  effects,
  links,
  bulks,
}: Compiling): Generator<undefined, void> {
  for (const candidate of candidates) {
    yield
    const { operation, path } = candidate
    const effect = effects.get(operation)
    const link = links.get(operation)
    const other = bulks.get(operation)
    const more = link ?? (other?.kind === 'user' ? other : undefined)
    const use = other && !more ? undefined : compileValues(context, candidate, effect, groups.get(path))
    if (use && more) more.values = use
    else if (use) bulks.set(operation, use)
    const choice = candidate.lines.value('choice')
    const { schema } = candidate.success ?? {}
    if (choice && schema && effect && effect.kind !== 'undescribed')
      effect.choice = { ...choice, ensure: context.ensures.add(schema) }
  }
}

function* completeGroups({ context, groups, effects, bulks }: Compiling): Generator<undefined, void> {
  const { document } = context
  addProgress(document, groups.values(), effects, bulks)
  yield
  for (const group of groups.values()) chooseEnvironment(context, group, effects, bulks)
  for (const group of groups.values()) hideShownOnce(group, effects)
}

function toCompiled({
  context,
  candidates,
  groups,
  byName,
  effects,
  links,
  bulks,
  sources,
}: Compiling): CompiledEffects {
  const written = candidates.flatMap(({ operation, kind, record }) =>
    record && isWriting(kind) ? [[operation, record] as const] : [],
  )
  const all = [...groups.values()]
  return {
    ...{ effects, bulks, sources, written: new Map(written) },
    collections: all.map(({ model }) => model),
    explanations: candidates.map((candidate) => {
      const explained = explainOperation(candidate, groups.get(candidate.path)?.model)
      const link = links.get(candidate.operation)
      return link ? explainLink(explained, link, byName) : explained
    }),
    paths: new Map(all.map(({ model, path }) => [model.name, path])),
    records: new Map(all.map(({ model, record }) => [model.name, record])),
    lines: new Map(all.map(({ model, lines }) => [model.name, lines])),
    toOverlay: () =>
      toOverlayActions({ document: context.document, candidates, groups, effects, all: allOf(effects, bulks) }),
  }
}

function explainLink(
  explained: ExplainedOperation,
  link: LinkUse,
  byName: ReadonlyMap<string, Group>,
): ExplainedOperation {
  const records = `records of ${byName.get(link.collection)?.path}`
  const done = link.does === 'remove' ? `removes ${records} from` : `adds ${records} to`
  const reason = `it ${done} the list of another record`
  return { ...explained, effect: 'action', state: 'none', rule: 'linked-records', reason }
}

/** All effects, with those on each of many records. */
function allOf(effects: CompiledEffects['effects'], bulks: CompiledEffects['bulks']): Effect[] {
  return [...effects.values(), ...[...bulks.values()].flatMap(effectsOf)]
}

/** How a record is created alone that its owner shows or takes in a list. */
function creationOf(
  { collection }: PartList,
  byName: ReadonlyMap<string, Group>,
  effects: ReadonlyMap<DescribedOperation, Effect>,
): CreateEffect | undefined {
  const all = (byName.get(collection)?.members ?? []).map(({ operation }) => effects.get(operation))
  return all.find((effect): effect is CreateEffect => effect?.kind === 'create' && effect.collection === collection)
}

/** Keeps the records of a collection only in the environment that `x-sandbox-resource` names. */
function chooseEnvironment(
  { servers }: OperationContext,
  { model, lines }: Group,
  effects: CompiledEffects['effects'],
  bulks: CompiledEffects['bulks'],
): void {
  const name = lines.value('environment')
  if (name === undefined) return
  refuseUnknown(lines.get('environment'), name, servers.environments(), 'server or environment')
  model.servers = servers.inEnvironment(name)
  // Placed records are those of the first server if a server has none.
  for (const effect of allOf(effects, bulks))
    if ('collection' in effect && effect.collection === model.name) effect.place ??= { values: [], owners: [] }
}

/** The schemas in which lists and reads show records, besides that of the collection. */
function shownBy({ members, record }: Group): DocumentPath[] {
  const own = members.filter(({ isBelow }) => !isBelow)
  const shown = own.filter(({ kind, keys }) => kind === 'read' || (kind === 'list' && keys === undefined))
  const others = shown.flatMap((member) => (member.record && member.record.value !== record.value ? member.record : []))
  return [...new Map(others.map(({ value, path }) => [value, path])).values()]
}

/**
 * Sets the effects of HEAD operations that no correction names: those of the GET at the same path.
 * @param explanations in the order of the operations
 * @returns the explanations, with those of mirrored HEADs replaced
 */
export function mirrorHeads(
  described: readonly DescribedOperation[],
  effects: Map<DescribedOperation, Effect>,
  explanations: readonly ExplainedOperation[],
): ExplainedOperation[] {
  return explanations.map((explanation, index) => {
    const head = described[index]
    if (head?.method !== 'HEAD' || head.value['x-sandbox-effect'] !== undefined) return explanation
    const place = described.findIndex(({ method, path }) => method === 'GET' && path === head.path)
    const get = described[place]
    const [effect, known, success] = [get && effects.get(get), explanations[place], chooseSuccess(head)]
    if (!known || !success || success.isError || (effect?.kind !== 'list' && effect?.kind !== 'read'))
      return explanation
    effects.set(head, { ...effect, status: success.status })
    const { method, path, operationId } = explanation
    return { ...known, method, path, operationId, reason: 'it answers like GET, without a body' }
  })
}
