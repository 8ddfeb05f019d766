/** Do replacing, updating and removing a record do what they say? On records that were created for it, only. */

import { type Draft, withBody } from '../draft.js'
import { fresh } from '../fresh.js'
import type { Wire } from '../lab.js'
import {
  isKept,
  namesOf,
  type ProviderCollection,
  recordOf,
  type SubjectOf,
  type Values,
  withKey,
} from '../provider-collection.js'
import { rules } from '../provider-rules.js'
import { violationsOf } from '../values/judge-draft.js'
import { simplerDrafts } from '../values/simpler-drafts.js'
import type { Created, ProbeContext } from './probe-context.js'
import { toText } from './probe-lists.js'
import { shapeOf } from './probe-records.js'

export async function probeChanges(
  { contract, lab, keep }: ProbeContext,
  collection: ProviderCollection,
): Promise<void> {
  const { model, create, read, replace, update, remove, written } = collection
  const isValid = (draft: Draft) => violationsOf(contract, draft).length === 0
  for (const subject of [replace, update]) {
    if (!subject || !create) continue
    const bodies = subject.bodies.map((body) => withBody(subject.draft, body)).filter(isValid)
    for (const draft of bodies) {
      await lab.run<Draft>({
        input: draft,
        run: (input, wire) => checkChange(wire, subject, input),
        simplify: (input) => simplerDrafts(input, isValid),
      })
    }
  }
  if (remove && create) await lab.run({ input: undefined, run: (_, wire) => checkRemoval(wire, remove) })

  async function checkChange(wire: Wire, subject: SubjectOf<'replace' | 'update'>, input: Draft): Promise<void> {
    const created = await createOne(wire)
    if (!created) return
    const { key, before } = created
    const { contentType } = input
    const draft = { ...withKey(subject, key), body: withOwnKey(input, key), contentType } as Draft
    const answer = await wire.send(draft, 'success', { at: 'body', isThere: true })
    if (!answer || answer.status >= 300) return
    const sent = (draft.body && 'value' in draft.body ? draft.body.value : {}) as Values
    const isUpdate = subject.operation.effect.kind === 'update'
    const wanted = isUpdate ? (mergePatch(before, sent, isMergePatch(draft)) as Values) : sent
    // What callers do not write may change with every change.
    const expected = Object.entries(wanted).filter(([name]) => Object.hasOwn(sent, name) || written.includes(name))
    const answered = recordOf(answer)
    if (answered) compare(wire, draft, subject, expected, answered, 'answered')
    const stored = read && (await wire.send(withKey(read, key), 'found', { at: 'just changed' }))
    const found = stored && recordOf(stored)
    if (found && stored.status < 300) compare(wire, draft, read, expected, found, 'read')
  }

  /** A body that names its record names the one of the path. */
  function withOwnKey({ body }: Draft, key: unknown): Draft['body'] {
    const value = body && 'value' in body ? body.value : undefined
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, model.key)) return body
    return { value: { ...value, [model.key]: key } }
  }

  function compare(
    wire: Wire,
    draft: Draft,
    { operation: { effect } }: SubjectOf<'read' | 'replace' | 'update'>,
    expected: [string, unknown][],
    found: Values,
    is: string,
  ): void {
    const answered = namesOf(contract, effect.shape)
    for (const [name, value] of expected) {
      if (!answered.includes(name)) continue
      if (isKept(contract, shapeOf(contract, effect.shape, name), value, found[name])) continue
      const [one, other] = [value, found[name]].map((each) => JSON.stringify(each, toText) ?? 'not there')
      const message = `${name} should be ${one} after the change, and was ${is} as ${other}`
      wire.blame(draft, { rule: rules.recordChanged, at: `${is} ${name}`, message })
    }
  }

  async function checkRemoval(wire: Wire, subject: SubjectOf<'remove'>): Promise<void> {
    const created = await createOne(wire)
    if (!created) return
    const { key } = created
    const answer = await wire.send(withKey(subject, key), 'found', { at: 'just created' })
    if (!answer || answer.status >= 300) return
    created.own.isGone = true
    if (!read) return
    await wire.send(withKey(read, key), 'absent', { at: 'removed', words: 'removed just before' })
  }

  async function createOne(wire: Wire): Promise<{ key: unknown; before: Values; own: Created } | undefined> {
    if (!create) return undefined
    const draft = fresh(contract, create.draft, model)
    const answer = await wire.send(draft, 'success', { at: 'body' })
    const record = answer && answer.status < 300 ? recordOf(answer) : undefined
    const key = record?.[model.key]
    if (key === undefined) return undefined
    const own: Created = { key }
    keep(collection, own)
    const sent = draft.body && 'value' in draft.body ? (draft.body.value as Values) : {}
    return { key, before: { ...sent, ...record }, own }
  }
}

function isMergePatch({ contentType = '' }: Draft): boolean {
  return contentType.includes('merge-patch')
}

/**
 * RFC 7396, section 2: objects are merged, null takes a property away, everything else takes its place.
 * @param isDeep whether objects in it are merged, too; as plain JSON it is not said, and only what is sent is sure
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

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
