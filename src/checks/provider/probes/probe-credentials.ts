/** Checks that an operation refuses requests without a valid key. */
import type { CredentialsKind, Draft } from '../request-draft.js'
import type { ProbeContext } from './probe-context.js'

/** These texts are part of the ids of findings, which baselines contain: never change them. */
const descriptions: Record<Exclude<CredentialsKind, 'valid'>, string> = {
  none: 'without credentials',
  unknown: 'with a key that nobody has',
  empty: 'with an empty key',
  'other-scheme': 'with the key by another scheme',
}

/**
 * Does nothing for an operation that needs no key.
 * @param invalid an invalid request, if there is one: the key must be checked before anything else
 */
export async function probeCredentials(
  { runner }: ProbeContext,
  draft: Draft,
  invalid: Draft | undefined,
): Promise<void> {
  const { security } = draft.operation
  // An empty alternative means that no key is needed.
  if (security.length === 0 || security.some((schemes) => schemes.length === 0)) return
  const expectRefusal = (input: Draft, description: string) =>
    runner.run<Draft>({
      input,
      run: async (each, session) => {
        await session.send(each, 'unauthorized', { at: description, description })
      },
    })
  for (const [credentials, description] of Object.entries(descriptions)) {
    await expectRefusal({ ...draft, credentials: credentials as CredentialsKind }, description)
  }
  if (invalid) await expectRefusal({ ...invalid, credentials: 'none' }, 'without credentials, and broken otherwise')
}
