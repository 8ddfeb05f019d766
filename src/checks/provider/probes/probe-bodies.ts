/** Is a body that breaks the contract refused, and leaves nothing behind? */
import { valueContentOf } from '../../../contract/body-content.js'
import type { Violation } from '../../../contract/contract.js'
import { type Draft, withBody } from '../draft.js'
import type { Wire } from '../lab.js'
import { isSame, longestList, type ProviderCollection, type Values } from '../provider-collection.js'
import { rules } from '../provider-rules.js'
import type { Subject } from '../subject.js'
import { violationsOf } from '../values/judge-draft.js'
import { simplerDrafts } from '../values/simpler-drafts.js'
import type { ProbeContext } from './probe-context.js'
import { fetchRecords } from './probe-lists.js'
import { isOnlyFormat, isSameCase, placesOf } from './probe-parameters.js'

interface Broken {
  draft: Draft
  at: string
  words: string
  violations?: readonly Violation[]
}

export async function probeBodies(
  { contract, lab }: ProbeContext,
  subject: Subject,
  draft: Draft,
  collection: ProviderCollection | undefined,
): Promise<void> {
  for (const { draft: input, at, words, violations } of brokenDrafts()) {
    await lab.run<Draft>({
      input,
      run: async (each, wire) => {
        const before = await keysNow(wire)
        const answer = await wire.send(each, 'invalid', { at, words })
        if (before && answer && answer.status >= 400) await checkNothingLeft(wire, each, before, wrongOf(each))
      },
      simplify: (each) =>
        simplerDrafts(
          each,
          (simpler) => violations !== undefined && isSameCase(violations, violationsOf(contract, simpler)),
        ),
    })
  }

  function* brokenDrafts(): Iterable<Broken> {
    const asked = new Set<string>()
    for (const value of subject.bodies) {
      const broken = withBody(draft, value)
      const violations = violationsOf(contract, broken)
      if (violations.every(isOnlyFormat)) continue
      const words = violations.map(({ message }) => message).join('; ')
      if (asked.has(words)) continue
      asked.add(words)
      yield { draft: broken, at: placesOf(violations), words, violations }
    }
    const { body } = draft.operation
    const { mediaType = 'application/json' } = valueContentOf(draft.operation) ?? {}
    if (!body || !draft.body) return
    const asText = (text: string): Draft => ({ ...draft, body: { text }, contentType: mediaType })
    yield { draft: asText('{"'), at: 'body not JSON', words: 'a body that is not JSON' }
    if (!body.required) return
    yield { draft: asText(''), at: 'body empty', words: 'an empty body' }
    const { contentType: _, ...untyped } = draft
    yield { draft: { ...untyped, contentType: 'text/plain' }, at: 'content type', words: 'Content-Type: text/plain' }
  }

  function wrongOf(each: Draft): Set<string> {
    return new Set(violationsOf(contract, each).map(({ at }) => at.split(/[.[]/)[0] ?? ''))
  }

  /** The records that the list shows before; none where there is no list of what is created here. */
  async function keysNow(wire: Wire): Promise<Set<unknown> | undefined> {
    if (subject.operation.effect.kind !== 'create' || !collection?.list) return undefined
    const records = await fetchRecords(wire, collection.list, longestList(contract, collection.list))
    return records && new Set(records.map((record) => record[collection.model.key]))
  }

  async function checkNothingLeft(
    wire: Wire,
    each: Draft,
    before: ReadonlySet<unknown>,
    wrong: ReadonlySet<string>,
  ): Promise<void> {
    if (!collection?.list) return
    const { key } = collection.model
    const longest = longestList(contract, collection.list)
    const records = await fetchRecords(wire, collection.list, longest)
    const added = records?.find((record) => !before.has(record[key]) && isMadeFrom(record, each, wrong))
    if (!records || !added) return
    // Where records come without our doing, nobody knows whose this one is.
    const after = new Set([...before, ...records.map((record) => record[key])])
    for (let looks = 0; looks < 3; looks++) {
      const later = await fetchRecords(wire, collection.list, longest)
      if (!later || later.some((record) => !after.has(record[key]))) return
    }
    const message = `stored a record from a body that it refused`
    wire.blame(each, { rule: rules.recordLeft, at: '', message })
  }
}

/**
 * Others may create records at the same time; theirs have other values.
 * @param wrong properties for which the body was refused, which the record may have in another way
 */
function isMadeFrom(record: Values, { body }: Draft, wrong: ReadonlySet<string>): boolean {
  const sent = body && 'value' in body ? body.value : undefined
  if (typeof sent !== 'object' || sent === null) return true
  const shared = Object.entries(sent).filter(([name]) => Object.hasOwn(record, name) && !wrong.has(name))
  return shared.every(([name, value]) => isSame(record[name], value) || typeof value === 'object')
}
