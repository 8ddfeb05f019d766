/** Checks that an invalid body is refused and that nothing is stored from it. */
import { findContent, valueContentOf } from '../../../contract/body-content.js'
import type { Violation } from '../../../contract/violations.js'
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession } from '../probe-runner.js'
import {
  answeredRecord,
  isSameValue,
  keyedIn,
  longestList,
  type ProviderCollection,
  type RecordValues,
  withKey,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import type { Subject } from '../requests/checked-operation.js'
import {
  bodyValue,
  type Draft,
  describeViolations,
  isSameCase,
  placeOf,
  violationsOf,
  withBody,
} from '../requests/request-draft.js'
import { sentTypeOf } from '../requests/write-values.js'
import { fetchPage } from './probe-lists.js'

interface InvalidDraft {
  draft: Draft
  at: string
  /** Describes the invalid part. */
  description: string
  /** Absent if the JSON value itself is valid. */
  violations?: readonly Violation[]
}

/** Sends every invalid body, and text that is not JSON. */
export async function probeBodies(
  { contract, runner }: CheckPlan,
  subject: Subject,
  draft: Draft,
  collection: ProviderCollection | undefined,
): Promise<void> {
  /** The list of the records that the operation creates. */
  const list = subject.operation.effect.kind === 'create' ? collection?.list : undefined
  const key = collection?.model.key ?? ''
  for (const { draft: input, at, description, violations } of invalidDrafts()) {
    await runner.probe(
      input,
      async (session, each) => {
        const before = keysOf(await fetchListed(session))
        const held = await fetchHeld(session)
        const response = await session.send(each, 'invalid', { at, description })
        if (held && response && response.status >= 400) checkUnchanged(session, each, held, await fetchHeld(session))
        if (!before || !response || response.status < 400) return
        const invalid = new Set(violationsOf(contract, each).map((violation) => violation.at.split(/[.[]/)[0] ?? ''))
        await checkNothingStored(session, response.sent.draft, before, invalid)
      },
      (simpler) => violations !== undefined && isSameCase(violations, violationsOf(contract, simpler)),
    )
  }

  function* invalidDrafts(): Iterable<InvalidDraft> {
    const seen = new Set<string>()
    for (const value of subject.bodies) {
      const invalid = withBody(draft, value)
      const violations = violationsOf(contract, invalid)
      const description = describeViolations(violations)
      if (violations.length === 0 || seen.has(description)) continue
      seen.add(description)
      yield { draft: invalid, at: placeOf(violations), description, violations }
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
    const contentType = 'text/plain'
    yield { draft: { ...draft, contentType }, at: 'content type', description: `Content-Type: ${contentType}` }
  }

  /** The record that the request is about. */
  async function fetchHeld(session: ProbeSession): Promise<RecordValues | undefined> {
    const keyed = collection && keyedIn(collection, subject.operation)
    const { read } = collection ?? {}
    if (!keyed || !read) return undefined
    const key = draft.parameters.path[keyed.operation.effect.parameter]
    return answeredRecord(await session.send(withKey(read, key), 'any', { at: 'read' }))
  }

  function checkUnchanged(
    session: ProbeSession,
    each: Draft,
    before: RecordValues,
    after: RecordValues | undefined,
  ): void {
    const changed = collection?.written.find((name) => after && !isSameValue(before[name], after[name]))
    if (changed === undefined) return
    const message = `changed ${changed}, although it refused the request`
    session.report(each, { rule: providerRuleSet.refusedButChanged, at: '', message })
  }

  async function fetchListed(session: ProbeSession): Promise<RecordValues[] | undefined> {
    return list && (await fetchPage(contract, session, list, longestList(contract, list)))?.records
  }

  function keysOf(records: RecordValues[] | undefined): Set<unknown> | undefined {
    return records && new Set(records.map((record) => record[key]))
  }

  async function checkNothingStored(
    session: ProbeSession,
    each: Draft,
    before: ReadonlySet<unknown>,
    invalid: ReadonlySet<string>,
  ): Promise<void> {
    const records = await fetchListed(session)
    if (!records?.some((record) => !before.has(record[key]) && isMadeFrom(record, each, invalid))) return
    // If more records appear, other callers create some, and this one may be theirs.
    const after = new Set([...before, ...records.map((record) => record[key])])
    for (let looks = 0; looks < 3; looks++) {
      const later = await fetchListed(session)
      if (!later || later.some((record) => !after.has(record[key]))) return
    }
    const message = `stored a record from a body that it refused`
    session.report(each, { rule: providerRuleSet.recordLeft, at: '', message })
  }
}

/**
 * Whether a record has the values of a body. Records that others create at the same time have other values.
 * @param invalid the properties that caused the refusal; they may be stored with another value
 */
function isMadeFrom(record: RecordValues, draft: Draft, invalid: ReadonlySet<string>): boolean {
  const sent = bodyValue(draft)
  if (typeof sent !== 'object' || sent === null) return true
  const shared = Object.entries(sent).filter(([name]) => Object.hasOwn(record, name) && !invalid.has(name))
  return shared.every(([name, value]) => isSameValue(record[name], value) || typeof value === 'object')
}
