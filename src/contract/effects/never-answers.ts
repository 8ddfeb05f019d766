/** Finds the documented refusals that nothing which a caller does gets. */
import type { Operation, RequestContract } from '../contract.js'

/** The documented refusals that only faults answer with: nothing that a caller does gets them. */
export function neverAnswers({ schemes }: Pick<RequestContract, 'schemes'>, operation: Operation): string[] {
  const { responses, parameters, body, security, effect, invalidStatus, conflictStatus, extras, lifecycle } = operation
  const documented = responses.map(({ status }) => status)
  const first = (...statuses: string[]) => statuses.find((status) => documented.includes(status)) ?? ''
  const isWriting = ['create', 'replace', 'update', 'action'].includes(effect.kind)
  const reads = parameters.length > 0 || body !== undefined
  const possible = new Set([
    // What any request may get: no such method, media type, size, too many.
    ...['405', '406', '408', '413', '415', '429', String(invalidStatus), String(conflictStatus)],
    ...(security.length > 0 ? [first('401', '403')] : []),
    // Malformed credentials are refused everywhere.
    ...(Object.keys(schemes).length > 0 ? ['401'] : []),
    ...(reads ? [first('400', '422'), first('400', '404', '422'), '404'] : []),
    ...(isWriting ? [first('409', '422', '400')] : []),
    ...(extras?.kind === 'http' ? ['412', '428'] : []),
    ...(lifecycle.deprecated ? [first('410', '404')] : []),
  ])
  const text = JSON.stringify({ effect, extras }, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return documented.filter((status) => /^4\d\d$/.test(status) && !possible.has(status) && !text.includes(`:${status}`))
}
