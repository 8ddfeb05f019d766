/** Checks that replacing, updating and removing a record take effect. Uses only records that it creates itself. */
import type { Contract } from '../../../contract/contract.js'
import { toJson } from '../../../json/exact-json.js'
import { mergePatch } from '../../../json/merge-patch.js'
import { valueAt } from '../../../json/nested.js'
import { isObject } from '../../../json/own-value.js'
import { saysAnyCase, saysCleared } from '../../../lexicon/parameter-texts.js'
import { isKept, isRequired, isStorable, shapeOf } from '../kept-values.js'
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession } from '../probe-runner.js'
import {
  answeredRecord,
  type CreatedRecord,
  isSameValue,
  namesOf,
  type ProviderCollection,
  type RecordValues,
  type SubjectOf,
  usableKey,
  withKey,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import type { Subject } from '../requests/checked-operation.js'
import {
  type Draft,
  givenIn,
  givenShape,
  isValid,
  sentRecord,
  withBody,
  withParameter,
  withProperty,
} from '../requests/request-draft.js'
import { mayCreate } from './probe-parameters.js'

/** Replaces, updates and removes records of one collection. */
export async function probeChanges(
  { contract, runner, created: records }: CheckPlan,
  collection: ProviderCollection,
): Promise<void> {
  const { model, create, read, replace, update, remove, written } = collection
  if (!create && !(replace && mayCreate(replace))) return
  let full = create && fullest(contract, collection, create)
  if (create && full) full = await settleFull(full, create)
  for (const subject of [replace, update]) {
    for (const body of subject?.bodies ?? []) {
      const given = subject && givenIn(subject.operation, body)
      if (!given || !isStorable(contract, model.name, given)) continue
      const draft = withBody(subject.draft, body)
      if (!isValid(contract, draft)) continue
      await runner.probe(
        draft,
        (session, input) => checkChange(session, subject, input),
        (simpler) => isValid(contract, simpler),
      )
    }
  }
  if (remove) await runner.run((session) => checkRemoval(session, remove))
  for (const subject of [replace, update, remove]) {
    if (subject) await runner.run((session) => checkCondition(session, subject))
  }
  if (update && isMergePatch(update.draft)) await runner.run((session) => checkChange(session, update, withoutMembers))
  if (update) await runner.run((session) => checkChange(session, update, withOneMember))
  for (const { property } of model.unique ?? []) {
    for (const subject of [create, replace, update]) {
      if (subject?.operation.responses.some(({ status }) => status === '409'))
        await runner.run((session) => checkUnique(session, subject, property))
    }
  }

  /** Without the properties that the service refuses together with others. */
  async function settleFull(whole: Draft, subject: SubjectOf<'create'>): Promise<Draft | undefined> {
    const names = Object.keys(sentRecord(whole))
    const tries = [whole, ...names.map((name) => withProperty(subject.draft, name, sentRecord(whole)[name]))]
    let best: Draft | undefined
    for (const [index, each] of tries.entries()) {
      const name = names[index - 1]
      const next = name === undefined || !best ? each : withProperty(best, name, sentRecord(whole)[name])
      if (!isValid(contract, next)) continue
      let isAccepted = false
      await runner.run(async (session) => {
        const response = await session.send(next, 'any', { at: 'body' })
        isAccepted = response !== undefined && response.status < 300
        const key = answeredRecord(response)?.[model.key]
        if (key !== undefined) records.add(collection, { key })
      })
      if (isAccepted) best = next
      if (isAccepted && index === 0) break
    }
    return best
  }

  async function checkChange(
    session: ProbeSession,
    subject: SubjectOf<'replace' | 'update'>,
    given: Draft | ((draft: Draft, before: RecordValues) => Draft),
  ): Promise<void> {
    const created = await createOne(session)
    if (!created) return
    const { key, before, tag } = created
    const input = typeof given === 'function' ? given(subject.draft, before) : given
    if (input === subject.draft) return
    const { parameters } = withTag(withKey(subject, key), tag)
    // A body that contains the key gets the key of the path.
    const own = Object.hasOwn(sentRecord(input), model.key) ? withProperty(input, model.key, key) : input
    const keyed = { ...(isValid(contract, own) ? own : input), parameters }
    const response = await session.send(keyed, 'success', { at: 'body', isKnownToExist: true })
    if (!response || response.status >= 300) return
    const { draft } = response.sent
    const sent = sentRecord(draft)
    const changed = subject.operation.effect.kind === 'update' ? merge(contract, collection, before, draft, sent) : sent
    // Properties that callers do not send may change at any time.
    const expected = Object.entries(changed).filter(([name]) => Object.hasOwn(sent, name) || written.includes(name))
    compare(subject, answeredRecord(response), 'answered')
    const after = read && (await session.send(withKey(read, key), 'found', { at: 'just changed' }))
    const found = answeredRecord(after)
    if (read) compare(read, found, 'read')
    if (found && read) checkRest(found)
    const isOther = found && Object.keys(sent).some((name) => toJson(found[name]) !== toJson(created.shown?.[name]))
    if (isOther && tag !== undefined && after?.headers['etag'] === tag) {
      const message = `answered the ETag ${tag} before and after a change`
      session.report(draft, { rule: providerRuleSet.conditionNotKept, at: 'ETag', message })
    }

    /** What the request left out of a replacement, or set to null. */
    function checkRest(now: RecordValues): void {
      const { kind, place } = subject.operation.effect
      // The path has the keys of owners.
      const placed = new Set([model.key, ...(place?.values ?? []).map(({ property }) => property)])
      // A replacement may have other properties than a creation.
      const own = namesOf(contract, givenShape(contract, subject.operation))
      for (const name of written.filter((each) => !placed.has(each) && own.includes(each))) {
        const old = before[name]
        // RFC 7396, section 2.
        const kept = isMergePatch(draft) && nullsIn(sent[name]).find((each) => valueAt(now[name], [each]) !== undefined)
        if (kept && !isEmpty(valueAt(now[name], [kept]))) {
          const message = `${name}.${kept} was sent as null and kept its value`
          session.report(draft, { rule: providerRuleSet.recordChanged, at: `null in ${name}`, message })
        }
        if (isStandard(collection, subject, name, old) || !isSameValue(old, now[name])) continue
        if (kind === 'replace' && !Object.hasOwn(sent, name) && !isRequired(contract, model.name, name)) {
          const message = `kept ${name}, which the replacement left out`
          session.report(draft, { rule: providerRuleSet.omittedKept, at: name, message })
        }
        if (sent[name] === null) {
          const message = `${name} was sent as null and kept its value`
          session.report(draft, {
            rule: providerRuleSet.recordChanged,
            severity: isMergePatch(draft) || saysCleared(subject.says.request) ? 'error' : 'warning',
            at: `null ${name}`,
            message,
          })
        }
      }
    }

    function compare(
      { operation: { effect } }: SubjectOf<'read' | 'replace' | 'update'>,
      found: RecordValues | undefined,
      verb: 'answered' | 'read',
    ): void {
      const shown = namesOf(contract, effect.shape)
      for (const [name, value] of found ? expected : []) {
        if (!found || !shown.includes(name) || isKept(contract, effect, name, value, found)) continue
        const [one, other] = [value, found[name]].map((each) => toJson(each) ?? 'missing')
        const message = `${name} should be ${one} after the change, and was ${verb} as ${other}`
        session.report(draft, { rule: providerRuleSet.recordChanged, at: `${verb} ${name}`, message })
      }
    }
  }

  /** The request without the members of maps that the record has, as far as the schema allows null for them. */
  function withoutMembers(draft: Draft, before: RecordValues): Draft {
    return Object.entries(before).reduce((all, [name, value]) => {
      const known = namesOf(contract, shapeOf(contract, update?.operation.effect.shape ?? 0, name))
      const member = isObject(value) ? Object.keys(value).find((each) => !known.includes(each)) : undefined
      const next = member === undefined ? all : withProperty(all, name, { [member]: null })
      return isValid(contract, next) ? next : all
    }, draft)
  }

  /** The request with one member of each object that the record has, where a record needs more: the rest must stay. */
  function withOneMember(draft: Draft, before: RecordValues): Draft {
    return Object.entries(before).reduce((all, [name, value]) => {
      const [first, ...others] = Object.entries(isObject(value) ? value : {})
      if (!first || others.length === 0) return all
      const part = Object.fromEntries([first])
      const next = withProperty(all, name, part)
      return (isMergePatch(draft) || isPart(contract, collection, name, part, value)) && isValid(contract, next)
        ? next
        : all
    }, draft)
  }

  /** A unique value that another record has must be refused, if 409 is documented. */
  async function checkUnique(
    session: ProbeSession,
    subject: SubjectOf<'create'> | SubjectOf<'replace' | 'update'>,
    property: string,
  ): Promise<void> {
    const one = await createOne(session)
    const other = subject === create ? undefined : await createOne(session)
    const value = one?.before[property]
    if (typeof value !== 'string' || (subject !== create && !other)) return
    const base = other ? withTag(withKey(subject as SubjectOf<'update'>, other.key), other.tag) : subject.draft
    const inOtherCase = saysAnyCase(subject.says.request) ? [value.toUpperCase(), value.toLowerCase()] : []
    for (const taken of new Set([value, ...inOtherCase])) {
      const draft = withProperty(base, property, taken)
      const details = { at: `unique ${property}`, isExact: true, isTrial: true }
      const response = isValid(contract, draft) ? await session.send(draft, 'any', details) : undefined
      if (!response || response.status >= 300) continue
      if (!other) records.add(collection, { key: answeredRecord(response)?.[model.key] })
      const message = `accepted the ${property} ${taken}, which another record has${taken === value ? '' : ' in another case'}`
      return session.report(draft, { rule: providerRuleSet.duplicateAccepted, at: property, message })
    }
  }

  async function checkRemoval(session: ProbeSession, subject: SubjectOf<'remove'>): Promise<void> {
    const [before, created, after] = [await createOne(session), await createOne(session), await createOne(session)]
    if (!created) return
    const { key, own, tag } = created
    const removal = withTag(withKey(subject, key), tag)
    const response = await session.send(removal, 'found', { at: 'just created' })
    if (!response || response.status >= 300) return
    own.isRemoved = true
    const details = { at: 'removed', description: 'removed just before' }
    if (read) await session.send(withKey(read, key), 'absent', details)
    await session.send(removal, 'absent', { ...details, at: 'removed again' })
    for (const other of [before, after]) {
      // A PUT creates the same record each time.
      const isOther = other && !isSameValue(other.key, key)
      if (read && isOther) await session.send(withKey(read, other.key), 'found', { at: 'beside a removed one' })
    }
  }

  /** A change for an older version of the record must be refused, if 412 is documented. */
  async function checkCondition(
    session: ProbeSession,
    subject: SubjectOf<'replace' | 'update' | 'remove'>,
  ): Promise<void> {
    const isDocumented = subject.operation.responses.some(({ status }) => status === '412')
    const created = isDocumented && conditionOf(subject) ? await createOne(session) : undefined
    if (!created) return
    const draft = withTag(withKey(subject, created.key), '"no-such-version-7f3a9c"')
    if (!isValid(contract, draft)) return
    const response = await session.send(draft, 'any', { at: 'If-Match' })
    if (!response || response.status >= 300) return
    if (subject === remove) created.own.isRemoved = true
    const message = `answered ${response.status} with an If-Match that is not the ETag of the record`
    session.report(draft, { rule: providerRuleSet.conditionNotKept, at: 'If-Match', message })
  }

  async function createOne(session: ProbeSession): Promise<Changeable | undefined> {
    if (!create) return replace && createByKey(session, replace)
    const whole = full && (await session.send(full, 'any', { at: 'body' }))
    const response = whole && whole.status < 300 ? whole : await session.send(create.draft, 'success', { at: 'body' })
    const record = answeredRecord(response)
    const key = usableKey(contract, collection, record)
    if (!response || key === undefined) return undefined
    return toChangeable(session, key, { ...sentRecord(response.sent.draft), ...record })
  }

  /** A PUT that creates a record with the key in its path. */
  async function createByKey(session: ProbeSession, subject: SubjectOf<'replace'>): Promise<Changeable | undefined> {
    const key = subject.draft.parameters.path[subject.operation.effect.parameter]
    const response = await session.send(subject.draft, 'success', { at: 'body' })
    if (!response || response.status >= 300) return undefined
    return toChangeable(session, key, { ...sentRecord(response.sent.draft), ...answeredRecord(response) })
  }

  async function toChangeable(session: ProbeSession, key: unknown, before: RecordValues): Promise<Changeable> {
    const own: CreatedRecord = { key }
    records.add(collection, own)
    const reading = read && (await session.send(withKey(read, key), 'found', { at: 'just created' }))
    const tag = reading?.headers['etag']
    const shown = answeredRecord(reading)
    return { key, before, own, shown, tag }
  }
}

/** A record that was created to be changed. */
interface Changeable {
  key: unknown
  before: RecordValues
  own: CreatedRecord
  /** As it was read. */
  shown: RecordValues | undefined
  tag: string | undefined
}

/** The request with the ETag as its If-Match, if the operation has that. */
function withTag(draft: Draft, tag: string | undefined): Draft {
  const name = draft.operation.parameters.find((each) => each.in === 'header' && /^if-match$/i.test(each.name))?.name
  return name === undefined || tag === undefined ? draft : withParameter(draft, 'header', name, tag)
}

function conditionOf({ draft }: SubjectOf<'replace' | 'update' | 'remove'>): boolean {
  return withTag(draft, '') !== draft
}

/** As services show what has no value, besides empty lists and objects. */
const empty: readonly unknown[] = [null, undefined, '', false, 0]

function isEmpty(value: unknown): boolean {
  return empty.includes(value) || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
}

function nullsIn(value: unknown): string[] {
  return isObject(value) ? Object.keys(value).filter((name) => value[name] === null) : []
}

function isMergePatch({ contentType = '' }: Draft): boolean {
  return contentType.includes('merge-patch')
}

/** Whether the service may write a value for a property that is left out. */
function isStandard({ standards }: ProviderCollection, { defaults }: Subject, name: string, value: unknown): boolean {
  const documented = defaults.filter(({ path }) => path.join() === name).map((each) => each.value)
  const known = [...documented, standards.get(name)].filter((standard) => standard !== undefined && standard !== null)
  if (known.some((standard) => isSameValue(standard, value))) return true
  // A flag or a number has a value of its own if it is not the standard one.
  return isEmpty(value) && !(known.length > 0 && (value === false || value === 0))
}

/** A creation with as many properties as possible, whose values are not standard. Undefined if it is the usual one. */
function fullest(contract: Contract, collection: ProviderCollection, create: SubjectOf<'create'>): Draft | undefined {
  let best = create.draft
  for (const body of create.bodies) {
    for (const [name, value] of Object.entries(givenIn(create.operation, body) ?? {})) {
      const isBlank = (one: unknown) => isStandard(collection, create, name, one)
      if (isBlank(value) || !isBlank(sentRecord(best)[name])) continue
      const next = withProperty(best, name, value)
      if (isValid(contract, next)) best = next
    }
  }
  return best === create.draft ? undefined : best
}

/**
 * The record after an update. With plain JSON only the sent values are certain, because merging is not specified, except of
 * objects that no record can have as they were sent.
 */
function merge(
  contract: Contract,
  collection: ProviderCollection,
  before: RecordValues,
  draft: Draft,
  sent: RecordValues,
): RecordValues {
  if (isMergePatch(draft)) return mergePatch(before, sent) as RecordValues
  const merged = Object.entries(sent).map(([name, value]) => {
    const isMerged = isObject(before[name]) && isPart(contract, collection, name, value, before[name])
    return [name, isMerged ? mergePatch(before[name], value) : value]
  })
  return Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(merged) }).filter(([name]) => sent[name] !== null),
  )
}

/** Whether a change may have a part of an object that neither records nor creations may have alone. */
function isPart(
  contract: Contract,
  { model, create }: ProviderCollection,
  name: string,
  value: unknown,
  whole: unknown,
): boolean {
  if (!isObject(value)) return false
  const mayCreate = (each: unknown) => create && isValid(contract, withProperty(create.draft, name, each))
  return (
    !isStorable(contract, model.name, { [name]: value }) || (mayCreate(whole) === true && mayCreate(value) === false)
  )
}
