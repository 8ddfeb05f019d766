/** Checks that replacing, updating and removing a record take effect. Uses only records that it creates itself. */
import { isObject } from '../../../json/own-value.js'
import type { CreatedRecord } from '../created-records.js'
import { givenIn, sentRecord, withRecord } from '../given-record.js'
import { isKept, isStorable } from '../kept-values.js'
import type { ProbeSession } from '../probe-runner.js'
import {
  namesOf,
  type ProviderCollection,
  type RecordValues,
  recordOf,
  type SubjectOf,
  toText,
  withKey,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, withBody } from '../requests/request-draft.js'
import { violationsOf } from '../values/judge-draft.js'
import { simplerDrafts } from '../values/simpler-drafts.js'
import type { ProbeContext } from './probe-context.js'

/** Replaces, updates and removes records of one collection. */
export async function probeChanges(
  { contract, runner, created: records }: ProbeContext,
  collection: ProviderCollection,
): Promise<void> {
  const { model, create, read, replace, update, remove, written } = collection
  const isValid = (draft: Draft) => violationsOf(contract, draft).length === 0
  for (const subject of [replace, update]) {
    if (!subject || !create) continue
    const storable = subject.bodies.filter((body) => {
      const given = givenIn(subject.operation, body)
      return given && isStorable(contract, model.name, given)
    })
    const bodies = storable.map((body) => withBody(subject.draft, body)).filter(isValid)
    for (const draft of bodies) {
      await runner.run<Draft>({
        input: draft,
        run: (input, session) => checkChange(session, subject, input),
        simplify: (input) => simplerDrafts(input, isValid),
      })
    }
  }
  if (remove && create) await runner.run({ input: undefined, run: (_, session) => checkRemoval(session, remove) })

  async function checkChange(
    session: ProbeSession,
    subject: SubjectOf<'replace' | 'update'>,
    input: Draft,
  ): Promise<void> {
    const created = await createOne(session)
    if (!created) return
    const { key, before } = created
    const keyed = withOwnKey({ ...input, parameters: withKey(subject, key).parameters }, key)
    const response = await session.send(keyed, 'success', { at: 'body', isKnownToExist: true })
    if (!response || response.status >= 300) return
    const { draft } = response.sent
    const sent = sentRecord(draft)
    const isUpdate = subject.operation.effect.kind === 'update'
    const changed = isUpdate ? (mergePatch(before, sent, isMergePatch(draft)) as RecordValues) : sent
    // Properties that callers do not send may change at any time.
    const expected = Object.entries(changed).filter(([name]) => Object.hasOwn(sent, name) || written.includes(name))
    const answered = recordOf(response)
    if (answered) compare(session, draft, subject, expected, answered, 'answered')
    const stored = read && (await session.send(withKey(read, key), 'found', { at: 'just changed' }))
    const found = stored && recordOf(stored)
    if (found && stored.status < 300) compare(session, draft, read, expected, found, 'read')
  }

  /** A body that contains the key gets the key of the path. */
  function withOwnKey(draft: Draft, key: unknown): Draft {
    const sent = sentRecord(draft)
    const { contentType } = draft
    return Object.hasOwn(sent, model.key)
      ? ({ ...withRecord(draft, { ...sent, [model.key]: key }), contentType } as Draft)
      : draft
  }

  function compare(
    session: ProbeSession,
    draft: Draft,
    { operation: { effect } }: SubjectOf<'read' | 'replace' | 'update'>,
    expected: [string, unknown][],
    found: RecordValues,
    verb: 'answered' | 'read',
  ): void {
    const answered = namesOf(contract, effect.shape)
    for (const [name, value] of expected) {
      if (!answered.includes(name)) continue
      if (isKept(contract, effect, name, value, found)) continue
      const [one, other] = [value, found[name]].map((each) => JSON.stringify(each, toText) ?? 'missing')
      const message = `${name} should be ${one} after the change, and was ${verb} as ${other}`
      session.report(draft, { rule: providerRuleSet.recordChanged, at: `${verb} ${name}`, message })
    }
  }

  async function checkRemoval(session: ProbeSession, subject: SubjectOf<'remove'>): Promise<void> {
    const created = await createOne(session)
    if (!created) return
    const { key } = created
    const response = await session.send(withKey(subject, key), 'found', { at: 'just created' })
    if (!response || response.status >= 300) return
    created.own.isRemoved = true
    if (!read) return
    await session.send(withKey(read, key), 'absent', { at: 'removed', description: 'removed just before' })
  }

  async function createOne(
    session: ProbeSession,
  ): Promise<{ key: unknown; before: RecordValues; own: CreatedRecord } | undefined> {
    if (!create) return undefined
    const response = await session.send(create.draft, 'success', { at: 'body' })
    const record = response && response.status < 300 ? recordOf(response) : undefined
    const key = record?.[model.key]
    if (!response || key === undefined) return undefined
    const { draft } = response.sent
    const own: CreatedRecord = { key }
    records.add(collection, own)
    return { key, before: { ...sentRecord(draft), ...record }, own }
  }
}

function isMergePatch({ contentType = '' }: Draft): boolean {
  return contentType.includes('merge-patch')
}

/**
 * RFC 7396, section 2: objects are merged, null removes a property, any other value replaces the old one.
 * @param isDeep merges nested objects too; plain JSON does not specify that, so there only what is sent is certain
 */
function mergePatch(target: unknown, patch: unknown, isDeep: boolean): unknown {
  if (!isObject(patch)) return patch
  const merged = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = isDeep ? mergePatch(merged[name], value, isDeep) : value
  }
  return merged
}
