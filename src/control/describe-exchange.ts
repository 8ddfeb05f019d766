/** Describes an exchange for the control API: without credentials, and with the reason for its answer. */
import type { RequestContract } from '../contract/contract.js'
import type { HideCredentials } from '../contract/hiding/hide-credentials.js'
import type { Exchange } from '../state/journal.js'
import { describeHeaders, textOf } from './har.js'
import type { Inspected } from './inspected.js'
import { toWorldId } from './kept.js'
import { explainExchange, sentBody } from './why.js'

export type DescribeExchange = (exchange: Exchange) => object

export function createDescribe(
  contract: RequestContract,
  inspected: Inspected,
  hideCredentials: HideCredentials,
): DescribeExchange {
  return (exchange) => {
    const { id, at, key, server, operation, refused, violations, source } = exchange
    const { exchange: shown, hide } = hideCredentials(exchange)
    const { notes, request, response, sent } = shown
    const why = explainExchange(contract, inspected, exchange)
    const body = violations && sentBody(exchange)
    return {
      id,
      at: new Date(at).toISOString(),
      ...(key !== undefined && { world: toWorldId(key) }),
      ...(server !== undefined && { environment: server }),
      ...(operation !== undefined && { operation }),
      ...(refused !== undefined && { refused }),
      ...(violations && {
        violations: violations.map((each, index) => ({
          ...each,
          ...shown.violations?.[index],
          ...(operation !== undefined && each.rule !== 'unlisted' && inspected.locate(operation, each, body)),
        })),
      }),
      ...(source !== undefined && { source: hide(source) }),
      ...(sent && { sent }),
      notes,
      why: { ...why, text: hide(why.text) },
      request: {
        method: request.method,
        path: request.path,
        query: request.query,
        headers: describeHeaders(request.headers),
        ...(request.body !== undefined && { body: request.body }),
      },
      response: {
        status: response.status,
        headers: describeHeaders(Object.entries(response.headers).flat()),
        ...(response.body !== undefined && describeBody(response.body)),
      },
    }
  }
}

function describeBody(body: string | Uint8Array): object {
  const { text, encoding } = textOf(body)
  return { body: text, ...(encoding && { encoding }) }
}
