/** Checks the responses to keys that no record has and to malformed keys. */
import type { CollectionModel } from '../../../contract/contract.js'
import type { Parameter } from '../../../contract/request-model.js'
import { type ProviderCollection, type SubjectOf, withKey } from '../provider-collection.js'
import type { Subject } from '../requests/checked-operation.js'
import type { Draft } from '../requests/request-draft.js'
import { violationsOf } from '../values/judge-draft.js'
import type { ProbeContext } from './probe-context.js'
import { isOnlyFormat } from './probe-parameters.js'

/** Keys that no record has, by kind of key. */
const unknownKeys: Record<string, readonly unknown[]> = {
  integer: [8_999_999_999_999_999, 2_000_000_011],
  uuid: ['00000000-dead-4bad-8bad-00000000beef'],
  string: ['no-such-record-7f3a9c'],
}

/** Requests records that do not exist by one operation. */
export async function probeKeys(
  { contract, runner }: ProbeContext,
  { model }: ProviderCollection,
  subject: SubjectOf<'read' | 'replace' | 'update' | 'remove'>,
): Promise<void> {
  const { parameter: name } = subject.operation.effect
  const parameter = subject.operation.parameters.find((each) => each.in === 'path' && each.name === name)
  if (!parameter) return
  const isValid = (key: unknown) => violationsOf(contract, withKey(subject, key)).length === 0
  // Those of reads are sent with all parameters.
  const unusual = subject.operation.method === 'GET' ? [] : subject.unusualTexts(parameter)
  const unknown = [...(unknownKeys[model.keyKind] ?? []), ...unsafeKeys(subject, parameter), ...unusual]
  const absent = unknown.filter(isValid)
  for (const key of mayCreate(subject) || !showsKeys(model) ? [] : absent) {
    await expectNotFound(withKey(subject, key), 'unknown key', `${name}=${key}`)
  }
  const malformed = [...subject.valuesOf(parameter), ...unusual].filter((key) => String(key) !== '' && !isValid(key))
  for (const key of malformed) {
    const draft = withKey(subject, key)
    const violations = violationsOf(contract, draft)
    if (violations.every(isOnlyFormat)) continue
    await expectNotFound(draft, `path ${name}`, violations.map(({ message }) => message).join('; '))
  }

  async function expectNotFound(input: Draft, at: string, description: string): Promise<void> {
    await runner.run<Draft>({
      input,
      run: async (draft, session) => {
        await session.send(draft, 'absent', { at, description })
      },
    })
  }
}

/** Whether any answer shows which keys there are. Without one, nobody knows which key no record has. */
function showsKeys(model: CollectionModel): boolean {
  return !('sample' in model)
}

/** PUT may create a missing record (RFC 9110, section 9.3.4), unless the document rules it out. */
function mayCreate({ operation: { effect, responses } }: Subject): boolean {
  const has = (wanted: RegExp) => responses.some(({ status }) => wanted.test(status))
  if (effect.kind !== 'replace' && effect.kind !== 'update') return false
  // Its summary may say that it adds what is missing, although 404 is documented for what is above the record.
  return effect.creates !== undefined || has(/^201$/) || !has(/^(404|410|4XX|default)$/)
}

/** Keys beyond 2^53. A provider that rounds them may return another record. */
function unsafeKeys(subject: Subject, parameter: Parameter): unknown[] {
  return subject.valuesOf(parameter).filter((value) => typeof value === 'bigint')
}
