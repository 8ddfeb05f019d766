/** Do replacing, updating and removing a record do what they say? On records that were created for it, only. */
import { isSame, type ProviderCollection, recordOf, type SubjectOf, type Values, withKey } from '../collection.js'
import { type Draft, withBody } from '../draft.js'
import type { Wire } from '../lab.js'
import { rules } from '../rules.js'
import { violationsOf } from '../values/judge-draft.js'
import { simplerDrafts } from '../values/simpler-drafts.js'
import type { ProbeContext } from './context.js'
import { toText } from './lists.js'

export async function probeChanges(
  { contract, lab, keep }: ProbeContext,
  collection: ProviderCollection,
): Promise<void> {
  const { model, create, read, replace, update, remove, known } = collection
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
    const before = await createOne(wire)
    if (!before) return
    const draft = { ...withKey(subject, before[model.key]), body: input.body, contentType: input.contentType } as Draft
    const answer = await wire.send(draft, 'success', { at: 'body' })
    if (!answer || answer.status >= 300) return
    const sent = (input.body && 'value' in input.body ? input.body.value : {}) as Values
    const isUpdate = subject.operation.effect.kind === 'update'
    const wanted = isUpdate ? (mergePatch(before, sent) as Values) : sent
    const own = [model.key, ...subject.operation.effect.fills.map(({ property }) => property)]
    const expected = Object.entries(wanted).filter(([name]) => Object.hasOwn(sent, name) || !own.includes(name))
    const answered = recordOf(answer)
    if (answered) compare(wire, draft, expected, answered, 'answered')
    const stored = read && (await wire.send(withKey(read, before[model.key]), 'found', { at: 'just changed' }))
    const found = stored && recordOf(stored)
    if (found && stored.status < 300) compare(wire, draft, expected, found, 'read')
  }

  function compare(wire: Wire, draft: Draft, expected: [string, unknown][], found: Values, is: string): void {
    for (const [name, value] of expected) {
      if (!known.includes(name) || isSame(found[name], value)) continue
      const [one, other] = [value, found[name]].map((each) => JSON.stringify(each, toText) ?? 'not there')
      const message = `${name} should be ${one} after the change, and was ${is} as ${other}`
      wire.blame(draft, { rule: rules.recordChanged, at: `${is} ${name}`, message })
    }
  }

  async function checkRemoval(wire: Wire, subject: SubjectOf<'remove'>): Promise<void> {
    const record = await createUnkept(wire)
    if (!record) return
    const key = record[model.key]
    const answer = await wire.send(withKey(subject, key), 'found', { at: 'just created' })
    const isRemoved = answer !== undefined && answer.status < 300
    // What is kept is asked for again, as a record that is there.
    if (!isRemoved) keep(collection, { key })
    if (!isRemoved || !read) return
    await wire.send(withKey(read, key), 'absent', { at: 'removed', words: 'removed just before' })
  }

  async function createOne(wire: Wire): Promise<Values | undefined> {
    const record = await createUnkept(wire)
    if (record) keep(collection, { key: record[model.key] })
    return record
  }

  async function createUnkept(wire: Wire): Promise<Values | undefined> {
    const answer = create && (await wire.send(create.draft, 'success', { at: 'body' }))
    return answer && answer.status < 300 ? recordOf(answer) : undefined
  }
}

/** RFC 7396, section 2: objects are merged, null takes a property away, everything else takes its place. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
