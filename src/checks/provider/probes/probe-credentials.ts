/** Checks that an operation refuses requests without a valid key. */

import type { ProbeSession } from '../probe-runner.js'
import { providerRuleSet } from '../provider-rules.js'
import { type CredentialsKind, keyOfKind, otherSchemeOf } from '../requests/credentials-kinds.js'
import { type Draft, schemesOf } from '../requests/request-draft.js'
import type { ProbeContext } from './probe-context.js'
import { isSafe } from './probe-parameters.js'

/** These texts are part of the ids of findings, which baselines contain: never change them. */
const descriptions = {
  none: 'without credentials',
  unknown: 'with a key that nobody has',
  empty: 'with an empty key',
  'other-scheme': 'with the key by another scheme',
} satisfies Partial<Record<CredentialsKind, string>>

/** Keys that are valid only for a service that compares just the beginning. */
const similar = {
  extended: 'with more characters after the key',
  shortened: 'without the last character of the key',
} satisfies Partial<Record<CredentialsKind, string>>

/**
 * Does nothing for an operation that needs no key.
 * @param invalid an invalid request, if there is one: the key must be checked before anything else
 */
export async function probeCredentials(context: ProbeContext, draft: Draft, invalid: Draft | undefined): Promise<void> {
  const { runner } = context
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
  const schemes = schemesOf(draft.operation, context.contract).flat()
  for (const [credentials, description] of Object.entries(descriptions)) {
    if (credentials === 'other-scheme' && otherSchemeOf(schemes) === undefined) continue
    await expectRefusal({ ...draft, credentials: credentials as CredentialsKind }, description)
  }
  if (invalid) await expectRefusal({ ...invalid, credentials: 'none' }, 'without credentials, and broken otherwise')
  // A similar key may be the valid one of somebody else, whose data must not change.
  if (!isSafe(draft) || draft.operation.effect.kind === 'undescribed') return
  for (const [credentials, description] of Object.entries(similar)) {
    await probeSimilarKey(context, { ...draft, credentials: credentials as CredentialsKind }, description)
  }
}

/**
 * A service may accept any name after a fixed beginning, such as `sandbox-<name>`. So a similar key that is accepted is
 * a finding only if a key with another name is refused.
 */
async function probeSimilarKey({ runner, caller }: ProbeContext, draft: Draft, description: string): Promise<void> {
  if (keyOfKind(draft.credentials, caller.key) === undefined) return
  const otherName: Draft = { ...draft, credentials: 'other-name' }
  if (keyOfKind(otherName.credentials, caller.key) === undefined) return
  const statusOf = async (each: Draft, onAnswer?: (session: ProbeSession) => void): Promise<number> => {
    let status = 0
    await runner.run<Draft>({
      input: each,
      run: async (input, session) => {
        const response = await session.send(input, 'any', { at: description, description })
        status = response?.status ?? 0
        if (isSuccess(status)) onAnswer?.(session)
      },
    })
    return status
  }
  if (!isSuccess(await statusOf(draft))) return
  const other = await statusOf(otherName)
  if (other !== 401 && other !== 403) return
  await statusOf(draft, (session) =>
    session.report(draft, {
      rule: providerRuleSet.partialKeyAccepted,
      at: description,
      message: `succeeded ${description}, although a key with another end is refused with ${other}`,
    }),
  )
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
