/** Follows the links that a document describes for an answer (OpenAPI 3.1, section 4.8.20), as far as they only read. */
import type { OpenApiDocument } from '../../../document/document.js'
import { oncePer } from '../../../document/once.js'
import { resolve } from '../../../document/references.js'
import { fromJsonPointer } from '../../../json/json-pointer.js'
import { isObject } from '../../../json/own-value.js'
import { describeOperations } from '../../../schemas/operations/describe-operations.js'
import type { CheckPlan } from '../plan-check.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, isSafe, isValid, withParameter } from '../requests/request-draft.js'
import { evaluate, fill } from './expressions.js'

interface DocumentedLink {
  name: string
  operationId: string | undefined
  operationRef: string | undefined
  parameters: Readonly<Record<string, unknown>>
}

/** The links of each operation by status. */
type DocumentedLinks = ReadonlyMap<string, ReadonlyMap<string, readonly DocumentedLink[]>>

const linksOf = oncePer((document: OpenApiDocument): DocumentedLinks => {
  const byOperation = describeOperations(document).map(({ id, responses }) => {
    const byStatus = [...responses].map(([status, { value, path }]) => {
      const links = Object.entries((value as { links?: Record<string, object> }).links ?? {})
      return [
        status,
        links.map(([name, written]) =>
          toLink(name, resolve<object>(document, written, [...path, 'links', name]).value),
        ),
      ] as const
    })
    return [id, new Map(byStatus.filter(([, links]) => links.length > 0))] as const
  })
  return new Map(byOperation.filter(([, byStatus]) => byStatus.size > 0))
})

function toLink(name: string, { operationId, operationRef, parameters }: Partial<DocumentedLink>): DocumentedLink {
  return { name, operationId, operationRef, parameters: isObject(parameters) ? parameters : {} }
}

/** Sends a request that succeeds, and then what its links lead to. */
export async function followLinks(
  { caller, contract, document, runner, subjects }: CheckPlan,
  draft: Draft,
): Promise<void> {
  const byStatus = linksOf(document).get(draft.operation.id)
  if (!byStatus) return
  await runner.run(async (session) => {
    const answer = await session.send(draft, 'any', { at: 'links' })
    if (!answer || answer.status >= 300) return
    for (const { name, operationId, operationRef = '', parameters } of byStatus.get(String(answer.status)) ?? []) {
      const [, path, method = ''] = fromJsonPointer(operationRef.split('#')[1] ?? '')
      const target = subjects.find(({ operation }) =>
        operationId === undefined
          ? operation.path === path && operation.method === method.toUpperCase()
          : operation.id === operationId,
      )
      if (!target?.draft || !isSafe(target.draft)) continue
      const linked = Object.entries(parameters).reduce<Draft | undefined>((each, [written, value]) => {
        const [, place, own = written] = /^(path|query|header|cookie)\.(.*)$/s.exec(written) ?? []
        const parameter = target.operation.parameters.find(
          (known) => known.name === own && (place === undefined || known.in === place),
        )
        const filled =
          typeof value === 'string' && value.startsWith('$')
            ? evaluate(value, { answer, names: {}, caller })
            : fill(value, { answer, names: {}, caller })
        return each && parameter && filled !== undefined ? withParameter(each, parameter.in, own, filled) : undefined
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
