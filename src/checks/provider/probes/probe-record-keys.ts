/** Checks the responses to keys that no record has and to malformed keys. */
import type { CheckPlan } from '../plan-check.js'
import { type ProviderCollection, type SubjectOf, withKey } from '../provider-collection.js'
import type { Subject } from '../requests/checked-operation.js'
import { describeViolations, isAcceptable, violationsOf } from '../values/judge-draft.js'

/** Keys that no record has, by kind of key. */
const unknownKeys: Record<string, readonly unknown[]> = {
  integer: [8_999_999_999_999_999, 2_000_000_011],
  uuid: ['00000000-dead-4bad-8bad-00000000beef'],
  string: ['no-such-record-7f3a9c'],
}

/** Requests records that do not exist by one operation. */
export async function probeKeys(
  { contract, runner }: CheckPlan,
  { model }: ProviderCollection,
  subject: SubjectOf<'read' | 'replace' | 'update' | 'remove'>,
): Promise<void> {
  const { effect, method, parameters } = subject.operation
  const name = effect.parameter
  const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
  if (!parameter) return
  const violationsWith = (key: unknown) => violationsOf(contract, withKey(subject, key))
  // For reads, unusual texts are sent with all parameters.
  const unusual = method === 'GET' ? [] : subject.unusualTexts(parameter)
  const values = subject.valuesOf(parameter)
  // A provider that rounds keys beyond 2^53 may return another record.
  const beyond = values.filter((value) => typeof value === 'bigint')
  // If no answer shows the existing keys, it is unknown which keys are unused.
  const isKnown = !('sample' in model) && !mayCreate(subject)
  for (const key of isKnown ? [...(unknownKeys[model.keyKind] ?? []), ...beyond, ...unusual] : []) {
    if (violationsWith(key).length > 0) continue
    await runner.send(withKey(subject, key), 'absent', { at: 'unknown key', description: `${name}=${key}` })
  }
  for (const key of [...values, ...unusual]) {
    const violations = violationsWith(key)
    if (String(key) === '' || isAcceptable(violations)) continue
    const details = { at: `path ${name}`, description: describeViolations(violations) }
    await runner.send(withKey(subject, key), 'absent', details)
  }
}

/** PUT may create a missing record (RFC 9110, section 9.3.4), unless the document rules it out. */
function mayCreate({ operation: { effect, responses } }: Subject): boolean {
  const has = (wanted: RegExp) => responses.some(({ status }) => wanted.test(status))
  if (effect.kind !== 'replace' && effect.kind !== 'update') return false
  // The summary may say that missing records are added, even if 404 is documented for missing owners.
  return effect.creates !== undefined || has(/^201$/) || !has(/^(404|410|4XX|default)$/)
}
