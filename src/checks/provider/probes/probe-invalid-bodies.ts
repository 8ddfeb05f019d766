/** Checks that an invalid body is refused and that nothing is stored from it. */
import { findContent, valueContentOf } from '../../../contract/body-content.js'
import type { Violation } from '../../../contract/violations.js'
import type { ProbeSession } from '../probe-runner.js'
import { isSame, longestList, type ProviderCollection, type RecordValues } from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import type { Subject } from '../requests/checked-operation.js'
import { type Draft, withBody } from '../requests/request-draft.js'
import { sentTypeOf } from '../requests/write-body.js'
import { violationsOf } from '../values/judge-draft.js'
import { simplerDrafts } from '../values/simpler-drafts.js'
import type { ProbeContext } from './probe-context.js'
import { fetchRecords } from './probe-lists.js'
import { isOnlyFormat, isSameCase, placesOf } from './probe-parameters.js'

interface InvalidDraft {
  draft: Draft
  at: string
  /** What is invalid. */
  description: string
  /** Absent if it is not the JSON value that is invalid. */
  violations?: readonly Violation[]
}

/** Sends every invalid body, and text that is not JSON. */
export async function probeBodies(
  { contract, runner }: ProbeContext,
  subject: Subject,
  draft: Draft,
  collection: ProviderCollection | undefined,
): Promise<void> {
  for (const { draft: input, at, description, violations } of invalidDrafts()) {
    await runner.run<Draft>({
      input,
      run: async (each, session) => {
        const before = await fetchKeys(session)
        const response = await session.send(each, 'invalid', { at, description })
        if (before && response && response.status >= 400) {
          await checkNothingStored(session, response.sent.draft, before, invalidNames(each))
        }
      },
      simplify: (each) =>
        simplerDrafts(
          each,
          (simpler) => violations !== undefined && isSameCase(violations, violationsOf(contract, simpler)),
        ),
    })
  }

  function* invalidDrafts(): Iterable<InvalidDraft> {
    const seen = new Set<string>()
    for (const value of subject.bodies) {
      const invalid = withBody(draft, value)
      const violations = violationsOf(contract, invalid)
      if (violations.every(isOnlyFormat)) continue
      const description = violations.map(({ message }) => message).join('; ')
      if (seen.has(description)) continue
      seen.add(description)
      yield { draft: invalid, at: placesOf(violations), description, violations }
    }
    const { body } = draft.operation
    const content = valueContentOf(draft.operation)
    if (!body || !content || !draft.body) return
    const asText = (text: string): Draft => ({ ...draft, body: { text }, contentType: sentTypeOf(content) })
    const isJson = /json|merge/.test(content.codec)
    if (isJson) yield { draft: asText('{"'), at: 'body not JSON', description: 'a body that is not JSON' }
    if (!body.required) return
    // An empty form is a form without fields, and an empty file is a file.
    if (isJson) yield { draft: asText(''), at: 'body empty', description: 'an empty body' }
    if (findContent(body, 'text/plain')) return
    const { contentType: _, ...untyped } = draft
    yield {
      draft: { ...untyped, contentType: 'text/plain' },
      at: 'content type',
      description: 'Content-Type: text/plain',
    }
  }

  /** Names of the properties that are invalid. */
  function invalidNames(each: Draft): Set<string> {
    return new Set(violationsOf(contract, each).map(({ at }) => at.split(/[.[]/)[0] ?? ''))
  }

  /** Keys of the records that are listed now; undefined if there is no list of the records that are created here. */
  async function fetchKeys(session: ProbeSession): Promise<Set<unknown> | undefined> {
    if (subject.operation.effect.kind !== 'create' || !collection?.list) return undefined
    const records = await fetchRecords(session, collection.list, longestList(contract, collection.list))
    return records && new Set(records.map((record) => record[collection.model.key]))
  }

  async function checkNothingStored(
    session: ProbeSession,
    each: Draft,
    before: ReadonlySet<unknown>,
    invalid: ReadonlySet<string>,
  ): Promise<void> {
    if (!collection?.list) return
    const { key } = collection.model
    const longest = longestList(contract, collection.list)
    const records = await fetchRecords(session, collection.list, longest)
    const added = records?.find((record) => !before.has(record[key]) && isMadeFrom(record, each, invalid))
    if (!records || !added) return
    // If further records appear, other callers create some, and this one may be theirs.
    const after = new Set([...before, ...records.map((record) => record[key])])
    for (let looks = 0; looks < 3; looks++) {
      const later = await fetchRecords(session, collection.list, longest)
      if (!later || later.some((record) => !after.has(record[key]))) return
    }
    const message = `stored a record from a body that it refused`
    session.report(each, { rule: providerRuleSet.recordLeft, at: '', message })
  }
}

/**
 * Whether a record has the values of a body. Records that others create at the same time have other values.
 * @param invalid properties for which the body was refused; they may be stored with another value
 */
function isMadeFrom(record: RecordValues, { body }: Draft, invalid: ReadonlySet<string>): boolean {
  const sent = body && 'value' in body ? body.value : undefined
  if (typeof sent !== 'object' || sent === null) return true
  const shared = Object.entries(sent).filter(([name]) => Object.hasOwn(record, name) && !invalid.has(name))
  return shared.every(([name, value]) => isSame(record[name], value) || typeof value === 'object')
}
