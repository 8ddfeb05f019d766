/** Follows the links that a document describes for an answer (OpenAPI 3.1, section 4.8.20), as far as they only read. */
import { documentedLinks } from '../../../schemas/operations/documented-links.js'
import type { CheckPlan } from '../plan-check.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, isSafe, isValid, withParameter } from '../requests/request-draft.js'
import { evaluate, fill } from './expressions.js'

/** Sends a request that succeeds, and then what its links lead to. */
export async function followLinks(
  { caller, contract, document, runner, subjects }: CheckPlan,
  draft: Draft,
): Promise<void> {
  const links = documentedLinks(document).filter(({ from }) => from.id === draft.operation.id)
  if (links.length === 0) return
  await runner.run(async (session) => {
    const answer = await session.send(draft, 'any', { at: 'links' })
    if (!answer || answer.status >= 300) return
    for (const { name, to, parameters } of links.filter(({ status }) => status === String(answer.status))) {
      const target = subjects.find(({ operation }) => operation.id === to.id)
      if (!target?.draft || !isSafe(target.draft)) continue
      const linked = parameters.reduce<Draft | undefined>((each, { known, value }) => {
        const filled =
          typeof value === 'string' && value.startsWith('$')
            ? evaluate(value, { answer, names: {}, caller })
            : fill(value, { answer, names: {}, caller })
        return each && known && filled !== undefined ? withParameter(each, known.in, known.name, filled) : undefined
      }, target.draft)
      const response =
        linked && isValid(contract, linked) ? await session.send(linked, 'any', { at: `link ${name}` }) : undefined
      if (linked && (!response || response.status < 400)) continue
      const why = linked ? `leads to ${response?.status}` : 'has a parameter without a value'
      const message = `the link ${name} of the answer to ${draft.operation.id} ${why}`
      session.report(draft, { rule: providerRuleSet.linkBroken, at: `link ${name}`, message })
    }
  })
}
