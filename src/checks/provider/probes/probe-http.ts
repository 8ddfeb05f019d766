/** Checks what HTTP says of every resource: HEAD, and conditions of requests that the document describes. */
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession } from '../probe-runner.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, isValid, toProviderRequest, withParameter } from '../requests/request-draft.js'

/** @param draft a GET that succeeds */
export async function probeHttp(plan: CheckPlan, draft: Draft): Promise<void> {
  const { contract, runner } = plan
  const { parameters, responses } = draft.operation
  const condition = parameters.find((each) => each.in === 'header' && /^if-none-match$/i.test(each.name))?.name
  const isDocumented = responses.some(({ status }) => status === '304')
  await runner.run(async (session) => {
    const response = await session.send(draft, 'any')
    if (!response || response.status >= 300) return
    await checkHead(plan, session, draft, response.status)
    const tag = response.headers['etag']
    if (condition === undefined || !isDocumented || tag === undefined) return
    for (const value of [tag, `"other-7f3a9c", ${tag}`]) {
      const conditional = withParameter(draft, 'header', condition, value)
      const again = isValid(contract, conditional) && (await session.send(conditional, 'any', { at: condition }))
      if (!again || again.status >= 400 || again.status === 304) continue
      const message = `answered ${again.status} to If-None-Match: ${value}, although the ETag is ${tag}`
      session.report(conditional, { rule: providerRuleSet.conditionNotKept, at: 'If-None-Match', message })
    }
  })
}

async function checkHead(
  { caller, contract }: CheckPlan,
  session: ProbeSession,
  draft: Draft,
  status: number,
): Promise<void> {
  const response = await session.sendOther({ ...toProviderRequest(draft, caller), method: 'HEAD' })
  if (!response || response.status === status) return
  const message = `answered ${response.status} to HEAD, and ${status} to the same GET`
  const isDocumented = contract.operations.some(
    ({ method, path }) => method === 'HEAD' && path === draft.operation.path,
  )
  const severity = isDocumented ? 'error' : 'warning'
  session.report(draft, { rule: providerRuleSet.headDiffers, at: 'HEAD', message, severity })
}
