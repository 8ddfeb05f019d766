/** Checks that replacing, updating and removing a record take effect. Uses only records that it creates itself. */
import { toJson } from '../../../json/exact-json.js'
import { mergePatch } from '../../../json/merge-patch.js'
import { isKept, isStorable } from '../kept-values.js'
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession } from '../probe-runner.js'
import {
  answeredRecord,
  type CreatedRecord,
  namesOf,
  type ProviderCollection,
  type RecordValues,
  type SubjectOf,
  withKey,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, givenIn, isValid, sentRecord, withBody, withProperty } from '../requests/request-draft.js'

/** Replaces, updates and removes records of one collection. */
export async function probeChanges(
  { contract, runner, created: records }: CheckPlan,
  collection: ProviderCollection,
): Promise<void> {
  const { model, create, read, replace, update, remove, written } = collection
  if (!create) return
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

  async function checkChange(
    session: ProbeSession,
    subject: SubjectOf<'replace' | 'update'>,
    input: Draft,
  ): Promise<void> {
    const created = await createOne(session)
    if (!created) return
    const { key, before } = created
    const { parameters } = withKey(subject, key)
    // A body that contains the key gets the key of the path.
    const hasKey = Object.hasOwn(sentRecord(input), model.key)
    const keyed = { ...(hasKey ? withProperty(input, model.key, key) : input), parameters }
    const response = await session.send(keyed, 'success', { at: 'body', isKnownToExist: true })
    if (!response || response.status >= 300) return
    const { draft } = response.sent
    const sent = sentRecord(draft)
    const changed = subject.operation.effect.kind === 'update' ? merge(before, draft, sent) : sent
    // Properties that callers do not send may change at any time.
    const expected = Object.entries(changed).filter(([name]) => Object.hasOwn(sent, name) || written.includes(name))
    compare(subject, answeredRecord(response), 'answered')
    if (read)
      compare(read, answeredRecord(await session.send(withKey(read, key), 'found', { at: 'just changed' })), 'read')

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

  async function checkRemoval(session: ProbeSession, subject: SubjectOf<'remove'>): Promise<void> {
    const created = await createOne(session)
    if (!created) return
    const { key, own } = created
    const response = await session.send(withKey(subject, key), 'found', { at: 'just created' })
    if (!response || response.status >= 300) return
    own.isRemoved = true
    if (!read) return
    await session.send(withKey(read, key), 'absent', { at: 'removed', description: 'removed just before' })
  }

  async function createOne(
    session: ProbeSession,
  ): Promise<{ key: unknown; before: RecordValues; own: CreatedRecord } | undefined> {
    const response = create && (await session.send(create.draft, 'success', { at: 'body' }))
    const record = answeredRecord(response)
    const key = record?.[model.key]
    if (!response || key === undefined) return undefined
    const own: CreatedRecord = { key }
    records.add(collection, own)
    return { key, before: { ...sentRecord(response.sent.draft), ...record }, own }
  }
}

/** The record after an update. With plain JSON only the sent values are certain, because merging is not specified. */
function merge(before: RecordValues, { contentType }: Draft, sent: RecordValues): RecordValues {
  if (contentType?.includes('merge-patch')) return mergePatch(before, sent) as RecordValues
  return Object.fromEntries(Object.entries({ ...before, ...sent }).filter(([name]) => sent[name] !== null))
}
