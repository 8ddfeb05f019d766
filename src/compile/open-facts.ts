/** Finds the open facts of a document: what decides answers, and nobody has said or shown. */
import { isWritten } from '../behaviour/line.js'
import type { CollectionSaid } from '../behaviour/members.js'
import { nothing } from '../behaviour/vocabulary.js'
import type { CollectionModel, Operation, RequestContract } from '../contract/contract.js'
import type { ListEffect } from '../contract/effects/effect.js'
import { unreadParameters } from '../contract/effects/find-idle.js'
import { isUnchanging } from '../contract/effects/is-unchanging.js'
import { namesOfBody, toPlainName } from '../contract/effects/names-of-body.js'
import { neverAnswers } from '../contract/effects/never-answers.js'
import type { OpenFact } from '../contract/open-fact.js'
import { type OpenApiDocument, pathItemOf } from '../document/document.js'
import { resolve } from '../document/references.js'
import { confirmedName, effectName, resourceName, serviceName } from '../document/refuse-unknown.js'
import { isPathProperty } from '../json/path-property.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import type { ExplainedOperation } from './resources/explain-operation.js'
import type { Behaviour, KnownOperation } from './resources/known-operation.js'
import { pathKeys, toTarget } from './resources/print-overlay.js'

export interface ExplainedDocument {
  document: OpenApiDocument
  contract: RequestContract
  described: readonly DescribedOperation[]
  behaviour: Behaviour
  /** In the order of the operations. */
  explanations: readonly ExplainedOperation[]
  /** What is said of the records of each collection, and its path, by its name. */
  lines: ReadonlyMap<string, CollectionSaid>
  paths: ReadonlyMap<string, string>
}

interface Explained extends ExplainedDocument {
  /** What is known of each operation of the contract. */
  known: ReadonlyMap<Operation, KnownOperation | undefined>
  /** Paths of the document by their places. */
  keys: ReadonlyMap<string, string>
}

/** A rule that is right less often is a guess that shows itself. */
const enough = 0.95

type Found = Omit<OpenFact, 'number' | 'confirm' | 'correct'> & {
  target: string
  /** Where it is corrected, if not there. */
  at?: string
  update: Record<string, unknown>
}

/** @example findOpenFacts(explained).map(({ fact }) => fact) // ['"q" has no effect', …] */
export function findOpenFacts(given: ExplainedDocument): OpenFact[] {
  const { document, contract, described, explanations, behaviour } = given
  const known = new Map(behaviour.operations.map((each) => [each.operation, each]))
  const explained: Explained = {
    ...given,
    keys: pathKeys(document),
    known: new Map(contract.operations.map((each, index) => [each, known.get(described[index] as DescribedOperation)])),
  }
  const found = [...factsOfService(explained)]
  for (const model of contract.collections) found.push(...factsOfCollection(explained, model))
  for (const [index, operation] of contract.operations.entries()) {
    const [one, reason] = [described[index], explanations[index]]
    if (one && reason && operation.method !== 'HEAD') found.push(...factsOfOperation(explained, operation, one, reason))
  }
  const open = found.filter((each) => !isConfirmed(document, each))
  return open.map(({ target, at = target, update, ...fact }, index) => ({
    ...{ number: index + 1, ...fact },
    correct: { target: at, update },
    confirm: { target, update: { [confirmedName]: [nameOf(fact)] } },
  }))
}

/** How `x-sandbox-confirmed` names a fact. */
function nameOf({ kind, about }: Pick<OpenFact, 'kind' | 'about'>): string {
  return kind === 'parameter' || kind === 'status' ? `${kind} ${about[0]}` : kind
}

/** Whether the document says that a fact is right. */
function isConfirmed(document: OpenApiDocument, { target, ...fact }: Found): boolean {
  const steps = [...target.matchAll(/\['((?:[^'\\]|\\.)*)'\]|\.(\w+)/g)]
  const place = steps.reduce<unknown>((part, [, quoted, plain]) => {
    const name = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? ''
    return resolve<Record<string, unknown>>(document, (part ?? {}) as Record<string, unknown>, []).value[name]
  }, document)
  const said = (place as Record<string, unknown> | undefined)?.[confirmedName]
  return Array.isArray(said) && said.includes(nameOf(fact))
}

function* factsOfService({ behaviour: { service }, described }: Explained): Generator<Found> {
  const own = { about: [], target: '$' }
  const { says: order, evidence } = service.get('order') ?? {}
  if (evidence?.isMajority) {
    const update = { [serviceName]: { order: order === 'oldest' ? 'newest' : 'oldest' } }
    yield { ...own, kind: 'order', fact: `lists begin with the ${order} record`, why: evidence.why, update }
  }
  const { says: optional, evidence: usual } = service.get('optional') ?? {}
  if (usual?.isMajority) {
    const update = { [serviceName]: { optional: 'absent' } }
    const fact = `what nobody sends is ${optional} in a new record`
    yield { ...own, kind: 'optional', fact, why: usual.why, update }
  }
  if (service.value('errors') === undefined) {
    const isBare = !described.some(hasErrorBody)
    const update = { [serviceName]: { errors: { body: { message: '$message' } } } }
    const fact = isBare
      ? 'errors without a documented body have a code and a message'
      : 'errors have codes of the sandbox'
    const why = `nothing says what they ${isBare ? 'have' : 'are'}`
    yield { ...own, kind: 'errors', fact, why, update, ...(!isBare && { isDoubt: true }) }
  }
  const doubt = { about: [], isDoubt: true, target: '$' } as const
  const [at, refused] = ["$.paths['/a/path']", 'what the document does not have or allow is refused']
  const [path, key] = [{ '/a/path': { get: {} } }, { [resourceName]: { key: 'a property' } }]
  yield { ...doubt, kind: 'request', fact: refused, why: 'documents are not always right', update: { paths: path } }
  yield {
    ...doubt,
    kind: 'key',
    fact: 'only its key finds a record',
    why: 'nothing says what else does',
    at,
    update: key,
  }
  const same = { fact: 'nothing else writes what it reads', update: { [effectName]: { collection: '/a/path' } } }
  yield { ...doubt, ...same, kind: 'collection', why: 'nothing says what does', at: `${at}.get` }
  const others = { fact: 'it leaves other records as they are', update: { [effectName]: { related: {} } } }
  yield { ...doubt, ...others, kind: 'related', why: 'nothing says what it changes', at: `${at}.get` }
}

/** Whether a response that is no success has content. */
function hasErrorBody({ value: { responses } }: DescribedOperation): boolean {
  return Object.entries(responses ?? {}).some(
    ([status, response]) => !/^[123]/.test(status) && ('$ref' in response || 'content' in response),
  )
}

function* factsOfCollection(explained: Explained, model: CollectionModel): Generator<Found> {
  const { contract, lines, paths } = explained
  const said = lines.get(model.name)
  const creation = contract.operations.find(
    ({ effect }) => effect.kind === 'create' && effect.collection === model.name,
  )
  if (!said || creation?.effect.kind !== 'create') return
  const { serviceWritten, shape } = creation.effect
  const settled = new Set([
    model.key,
    ...(model.otherKeys ?? []),
    ...(model.ownKeys ?? []).map(({ property }) => property),
    ...(model.scope ?? []).map(({ property }) => property),
    ...(model.links ?? []).flatMap(({ values }) => values.map(([own]) => own)),
    ...(model.parts ?? []).map(({ property }) => property),
    ...(model.made ?? []).flatMap(({ pointer }) => pointer.slice(0, 1)),
    ...(model.events ?? []).map(({ time }) => time),
    ...(explained.known.get(creation)?.lines.value('author')?.written ?? []).map(({ property }) => property),
    ...serviceWritten.filter((each) => each.with !== 'constant').map(({ property }) => property),
  ])
  const canSend = namesOfBody(contract, creation)
  const isGuess = (name: string) => {
    const { says, evidence } = said.get('first', name) ?? {}
    // What a caller may send, and does not, is nothing. What only the service writes is something.
    const isNothing = (says === null || says === '') && evidence?.author === 'guess' && !canSend.has(toPlainName(name))
    return evidence === undefined || (isNothing && (evidence.from === 'schema' || evidence.from === 'habit'))
  }
  const names = (contract.shapes[shape]?.properties ?? []).map(([name]) => name)
  const about = names.filter((name) => !settled.has(name) && !isPathProperty(name) && isGuess(name))
  if (about.length === 0) return
  const path = paths.get(model.name) ?? model.name
  const first = Object.fromEntries(about.map((name) => [name, nothing]))
  const fact = `nothing says what a new record of ${path} has besides what is sent`
  const why = 'no default, constant or example of a creation has it'
  const target = toTarget(path)
  yield { collection: model.name, kind: 'first', about, fact, why, target, update: { [resourceName]: { first } } }
}

function* factsOfOperation(
  explained: Explained,
  operation: Operation,
  described: DescribedOperation,
  reason: ExplainedOperation,
): Generator<Found> {
  const { contract, keys } = explained
  const { id, method, path, effect } = operation
  const key = keys.get(pathItemOf(described.at).join('\n')) ?? path
  const target = toTarget(key, described.at.slice(pathItemOf(described.at).length).map(String))
  const own = { operation: id, target }
  const name = `${method} ${path}`
  yield* factsOfLines(explained, operation, reason, own, name)
  if (effect.kind === 'remove') yield* factsOfRemoval(explained, effect.collection, own, name)
  if (effect.kind === 'list') yield* factsOfSearches(effect, own, name)
  const noEffect = { ...own, right: 0 }
  for (const parameter of unreadParameters(operation)) {
    const fact = `"${parameter}" of ${name} has no effect`
    const update = { [effectName]: { filters: { [parameter]: 'a property' } } }
    yield { ...noEffect, kind: 'parameter', about: [parameter], fact, why: 'nothing says what it means', update }
  }
  for (const status of effect.kind === 'undescribed' ? [] : neverAnswers(contract, operation)) {
    const fact = `${name} never answers ${status}`
    const update = { [effectName]: { needs: {}, errors: { conflict: Number(status) } } }
    yield { ...noEffect, kind: 'status', about: [status], fact, why: 'nothing says when', update }
  }
}

/** What an operation is, and what it sets and needs. */
function* factsOfLines(
  { contract, known }: Explained,
  operation: Operation,
  reason: ExplainedOperation,
  own: Own,
  name: string,
): Generator<Found> {
  const { lines, decided } = known.get(operation) ?? {}
  const right = decided?.right?.[reason.backed ? 'backed' : reason.sure]
  const isSaid = !lines || lines.members(isWritten).length > 0
  const isIdle = operation.effect.kind !== 'example' && isUnchanging(operation, contract)
  if (isIdle && !isSaid) {
    const update = { [effectName]: { effect: 'action', changes: {} } }
    const fact = `${name} changes nothing`
    yield { ...own, kind: 'changes', about: [], fact, why: 'nothing says what it does', right: 0, update }
  } else if (!isSaid && (right === undefined ? reason.sure === 'low' : right < enough)) {
    const fact = `${name} ${reason.effect === 'example' ? 'answers by example' : `is "${reason.effect}"`}`
    const update = { [effectName]: { effect: reason.effect } }
    yield { ...own, kind: 'effect', about: [], fact, why: reason.reason, ...(right !== undefined && { right }), update }
  }
  for (const { kind, member, says, is } of [
    { kind: 'changes', member: 'changes', says: 'sets', is: 'to' },
    { kind: 'refusal', member: 'needs', says: 'refuses a record unless', is: 'is' },
  ] as const) {
    const guessed = lines?.all(member).filter((each) => isOpenGuess(each) && !isPathProperty(each.about)) ?? []
    if (guessed.length === 0 || (isIdle && member === 'changes')) continue
    const sets = Object.fromEntries(guessed.map((each) => [each.about, each.says]))
    const about = Object.keys(sets)
    const fact = `${name} ${says} ${about.map((at) => `${at} ${is} ${JSON.stringify(sets[at])}`).join(' and ')}`
    const update = { [effectName]: { [member]: sets } }
    yield { ...own, kind, about, fact, why: guessed[0]?.evidence.why ?? '', update }
  }
}

type Own = Pick<Found, 'operation' | 'target'>

/** The records that refer to one that is removed stay. */
function* factsOfRemoval({ contract, known }: Explained, removed: string, own: Own, name: string): Generator<Found> {
  for (const { name: other, links = [] } of contract.collections) {
    if (!links.some(({ collection, isOwner }) => collection === removed && !isOwner)) continue
    const fact = `${name} leaves the ${other} that name the record`
    const isOf = ([{ effect }]: [Operation, unknown]) => 'collection' in effect && effect.collection === other
    const path = [...known].find(isOf)?.[1]?.path
    const update = { [effectName]: { blockedBy: [path] } }
    yield { ...own, kind: 'left', about: [other], fact, why: 'nothing says that they belong to it', update }
  }
}

/** The properties in which a text is searched. */
function* factsOfSearches({ query }: ListEffect, own: Own, name: string): Generator<Found> {
  for (const { properties, name: parameter } of query.filters) {
    if (properties.length < 2) continue
    const fact = `"${parameter}" of ${name} searches in ${properties.slice(0, 5).join(', ')}`
    const update = { [effectName]: { filters: { [parameter]: properties[0] } } }
    yield { ...own, kind: 'parameter', about: [parameter], fact, why: 'its name says that it is a search', update }
  }
}

function isOpenGuess({ evidence }: { evidence: { author: string; from: string } }): boolean {
  return evidence.author === 'guess' && evidence.from !== 'schema' && evidence.from !== 'example'
}
