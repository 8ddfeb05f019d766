/** Checks that a created record exists afterwards with the values that were sent: by its key, in lists, and later. */
import { givenIn, sentRecord } from '../given-record.js'
import { isKept } from '../kept-values.js'
import type { ProbeSession } from '../probe-runner.js'
import {
  isSame,
  longestList,
  matchesFilters,
  namesOf,
  type ProviderCollection,
  type RecordValues,
  recordOf,
  recordsOf,
  type SubjectOf,
  toText,
  withKey,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, withBody, withParameter } from '../requests/request-draft.js'
import { violationsOf } from '../values/judge-draft.js'
import { simplerDrafts } from '../values/simpler-drafts.js'
import type { ProbeContext } from './probe-context.js'
import { probeBodies } from './probe-invalid-bodies.js'
import { fetchPage, fetchRecords } from './probe-lists.js'

interface NewRecord {
  key: unknown
  record: RecordValues
  /** The request that created it, as it was sent. */
  draft: Draft
}

/** Records that are created concurrently, to see whether a key is used twice. */
const concurrentCreations = 6

/** Creates records with every valid body, and looks for each of them. Tries to create some with every invalid body. */
export async function probeRecords(
  context: ProbeContext,
  collection: ProviderCollection,
  create: SubjectOf<'create'>,
): Promise<void> {
  const { contract, runner, unique, created } = context
  const { model, list, read } = collection
  const keys = new Set<unknown>()
  const isValid = (draft: Draft) => violationsOf(contract, draft).length === 0
  // A schema may allow anything, but a record is an object.
  const drafts = create.bodies
    .filter((body) => givenIn(create.operation, body))
    .map((body) => withBody(create.draft, body))
    .filter(isValid)
  const [first = create.draft] = drafts
  const withCharset: Draft = { ...first, contentType: `${first.contentType}; charset=utf-8` }

  await runner.run({ input: undefined, run: (_, session) => collectKeys(session) })
  await probeCreation(first)
  // A provider that takes what is missing for an empty text may have a record with an empty one later.
  await probeBodies(context, create, create.draft, collection)
  for (const draft of [...drafts.slice(1), withCharset]) await probeCreation(draft)
  await runner.run({
    input: undefined,
    run: async (_, session) => {
      const creations = Array.from({ length: concurrentCreations }, () => createRecord(session, first))
      // Waits for all of them, as the clean-up after a failure must know every record.
      await Promise.allSettled(creations)
      await Promise.all(creations)
    },
  })

  async function probeCreation(draft: Draft): Promise<void> {
    await runner.run<Draft>({
      input: draft,
      run: async (input, session) => {
        const made = await createRecord(session, input)
        if (!made) return
        await checkRead(session, made)
        await checkListed(session, made)
        if (input === first) await checkElsewhere(session, made)
        if (input === first) await createDuplicate(session, made)
      },
      simplify: (input) => simplerDrafts(input, isValid),
    })
  }

  async function collectKeys(session: ProbeSession): Promise<void> {
    const records = list && (await fetchRecords(session, list, longestList(contract, list)))
    for (const record of records ?? []) keys.add(record[model.key])
    created.keep(collection, keys)
    unique.learnRecords(model, records ?? [])
  }

  /** A service may refuse the values of an existing record, in its own way. Shows which, and that it does not fail. */
  async function createDuplicate(session: ProbeSession, { draft }: NewRecord): Promise<void> {
    const description = 'with the values of an existing record'
    const response = await session.send(draft, 'any', { at: 'duplicate', description, isExact: true })
    if (!response) return
    unique.learnRefusal(response.sent, response)
    const key = response.status < 300 ? recordOf(response)?.[model.key] : undefined
    if (key !== undefined) keys.add(key)
  }

  async function createRecord(session: ProbeSession, input: Draft): Promise<NewRecord | undefined> {
    const response = await session.send(input, 'success', { at: 'body', description: describeBody })
    const answered = response && response.status < 300 ? recordOf(response) : undefined
    if (!response || !answered) return undefined
    const { draft } = response.sent
    const wording = { was: 'sent', is: 'answered', at: 'created' }
    checkValues(session, draft, create, wording, sentRecord(draft), answered)
    const key = answered[model.key]
    if (key === undefined) return undefined
    // With another status the response may be an existing record.
    if (keys.has(key) && response.status === create.operation.effect.status) {
      const message = `answered the ${model.key} ${key}, which another record already has`
      session.report(draft, { rule: providerRuleSet.keyReused, at: '', message })
    }
    const record = { ...sentRecord(draft), ...answered }
    // Which of the records is found by a key that two have is uncertain.
    if (keys.has(key)) for (const each of created.remaining(collection)) if (each.key === key) delete each.record
    created.add(collection, keys.has(key) ? { key } : { key, record })
    keys.add(key)
    return { key, record, draft }
  }

  async function checkRead(session: ProbeSession, { key, record, draft }: NewRecord): Promise<void> {
    if (!read) return
    const response = await session.send(withKey(read, key), 'found', { at: 'just created' })
    const found = response && response.status < 300 ? recordOf(response) : undefined
    if (found) checkValues(session, withKey(read, key), read, { was: 'created', is: 'read', at: 'read' }, record, found)
    if (found && !isSame(found[model.key], key)) {
      const message = `answered the record ${found[model.key]} for the key ${key}`
      session.report(draft, { rule: providerRuleSet.recordChanged, at: `read ${model.key}`, message })
    }
  }

  /** In the unfiltered list, and in the list with each filter that the record matches. */
  async function checkListed(session: ProbeSession, { key, record }: NewRecord): Promise<void> {
    if (!list) return
    const longest = longestList(contract, list)
    const filtered = list.operation.effect.filters.flatMap(({ parameter, property }) => {
      const value = record[property]
      const narrowed = withParameter(longest, 'query', parameter, value)
      return value === undefined || value === '' || typeof value === 'object' || !isValid(narrowed)
        ? []
        : [{ parameter, draft: narrowed }]
    })
    for (const { parameter, draft } of [{ parameter: undefined, draft: longest }, ...filtered]) {
      const page = await fetchPage(contract, session, list, draft)
      const found = page?.records.find((each) => isSame(each[model.key], key))
      if (found) checkValues(session, draft, list, { was: 'created', is: 'listed', at: 'listed' }, record, found)
      if (!page?.isComplete || found || !matchesFilters(list, draft, record)) continue
      const where =
        parameter === undefined ? 'the list' : `the list with ${parameter}=${draft.parameters.query[parameter]}`
      const rule = parameter === undefined ? providerRuleSet.recordLost : providerRuleSet.filterNotKept
      const at = parameter === undefined ? 'listed' : `query ${parameter}: left out`
      session.report(draft, { rule, at, message: `left the record ${key} out of ${where}, right after creating it` })
    }
  }

  /** A record belongs only to the owner that it was created below. Its values are its own, even if its key is not. */
  async function checkElsewhere(session: ProbeSession, { key, record }: NewRecord): Promise<void> {
    const { elsewhere, written } = collection
    const response = elsewhere && (await session.send(elsewhere, 'any', { at: 'list' }))
    const others = list && response && recordsOf(list.operation.effect, response)
    const isIt = (each: RecordValues) => {
      const shared = written.filter((name) => Object.hasOwn(each, name) && Object.hasOwn(record, name))
      return shared.length > 1 && shared.every((name) => isSame(each[name], record[name]))
    }
    if (!elsewhere || !others?.some(isIt)) return
    const message = `listed the record ${key} below a record that it was not created below`
    session.report(elsewhere, { rule: providerRuleSet.filterNotKept, at: 'path: another owner', message })
  }

  /** Each property that callers send must have the same value in the response, if the response has that property. */
  function checkValues(
    session: ProbeSession,
    draft: Draft,
    { operation: { effect } }: SubjectOf<'list' | 'create' | 'read'>,
    { was, is, at }: { was: string; is: string; at: string },
    before: RecordValues,
    after: RecordValues,
  ): void {
    const answered = namesOf(contract, effect.shape)
    for (const name of collection.written) {
      if (!answered.includes(name) || !Object.hasOwn(before, name)) continue
      if (isKept(contract, effect, name, before[name], after)) continue
      // The service chooses the key.
      if (was === 'sent' && name === model.key) continue
      const [one, other] = [before[name], after[name]].map((value) => JSON.stringify(value, toText) ?? 'missing')
      const message = `${name} was ${was} as ${shorten(one)} and ${is} as ${shorten(other)}`
      session.report(draft, { rule: providerRuleSet.recordChanged, at: `${at} ${name}`, message })
    }
  }
}

/** Checks at the end that records created earlier still exist unchanged. */
export async function probePersistence(
  { contract, runner, unique, created }: ProbeContext,
  collection: ProviderCollection,
): Promise<void> {
  const { model, read, written } = collection
  if (!read) return
  // The first and the last ones, as providers lose records by age or by number.
  const remaining = created
    .remaining(collection)
    .flatMap(({ key, record }) => (record && !unique.wasAnswered(model, key) ? [{ key, record }] : []))
  const { shape } = read.operation.effect
  const known = namesOf(contract, shape).filter((name) => written.includes(name))
  const some = [...new Set([...remaining.slice(0, 10), ...remaining.slice(-10)])]
  for (const { key, record } of some) {
    await runner.run({
      input: undefined,
      run: async (_, session) => {
        const draft = withKey(read, key)
        const response = await session.send(draft, 'found', {
          at: 'later',
          description: 'created earlier in this check',
        })
        const found = response && response.status < 300 ? recordOf(response) : undefined
        const changed =
          found &&
          known.find(
            (name) =>
              Object.hasOwn(record, name) && !isKept(contract, read.operation.effect, name, record[name], found),
          )
        if (changed === undefined) return
        const message = `${changed} was created as ${JSON.stringify(record[changed], toText)} and is ${JSON.stringify(found?.[changed], toText)} later`
        session.report(draft, { rule: providerRuleSet.recordChanged, at: `later ${changed}`, message })
      },
    })
  }
}

function describeBody(draft: Draft): string {
  return shorten(JSON.stringify(sentRecord(draft), toText))
}

function shorten(text = ''): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
