/** Checks what HTTP says of every resource: HEAD, and conditions of requests that the document describes. */
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession } from '../probe-runner.js'
import { withPathKey } from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, isValid, toProviderRequest, withParameter } from '../requests/request-draft.js'
import { unknownLike } from './probe-parameters.js'

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
    await checkMethod(plan, session, draft)
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

/** A method that the path does not have, for a record that does not exist. */
async function checkMethod(
  { caller, contract, canWrite }: CheckPlan,
  session: ProbeSession,
  draft: Draft,
): Promise<void> {
  const { path, parameters } = draft.operation
  const known = contract.operations.filter((each) => each.path === path).map(({ method }) => method)
  const method = ['DELETE', 'PATCH', 'PUT'].find((each) => !known.some((own) => own === each))
  const keys = parameters.filter((each) => each.in === 'path')
  if (!canWrite || method === undefined || keys.length === 0) return
  const unknown = keys.reduce(
    (each, { name }) => withPathKey(each, name, unknownLike(each.parameters.path[name])),
    draft,
  )
  const response = await session.sendOther({ ...toProviderRequest(unknown, caller), method })
  if (response?.status !== 405 || response.headers['allow'] !== undefined) return
  const message = `answered 405 to ${method} without Allow`
  session.report(draft, { rule: providerRuleSet.allowMissing, at: '', message, isGeneral: true })
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
