/** Describes an exchange for the control API: without credentials, and with the reason for its answer. */
import type { CollectionModel, RequestContract } from '../contract/contract.js'
import type { HideCredentials } from '../contract/hiding/hide-credentials.js'
import type { Exchange } from '../state/journal.js'
import type { Values } from '../state/stored-record.js'
import { joinNames } from '../state/world-id.js'
import { describeHeaders, textOf } from './har.js'
import type { Inspected } from './inspected.js'
import { toShownId } from './kept.js'
import { explainExchange, sentBody } from './why.js'

/** Of an exchange that changed more records, the first ones are named. */
const maxChanges = 20

export type DescribeExchange = (exchange: Exchange) => object

export function createDescribe(
  contract: RequestContract,
  inspected: Inspected,
  hideCredentials: HideCredentials,
): DescribeExchange {
  return (exchange) => {
    const { id, at, key, apiKey, server, operation, refused, violations, source, changes } = exchange
    const { exchange: shown, hide } = hideCredentials(exchange)
    const { notes, request, response, sent } = shown
    const why = explainExchange(contract, inspected, exchange)
    const body = violations && sentBody(exchange)
    return {
      id,
      at: new Date(at).toISOString(),
      ...(key !== undefined && { world: toShownId(joinNames({ key, apiKey })) }),
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
      ...(changes && {
        changes: changes.slice(0, maxChanges).map(({ collection, server: environment, before, after }) => {
          const model = contract.collections.find(({ name }) => name === collection)
          const kind = before ? (after ? 'changed' : 'removed') : 'added'
          return {
            collection,
            environment,
            kind,
            identity: model ? identityOf(model, after ?? before).map((each) => hide(each)) : [],
          }
        }),
      }),
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

/** The text of a value. Objects of documents have no prototype, so `String` fails for them. */
export function toText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** The key of a record and those of its owners, outermost first, as the inspector has them in its addresses. */
export function identityOf(
  { key, scope = [] }: Pick<CollectionModel, 'key' | 'scope'>,
  values: Values | undefined,
): string[] {
  return [key, ...scope.map(({ property }) => property)].map((name) => toText(values?.[name] ?? ''))
}

function describeBody(body: string | Uint8Array): object {
  const { text, encoding } = textOf(body)
  return { body: text, ...(encoding && { encoding }) }
}
