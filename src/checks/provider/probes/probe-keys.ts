/** What does a key get that no record has, or that is none? */
import type { Parameter } from '../../../contract/contract.js'
import type { Draft } from '../draft.js'
import { type ProviderCollection, type SubjectOf, withKey } from '../provider-collection.js'
import type { Subject } from '../subject.js'
import { violationsOf } from '../values/judge-draft.js'
import type { ProbeContext } from './probe-context.js'
import { isOnlyFormat } from './probe-parameters.js'

/** Keys of no record, by how keys are made. */
const unknownKeys: Record<string, readonly unknown[]> = {
  integer: [8_999_999_999_999_999, 2_000_000_011],
  uuid: ['00000000-dead-4bad-8bad-00000000beef'],
  string: ['no-such-record-7f3a9c'],
}

export async function probeKeys(
  { contract, lab }: ProbeContext,
  { model }: ProviderCollection,
  subject: SubjectOf<'read' | 'replace' | 'update' | 'remove'>,
): Promise<void> {
  const { parameter: name } = subject.operation.effect
  const parameter = subject.operation.parameters.find((each) => each.in === 'path' && each.name === name)
  if (!parameter) return
  const isValid = (key: unknown) => violationsOf(contract, withKey(subject, key)).length === 0
  const absent = [...(unknownKeys[model.keyKind] ?? []), ...beyond(subject, parameter)].filter(isValid)
  for (const key of mayCreate(subject) ? [] : absent) await ask(withKey(subject, key), 'unknown key', `${name}=${key}`)
  const malformed = subject.valuesOf(parameter).filter((key) => String(key) !== '' && !isValid(key))
  for (const key of malformed) {
    const draft = withKey(subject, key)
    const violations = violationsOf(contract, draft)
    if (violations.every(isOnlyFormat)) continue
    await ask(draft, `path ${name}`, violations.map(({ message }) => message).join('; '))
  }

  async function ask(input: Draft, at: string, words: string): Promise<void> {
    await lab.run<Draft>({
      input,
      run: async (draft, wire) => {
        await wire.send(draft, 'absent', { at, words })
      },
    })
  }
}

/** PUT may create what is not there (RFC 9110, section 9.3.4), if the document does not say otherwise. */
function mayCreate({ operation: { effect, responses } }: Subject): boolean {
  const has = (wanted: RegExp) => responses.some(({ status }) => wanted.test(status))
  return (effect.kind === 'replace' || effect.kind === 'update') && (has(/^201$/) || !has(/^(404|410|4XX|default)$/))
}

/** The greatest keys that are valid: where digits are lost, somebody else's record may come. */
function beyond(subject: Subject, parameter: Parameter): unknown[] {
  return subject.valuesOf(parameter).filter((value) => typeof value === 'bigint')
}
