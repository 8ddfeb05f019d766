/** Checks that a created record exists afterwards with the values that were sent: by its key, in lists, and later. */
import { equalFilters } from '../../../contract/effects/list-query.js'
import { toJson } from '../../../json/exact-json.js'
import { valueAt } from '../../../json/nested.js'
import { isObject } from '../../../json/own-value.js'
import { isKept } from '../kept-values.js'
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession } from '../probe-runner.js'
import {
  answeredRecord,
  isSameValue,
  isTime,
  longestList,
  matchesFilters,
  namesOf,
  type ProviderCollection,
  type RecordValues,
  recordOf,
  recordsOf,
  type SubjectOf,
  usableKey,
  withKey,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import {
  bodyValue,
  type Draft,
  givenIn,
  givenPath,
  isValid,
  sentRecord,
  toProviderRequest,
  withBody,
  withParameter,
} from '../requests/request-draft.js'
import { settleCreation } from '../requests/settle-creation.js'
import { learnRecords, learnRefusal, scopeOf, wasAnswered } from '../requests/unique-values.js'
import { type Leaf, leavesOf, withValueAt } from '../values/other-values.js'
import { probeBodies } from './probe-invalid-bodies.js'
import { fetchPage } from './probe-lists.js'

interface NewRecord {
  key: unknown
  record: RecordValues
  /** The request that created it. */
  draft: Draft
  /** The Location in the answer. */
  location: string | undefined
}

/** Records that are created concurrently, to see whether a key is used twice. */
const concurrentCreations = 6

/** Bodies that a refused one is compared with. */
const maxAccepted = 10

/** The records that are created in one collection. */
interface Creation {
  plan: CheckPlan
  collection: ProviderCollection
  create: SubjectOf<'create'>
  /** The keys of all its records, as far as they are known. */
  keys: Set<unknown>
  /** Records that existed before. */
  known: readonly RecordValues[]
  /** The first bodies that the service has accepted. */
  accepted: unknown[]
}

/** Creates records with every valid body, and looks for each of them. Tries to create some with every invalid body. */
export async function probeRecords(
  plan: CheckPlan,
  collection: ProviderCollection,
  create: SubjectOf<'create'>,
): Promise<void> {
  const { contract, runner } = plan
  const creation: Creation = { plan, collection, create, keys: new Set(), known: [], accepted: [] }
  await runner.run((session) => collectKeys(session, creation))
  // Later, because the clean-up never removes what existed before.
  await settleCreation(plan, collection)
  // A schema may allow anything, but a record is an object.
  const drafts = create.bodies
    .filter((body) => givenIn(create.operation, body))
    .map((body) => withBody(create.draft, body))
    .filter((draft) => isValid(contract, draft))
  const [first = create.draft] = drafts
  const withCharset: Draft = { ...first, contentType: `${first.contentType}; charset=utf-8` }

  await probeCreation(creation, first, first)
  // Sent early: a provider that treats missing values as empty texts may later have a record with an empty one.
  await probeBodies(plan, create, create.draft, collection)
  for (const draft of [...drafts.slice(1), withCharset]) await probeCreation(creation, draft, first)
  await runner.run(async (session) => {
    const creations = Array.from({ length: concurrentCreations }, () => createRecord(session, creation, first))
    // Waits for all of them, because the clean-up after a failure must know every record.
    await Promise.allSettled(creations)
    await Promise.all(creations)
  })
}

/** @param first the one request whose record is also looked for elsewhere, and created twice */
async function probeCreation(creation: Creation, draft: Draft, first: Draft): Promise<void> {
  const { contract, runner } = creation.plan
  await runner.probe(
    draft,
    async (session, input) => {
      const made = await createRecord(session, creation, input)
      if (!made) return
      await checkRead(session, creation, made)
      await checkListed(session, creation, made)
      if (input !== first) return
      await checkLocation(session, creation, made)
      await checkElsewhere(session, creation, made)
      await createDuplicate(session, creation, made)
    },
    (simpler) => isValid(contract, simpler),
  )
}

async function collectKeys(session: ProbeSession, creation: Creation): Promise<void> {
  const { plan, collection, keys } = creation
  const { contract, created, unique } = plan
  const { list, model } = collection
  const page = list && (await fetchPage(contract, session, list, longestList(contract, list)))
  const records = page?.records ?? []
  creation.known = records
  for (const record of records) keys.add(record[model.key])
  created.keep(collection, keys)
  learnRecords(unique, model, records)
}

/** Finds out how the service refuses the values of an existing record, and that it does not fail. */
async function createDuplicate(
  session: ProbeSession,
  { plan: { unique }, collection: { model }, keys }: Creation,
  { draft }: NewRecord,
): Promise<void> {
  const description = 'with the values of an existing record'
  const response = await session.send(draft, 'any', { at: 'duplicate', description, isExact: true })
  if (!response) return
  learnRefusal(unique, response.sent, response)
  const key = answeredRecord(response)?.[model.key]
  if (key !== undefined) keys.add(key)
}

async function createRecord(session: ProbeSession, creation: Creation, input: Draft): Promise<NewRecord | undefined> {
  const { plan, collection, create, keys } = creation
  const { model } = collection
  const { created } = plan
  const response = await session.send(input, 'success', { at: 'body', description: describeBody })
  if (response && response.status >= 400) checkRefusal(session, creation, input, response.status)
  const answered = answeredRecord(response)
  if (!response || !answered) return undefined
  if (creation.accepted.length < maxAccepted) creation.accepted.push(bodyValue(input))
  const { draft } = response.sent
  checkValues(
    session,
    creation,
    draft,
    create,
    { was: 'sent', is: 'answered', at: 'created' },
    sentRecord(draft),
    answered,
  )
  checkDefaults(session, creation, draft, answered)
  for (const name of create.writeOnly.filter((each) => answered[each] !== undefined && answered[each] !== null)) {
    const message = `answered ${name}, which is writeOnly`
    session.report(draft, { rule: providerRuleSet.writeOnlyShown, at: name, message })
  }
  for (const name of collection.written)
    if (!Object.hasOwn(sentRecord(draft), name)) collection.standards.set(name, answered[name])
  const key = usableKey(plan.contract, collection, answered)
  if (key === undefined) return undefined
  // With another status the response may be an existing record.
  if (keys.has(key) && response.status === create.operation.effect.status) {
    const message = `answered the ${model.key} ${key}, which another record already has`
    session.report(draft, { rule: providerRuleSet.keyReused, at: '', message })
  }
  const record = { ...sentRecord(draft), ...answered }
  // If two records have the same key, it is uncertain which one is found.
  if (keys.has(key)) for (const each of created.remaining(collection)) if (each.key === key) delete each.record
  created.add(collection, keys.has(key) ? { key } : { key, record })
  keys.add(key)
  return { key, record, draft, location: response.headers['location'] }
}

async function checkRead(session: ProbeSession, creation: Creation, { key, record, draft }: NewRecord): Promise<void> {
  const { model, read } = creation.collection
  if (!read) return
  const reading = withKey(read, key)
  const found = answeredRecord(await session.send(reading, 'found', { at: 'just created' }))
  if (!found) return
  checkValues(session, creation, reading, read, { was: 'created', is: 'read', at: 'read' }, record, found)
  if (isSameValue(found[model.key], key)) return
  const message = `answered the record ${found[model.key]} for the key ${key}`
  session.report(draft, { rule: providerRuleSet.recordChanged, at: `read ${model.key}`, message })
}

/** The address in the answer must lead to the record. */
async function checkLocation(
  session: ProbeSession,
  { plan, collection: { read, model } }: Creation,
  made: NewRecord,
): Promise<void> {
  const { key, draft, location } = made
  if (!read || location === undefined) return
  const own = toProviderRequest(withKey(read, key), plan.caller)
  const url = addressOf(location, toProviderRequest(draft, plan.caller).url, new URL(own.url))
  if (url && (url.href === own.url || url.origin !== new URL(own.url).origin)) return
  const response = url && (await session.sendOther({ ...own, url: url.href }))
  const record = response && response.status < 300 ? recordOf(response, read.operation.effect) : undefined
  if (record && isSameValue(record[model.key], key)) return
  const status = response ? `, which is answered with ${response.status}` : ''
  const message = `answered the Location ${cut(location)} for the record ${key}${status}`
  session.report(draft, { rule: providerRuleSet.locationWrong, at: 'Location', message })
}

/** What a Location names, relative to the request (RFC 9110, section 10.2.2), with a key that is sent in the query. */
function addressOf(location: string, base: string, { searchParams }: URL): URL | undefined {
  if (!URL.canParse(location, base)) return undefined
  const url = new URL(location, base)
  for (const [name, value] of searchParams) if (!url.searchParams.has(name)) url.searchParams.set(name, value)
  return url
}

/** In the unfiltered list, and in the list with each filter that the record matches. */
async function checkListed(session: ProbeSession, creation: Creation, { key, record }: NewRecord): Promise<void> {
  const { contract } = creation.plan
  const { model, list } = creation.collection
  if (!list) return
  const longest = longestList(contract, list)
  const filtered = equalFilters(list.operation.effect.query).flatMap(
    ({ name: parameter, properties: [property = ''] }) => {
      const value = record[property]
      const narrowed = withParameter(longest, 'query', parameter, value)
      return value === undefined || value === '' || typeof value === 'object' || !isValid(contract, narrowed)
        ? []
        : [{ parameter, draft: narrowed }]
    },
  )
  for (const { parameter, draft } of [{ parameter: undefined, draft: longest }, ...filtered]) {
    const page = await fetchPage(contract, session, list, draft)
    const found = page?.records.find((each) => isSameValue(each[model.key], key))
    if (found)
      checkValues(session, creation, draft, list, { was: 'created', is: 'listed', at: 'listed' }, record, found)
    if (!page?.isComplete || found || !matchesFilters(list, draft, record)) continue
    const where =
      parameter === undefined ? 'the list' : `the list with ${parameter}=${draft.parameters.query[parameter]}`
    const rule = parameter === undefined ? providerRuleSet.recordLost : providerRuleSet.filterNotKept
    const at = parameter === undefined ? 'listed' : `query ${parameter}: left out`
    session.report(draft, { rule, at, message: `left the record ${key} out of ${where}, right after creating it` })
  }
}

/** Checks that a record appears only below its owner. Compares values, because keys of different owners may be equal. */
async function checkElsewhere(
  session: ProbeSession,
  { collection }: Creation,
  { key, record }: NewRecord,
): Promise<void> {
  const { elsewhere, list, written } = collection
  const response = elsewhere && (await session.send(elsewhere, 'any', { at: 'list' }))
  const others = list && response && recordsOf(list.operation.effect, response)
  const isIt = (each: RecordValues) => {
    const shared = written.filter((name) => Object.hasOwn(each, name) && Object.hasOwn(record, name))
    return shared.length > 1 && shared.every((name) => isSameValue(each[name], record[name]))
  }
  if (!elsewhere || !others?.some(isIt)) return
  const message = `listed the record ${key} below a record that it was not created below`
  session.report(elsewhere, { rule: providerRuleSet.filterNotKept, at: 'path: another owner', message })
}

/**
 * A service may refuse valid values with 422 for its own reasons, if it has 400 for invalid ones. These are rules between
 * numbers, times or records, and seldom about a text.
 */
function checkRefusal(session: ProbeSession, { plan, create, accepted }: Creation, input: Draft, status: number): void {
  const { responses, id } = create.operation
  const { way } = scopeOf(plan.unique, create.operation)
  const isNamed = [400, 422].every((each) => responses.some((response) => response.status === String(each)))
  if (status !== 422 || !isNamed) return
  const own = leavesOf(bodyValue(input))
  // A text that must stay as it is may be the code of something that exists.
  const isFree = (leaf: Leaf) =>
    typeof leaf.value === 'boolean' ||
    (typeof leaf.value === 'string' &&
      !isTime(leaf.value) &&
      way.varies(leaf) &&
      !plan.unique.kept.has(`${id} ${leaf.name}`))
  const differences = accepted.map((body) => {
    const usual = new Map(leavesOf(body).map(({ path, value }) => [path.join(), value]))
    return own.filter(({ path, value }) => usual.get(path.join()) !== value)
  })
  const other = differences.find((leaves) => leaves.length > 0 && leaves.every(isFree))
  if (!other) return
  const names = [...new Set(other.map(({ name }) => name))].join(', ')
  const message = `answered 422 to a valid request (another ${names} than in one that it accepts)`
  session.report(input, { rule: providerRuleSet.validRefused, severity: 'warning', at: `body ${names}`, message })
}

/** What the request leaves out has its default (OpenAPI 3.0, section 4.7.24.1), if the answer shows it. */
function checkDefaults(
  session: ProbeSession,
  { plan: { contract }, create: { operation, defaults }, known }: Creation,
  draft: Draft,
  answered: RecordValues,
): void {
  const given = givenPath(operation)
  for (const { path, value, isAlwaysShown } of defaults) {
    const own = path.slice(given.length)
    const name = own.at(-1)
    const holderIn = (record: unknown) => valueAt(record, own.slice(0, -1))
    const [sent, holder] = [holderIn(sentRecord(draft)), holderIn(answered)]
    if (name === undefined || !isObject(sent) || Object.hasOwn(sent, name) || !isObject(holder)) continue
    const shown = holder[name]
    const alike = known
      .map(holderIn)
      .filter((each) => isObject(each) && Object.keys(holder).every((other) => other in each))
    const isUsual = alike.length > 1 && alike.every((each) => isObject(each) && each[name] !== undefined)
    if (isSameValue(shown, value) || (shown === undefined && !isAlwaysShown && !isUsual)) continue
    // Another alternative of the schema may not have it.
    if (shown === undefined && !isValid(contract, withValue(draft, path, value))) continue
    const message = `answered ${own.join('.')} as ${cut(toJson(shown) ?? 'missing')}, which was left out and has the default ${cut(toJson(value))}`
    const severity = shown === undefined && !isAlwaysShown ? 'warning' : 'error'
    session.report(draft, { rule: providerRuleSet.defaultNotKept, severity, at: `body ${path.join('.')}`, message })
  }
}

/** Each property that callers send must have the same value in the response, if the response has that property. */
function checkValues(
  session: ProbeSession,
  { plan: { contract }, collection }: Creation,
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
    if (was === 'sent' && name === collection.model.key) continue
    const [one, other] = [before[name], after[name]].map((value) => toJson(value) ?? 'missing')
    const message = `${name} was ${was} as ${cut(one)} and ${is} as ${cut(other)}`
    session.report(draft, { rule: providerRuleSet.recordChanged, at: `${at} ${name}`, message })
  }
}

/** Checks at the end that records created earlier still exist unchanged. */
export async function probePersistence(
  { contract, runner, unique, created }: CheckPlan,
  collection: ProviderCollection,
): Promise<void> {
  const { model, read, written } = collection
  if (!read) return
  const { effect } = read.operation
  const known = namesOf(contract, effect.shape).filter((name) => written.includes(name))
  const remaining = created
    .remaining(collection)
    .flatMap(({ key, record }) => (record && !wasAnswered(unique, model, key) ? [{ key, record }] : []))
  // The first and the last ones, because providers may lose records by age or by number.
  for (const { key, record } of new Set([...remaining.slice(0, 10), ...remaining.slice(-10)])) {
    await runner.run(async (session) => {
      const draft = withKey(read, key)
      const details = { at: 'later', description: 'created earlier in this check' }
      const found = answeredRecord(await session.send(draft, 'found', details))
      const isChanged = (name: string) =>
        found && Object.hasOwn(record, name) && !isKept(contract, effect, name, record[name], found)
      const changed = known.find(isChanged)
      if (changed === undefined) return
      const [before, after] = [record, found].map((values) => toJson(values?.[changed]))
      const message = `${changed} was created as ${before} and is ${after} later`
      session.report(draft, { rule: providerRuleSet.recordChanged, at: `later ${changed}`, message })
    })
  }
}

function withValue(draft: Draft, path: readonly string[], value: unknown): Draft {
  return withBody(draft, withValueAt(bodyValue(draft), path, value))
}

function describeBody(draft: Draft): string {
  return cut(toJson(sentRecord(draft)))
}

function cut(text = ''): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
