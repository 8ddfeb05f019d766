/** Is a request without a valid key refused, on every operation that asks for one? */
import type { Credentials, Draft } from '../draft.js'
import type { ProbeContext } from './probe-context.js'

const ways: Record<Exclude<Credentials, 'valid'>, string> = {
  none: 'without credentials',
  unknown: 'with a key that nobody has',
  empty: 'with an empty key',
  'other-scheme': 'with the key by another scheme',
}

/** @param broken a request that breaks the contract as well, if there is one: the key comes first */
export async function probeCredentials({ lab }: ProbeContext, draft: Draft, broken: Draft | undefined): Promise<void> {
  const { security } = draft.operation
  // One empty alternative opens the operation to everyone.
  if (security.length === 0 || security.some((schemes) => schemes.length === 0)) return
  const ask = (input: Draft, words: string) =>
    lab.run<Draft>({
      input,
      run: async (each, wire) => {
        await wire.send(each, 'unauthorized', { at: words, words })
      },
    })
  for (const [credentials, words] of Object.entries(ways)) {
    await ask({ ...draft, credentials: credentials as Credentials }, words)
  }
  if (broken) await ask({ ...broken, credentials: 'none' }, 'without credentials, and broken otherwise')
}
