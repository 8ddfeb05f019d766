/** Checks that an operation refuses requests without a valid key. */
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession } from '../probe-runner.js'
import { providerRuleSet } from '../provider-rules.js'
import { type CredentialsKind, keyOfKind, otherSchemeOf, schemesOf } from '../requests/credentials-kinds.js'
import { type Draft, isSafe } from '../requests/request-draft.js'

/** These texts are part of the ids of findings, which baselines contain: never change them. */
const refused: readonly [CredentialsKind, description: string][] = [
  ['none', 'without credentials'],
  ['unknown', 'with a key that nobody has'],
  ['empty', 'with an empty key'],
  ['other-scheme', 'with the key by another scheme'],
]

/** Keys that are valid only for a service that compares only the beginning. */
const similar: readonly [CredentialsKind, description: string][] = [
  ['extended', 'with more characters after the key'],
  ['shortened', 'without the last character of the key'],
]

/**
 * Does nothing for an operation that needs no key.
 * @param invalid an invalid request, if there is one: the key must be checked before anything else
 */
export async function probeCredentials(plan: CheckPlan, draft: Draft, invalid: Draft | undefined): Promise<void> {
  const { contract, runner } = plan
  const { security, effect } = draft.operation
  // An empty alternative means that no key is needed.
  if (security.length === 0 || security.some((schemes) => schemes.length === 0)) return
  const expectRefusal = (input: Draft, credentials: CredentialsKind, description: string) =>
    runner.send({ ...input, credentials }, 'unauthorized', { at: description, description })
  const hasOtherScheme = otherSchemeOf(schemesOf(draft.operation, contract).flat()) !== undefined
  for (const [credentials, description] of refused) {
    if (credentials !== 'other-scheme' || hasOtherScheme) await expectRefusal(draft, credentials, description)
  }
  if (invalid) await expectRefusal(invalid, 'none', 'without credentials, and broken otherwise')
  // A similar key may be the valid one of somebody else, whose data must not change.
  if (!isSafe(draft) || effect.kind === 'undescribed') return
  for (const [credentials, description] of similar) await probeSimilarKey(plan, { ...draft, credentials }, description)
}

/**
 * A service may accept any name after a fixed prefix, such as `sandbox-<name>`. So an accepted similar key is a finding only
 * if a key with another name is refused.
 */
async function probeSimilarKey({ runner, caller }: CheckPlan, draft: Draft, description: string): Promise<void> {
  const otherName: Draft = { ...draft, credentials: 'other-name' }
  if ([draft, otherName].some(({ credentials }) => keyOfKind(credentials, caller.key) === undefined)) return
  const statusOf = async (input: Draft, onSuccess?: (session: ProbeSession) => void): Promise<number> => {
    let status = 0
    await runner.run(async (session) => {
      const response = await session.send(input, 'any', { at: description, description })
      status = response?.status ?? 0
      if (isSuccess(status)) onSuccess?.(session)
    })
    return status
  }
  if (!isSuccess(await statusOf(draft))) return
  const other = await statusOf(otherName)
  if (other !== 401 && other !== 403) return
  const message = `succeeded ${description}, although a key with another end is refused with ${other}`
  await statusOf(draft, (session) =>
    session.report(draft, { rule: providerRuleSet.partialKeyAccepted, at: description, message }),
  )
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
