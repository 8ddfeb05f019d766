/** Checks that callers can't choose the key of a record if the document does not allow it. */
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession } from '../probe-runner.js'
import {
  answeredRecord,
  isSameValue,
  type ProviderCollection,
  type SubjectOf,
  withKey,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { bodyValue, givenIn, isValid, withProperty } from '../requests/request-draft.js'
import { accept } from '../requests/unique-values.js'
import { otherNumbers, otherTexts, saltOf } from '../values/other-values.js'

/** Creates, replaces and updates records with a key in the body. */
export async function probeGivenKeys(
  { contract, runner, unique, created }: CheckPlan,
  collection: ProviderCollection,
): Promise<void> {
  const { model, create, read, replace, update } = collection
  if (!create) return
  for (const subject of [create, replace, update]) {
    if (!subject?.draft.body || subject.mayGive(model.key)) continue
    await runner.run((session) => checkGivenKey(session, subject))
  }

  async function checkGivenKey(
    session: ProbeSession,
    subject: SubjectOf<'create'> | SubjectOf<'replace' | 'update'>,
  ): Promise<void> {
    // A creation changes no record, so any existing record shows the form of keys.
    const existing = subject === create ? created.remaining(collection)[0]?.key : undefined
    const own = existing ?? (await createOne(session))
    const given = own === undefined ? undefined : await chooseKey(session, own)
    if (own === undefined || given === undefined) return
    const draft =
      'parameter' in subject.operation.effect ? withKey(subject as SubjectOf<'replace'>, own) : subject.draft
    if (!givenIn(draft.operation, bodyValue(draft))) return
    const details = { at: 'given key', description: `with a ${model.key}` }
    const response = await session.send(withProperty(draft, model.key, given), 'any', details)
    if (!response || response.status >= 300) return
    accept(unique, response.sent, response)
    const answered = answeredRecord(response)?.[model.key]
    if (answered !== undefined && !isSameValue(answered, own)) created.add(collection, { key: answered })
    if (!isEqual(answered, given) && !(await isFound(session, given))) return
    created.add(collection, { key: given })
    const message = `took the ${model.key} ${given} from the body, although the document does not let callers write it`
    session.report(response.sent.draft, { rule: providerRuleSet.keyTaken, at: '', message })
  }

  async function createOne(session: ProbeSession): Promise<unknown> {
    return create && answeredRecord(await session.send(create.draft, 'success', { at: 'body' }))?.[model.key]
  }

  /** An unused key in the form of the service. */
  async function chooseKey(session: ProbeSession, own: unknown): Promise<unknown> {
    const variation = { salt: saltOf('given key', String(own)), number: 0 }
    const isNumber = typeof own === 'number' || typeof own === 'bigint'
    // The next number as text may be the next key.
    const isDigits = typeof own === 'string' && /^\d{1,15}$/.test(own)
    const keys: unknown[] = isNumber
      ? [...otherNumbers(own, variation)]
      : isDigits
        ? [...otherNumbers(Number(own), variation)].map(String)
        : [...otherTexts(String(own), variation)].reverse()
    const given = keys.find((key) => !read || isValid(contract, withKey(read, key)))
    return given !== undefined && (await isFound(session, given)) ? undefined : given
  }

  async function isFound(session: ProbeSession, key: unknown): Promise<boolean> {
    const found = read && answeredRecord(await session.send(withKey(read, key), 'any', { at: 'given key' }))
    return found !== undefined && isEqual(found[model.key], key)
  }
}

function isEqual(one: unknown, other: unknown): boolean {
  return one !== undefined && (isSameValue(one, other) || String(one) === String(other))
}
