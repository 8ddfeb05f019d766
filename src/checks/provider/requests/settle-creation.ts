/**
 * Finds a creation that the service accepts before anything is compared: a service may want keys of records that exist, and
 * values that fit each other.
 */
import { valueAt } from '../../../json/nested.js'
import { isObject } from '../../../json/own-value.js'
import { type CheckPlan, ownerOf } from '../plan-check.js'
import { unknownLike } from '../probes/probe-parameters.js'
import {
  answeredRecord,
  isSameValue,
  type ProviderCollection,
  type RecordValues,
  type SubjectOf,
  withKey,
} from '../provider-collection.js'
import { leavesOf, withValueAt } from '../values/other-values.js'
import { existingKey } from './complete-draft.js'
import { bodyValue, type Draft, isSafe, isValid, withBody } from './request-draft.js'

/** A property of bodies that holds the key of another record. */
interface Reference {
  path: readonly (string | number)[]
  name: string
  /** Keys of existing records of other collections, the likeliest first. */
  keys: readonly unknown[]
  /** The names of their collections. */
  collections: readonly string[]
  /** Whether its name has that of the collection of the first key. */
  isNamed: boolean
}

/** Maximum requests until one is accepted. */
const maxTries = 20
/** Maximum bodies that are tried. */
const maxBodies = 6
const endsLikeKey = /(^|[_-])(id|uuid|guid|key)s?$|(?<=[a-z\d])(Id|ID|Uuid|UUID|Guid|GUID|Key)s?$/

/** Writes an accepted body and the keys of existing records into all requests that create and change records. */
export async function settleCreation(plan: CheckPlan, collection: ProviderCollection): Promise<void> {
  const { contract, runner, unique } = plan
  const { create, replace, update } = collection
  const before = create && bodyValue(create.draft)
  if (!create || !isObject(before)) return
  const bodies = [before, ...create.bodies.filter((body) => isValid(contract, withBody(create.draft, body)))]
  const references = await findReferences(plan, collection, bodies)
  const subjects = [create, replace, update].filter((subject) => subject !== undefined)
  const keep = (chosen: Candidate['chosen']) => {
    for (const { operation } of subjects) {
      for (const [index, { name }] of references.entries()) {
        const place = `${operation.id} ${name}`
        if (chosen[index] === undefined) unique.kept.delete(place)
        else unique.kept.add(place)
      }
    }
  }
  let accepted: Candidate | undefined
  for (const candidate of candidatesOf(bodies.slice(0, maxBodies), references)) {
    const draft = withBody(create.draft, candidate.body)
    if (!isValid(contract, draft)) continue
    keep(candidate.chosen)
    await runner.run(async (session) => {
      const response = await session.send(draft, 'success', { at: 'body', isTrial: true })
      if (response && response.status < 300) accepted = candidate
    })
    if (accepted) break
  }
  const { body = before, chosen = namedKeys(references) } = accepted ?? {}
  keep(chosen)
  collection.settled = references.flatMap(({ path, keys, collections }, index) => {
    const target = accepted && collections[keys.indexOf(chosen[index])]
    return target === undefined ? [] : [{ property: lastName(path), collection: target }]
  })
  for (const subject of subjects) rebase(plan, subject, { before, body, references, chosen })
}

interface Candidate {
  body: unknown
  /** The key of each reference. Undefined for one that keeps its own value. */
  chosen: readonly unknown[]
}

function namedKeys(references: readonly Reference[]): unknown[] {
  return references.map(({ keys, isNamed }) => (isNamed ? keys[0] : undefined))
}

/** The first body, which may have any values where no collection is named; then with other keys, then other bodies. */
function* candidatesOf(bodies: readonly unknown[], references: readonly Reference[]): Iterable<Candidate> {
  const likeliest = references.map(({ keys }) => keys[0])
  let tries = 0
  const withKeys = (body: unknown, chosen: readonly unknown[]): Candidate => ({
    body: references.reduce((bound, { path }, index) => bind(bound, path, chosen[index]), body),
    chosen,
  })
  if (references.some(({ isNamed }) => !isNamed)) yield withKeys(bodies[0], namedKeys(references))
  for (const [index, { keys, isNamed }] of references.entries()) {
    for (const key of isNamed ? [] : keys) {
      if (tries++ < maxTries / 2) yield withKeys(bodies[0], likeliest.with(index, key))
    }
  }
  for (const body of bodies) if (tries++ < maxTries) yield withKeys(body, likeliest)
}

/** Puts a key where a body has another one. */
function bind(body: unknown, path: Reference['path'], key: unknown): unknown {
  const held = valueAt(body, path.map(String))
  return held === undefined || held === null || key === undefined ? body : withValueAt(body, path, key)
}

async function findReferences(
  plan: CheckPlan,
  { model, create }: Partial<Pick<ProviderCollection, 'model' | 'create'>>,
  bodies: readonly unknown[],
  kind: 'read' | 'update' = 'read',
): Promise<Reference[]> {
  const all = bodies.flatMap((body) => leavesOf(body)).filter(({ value }) => value !== null)
  const leaves = new Map(all.map((leaf) => [leaf.name, leaf]))
  const keys = new Map<string, unknown>()
  for (const each of plan.collections) {
    const key = each.model === model ? undefined : await existingKey(plan, each, kind)
    if (key !== undefined) keys.set(each.model.name, key)
  }
  const ownerName = create && ownerOf(create.operation.effect)?.collection
  const owner = await readOwner(plan, ownerName, keys.get(ownerName ?? ''))
  return [...leaves.values()].flatMap(({ path, name, value }): Reference[] => {
    const own = lastName(path)
    const link = model?.links?.find(({ values }) => values.some(([property]) => property === own))?.collection
    if (own === model?.key) return []
    if (!link && !endsLikeKey.test(own)) {
      const shared = typeof value === 'string' ? sharedValues(owner, own) : []
      return shared.length === 0 ? [] : [{ path, name, keys: shared, collections: [], isNamed: false }]
    }
    const fitting = [...keys].filter(([, key]) => typeof key === typeof value)
    const rankOf = (collection: string) => (collection === link ? 3 : isNamedAfter(own, collection) ? 2 : 1)
    const ranked = fitting.toSorted(([one], [other]) => rankOf(other) - rankOf(one))
    const collections = ranked.map(([collection]) => collection)
    const [first = ''] = collections
    return first === ''
      ? []
      : [{ path, name, keys: ranked.map(([, key]) => key), collections, isNamed: rankOf(first) > 1 }]
  })
}

/** Whether a body that creates a record has, by its name, the key of a record of another collection. */
export function refersTo({ model, create }: ProviderCollection, { model: other }: ProviderCollection): boolean {
  const names = leavesOf(create && bodyValue(create.draft)).map(({ path }) => lastName(path))
  return model !== other && names.some((name) => endsLikeKey.test(name) && isNamedAfter(name, other.name))
}

function lastName(path: Reference['path']): string {
  return path.findLast((part) => typeof part === 'string') ?? ''
}

/** `homeDepotId` and `depots` */
function isNamedAfter(property: string, collection: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[_-]/g, '')
  const noun = plain(collection.split('/').at(-1) ?? '').replace(/(ies|es|s)$/, '')
  return noun.length > 2 && plain(property).includes(noun)
}

async function readOwner(plan: CheckPlan, name: string | undefined, key: unknown): Promise<RecordValues | undefined> {
  const read = plan.collections.find(({ model }) => model.name === name)?.read
  let found: RecordValues | undefined
  if (!read || key === undefined) return undefined
  await plan.runner.run(async (session) => {
    found = answeredRecord(await session.send(withKey(read, key), 'any', { at: 'read' }))
  })
  return found
}

/** The texts of an owner that a record below it may have to share: `language` is one of `targetLanguages`. */
function sharedValues(owner: RecordValues | undefined, name: string): unknown[] {
  const isShared = (other: string) => other.toLowerCase().replace(/s$/, '').endsWith(name.toLowerCase())
  const values = Object.entries(owner ?? {}).flatMap(([other, value]) => (isShared(other) ? value : []))
  return values.filter((value) => typeof value === 'string')
}

/**
 * The same request with keys of records where its body has keys: of those that this check has created, if it may change them;
 * or of records that do not exist.
 */
export async function withOtherKeys(plan: CheckPlan, draft: Draft, which: 'existing' | 'unknown'): Promise<Draft> {
  const body = bodyValue(draft)
  if (body === undefined) return draft
  const found = await findReferences(plan, {}, [body], isSafe(draft) ? 'read' : 'update')
  const named = found.filter(({ isNamed }) => isNamed)
  if (named.length === 0) return draft
  const keyOf = ([key]: readonly unknown[]) => (which === 'existing' ? key : unknownLike(key))
  const bound = withBody(
    draft,
    named.reduce<unknown>((each, { path, keys }) => bind(each, path, keyOf(keys)), body),
  )
  return isValid(plan.contract, bound) ? bound : draft
}

interface Settled extends Candidate {
  /** The body from which the others were varied. */
  before: Record<string, unknown>
  references: readonly Reference[]
}

/** Varies the accepted body as the one before was varied. Values that break the schema stay. */
function rebase(
  { contract, unique }: CheckPlan,
  subject: SubjectOf<'create' | 'replace' | 'update'>,
  { before, body: accepted, references, chosen }: Settled,
): void {
  const isAllowed = (body: unknown) => isValid(contract, withBody(subject.draft, body))
  const toSettled = (body: unknown): unknown => {
    if (!isObject(body) || !isObject(accepted)) return body
    const entries = Object.entries(body).map(([name, value]) => {
      const isUsual = Object.hasOwn(accepted, name) && isSameValue(value, before[name])
      return [name, isUsual ? accepted[name] : value]
    })
    const rebased = Object.fromEntries(entries)
    const bound = references.reduce<unknown>((each, { path }, index) => bind(each, path, chosen[index]), rebased)
    if (!isAllowed(body)) return rebased
    return [bound, rebased].find(isAllowed) ?? body
  }
  const settle = (draft: Draft): Draft =>
    draft.body && 'value' in draft.body ? withBody(draft, toSettled(draft.body.value)) : draft
  const draft = settle(subject.draft)
  unique.bases.set(subject.operation, bodyValue(draft))
  Object.assign(subject, { draft, bodies: subject.bodies.map(toSettled) })
}
