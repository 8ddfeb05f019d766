/** Describes an exchange for the control API: without credentials, and with the reason for its answer. */
import type { RequestContract } from '../contract/contract.js'
import type { Exchange } from '../state/journal.js'
import { pairs, textOf } from './har.js'
import type { Inspected } from './inspected.js'
import type { Redact } from './redact.js'
import { explainExchange, sentBody } from './why.js'
import { toWorldId } from './world-ids.js'

export type DescribeExchange = (exchange: Exchange) => object

export function createDescribe(
  contract: RequestContract,
  inspected: Inspected,
  redactFor: (key: string | undefined) => Redact,
): DescribeExchange {
  return (exchange) => {
    const { id, at, key, server, operation, refused, violations, notes, request, response, sent } = exchange
    const redact = redactFor(key)
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
        violations: violations.map((each) => ({
          ...each,
          message: redact.text(each.message),
          ...(operation !== undefined && each.rule !== 'unlisted' && inspected.locate(operation, each, body)),
        })),
      }),
      ...(sent && { sent: { ...sent, url: redact.text(sent.url) } }),
      notes: notes.map(redact.text),
      why: { ...why, text: redact.text(why.text) },
      request: {
        method: request.method,
        path: redact.path(request.path),
        query: redact.query(request.query),
        headers: pairs(request.headers, redact),
        ...(request.body !== undefined && { body: redact.text(request.body) }),
      },
      response: {
        status: response.status,
        headers: Object.entries(response.headers).map(([name, value]) => ({ name, value: redact.header(name, value) })),
        ...(response.body !== undefined && describeBody(response.body, redact)),
      },
    }
  }
}

function describeBody(body: string | Uint8Array, redact: Redact): object {
  const { text, encoding } = textOf(body)
  return encoding === undefined ? { body: redact.text(text) } : { body: text, encoding }
}
