/** Operations on the exchanges of the journal, and on what the operations of the document met. */
import type { RequestContract } from '../contract/contract.js'
import type { ExchangeFilter } from '../sandbox/exchanges.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Exchange } from '../state/journal.js'
import type { ControlHandlers } from './control-api.js'
import type { ControlOptions } from './control-options.js'
import { pairs, textOf, toHar } from './har.js'
import { createRedact } from './redact.js'
import { toWorldId } from './world-ids.js'
import type { WorldsOfControl } from './world-routes.js'

interface Sent extends Omit<ExchangeFilter, 'key'> {
  world?: string
  limit?: number
  timeoutMs?: number
}

export function exchangeRoutes(
  contract: RequestContract,
  { exchanges, apiKeys }: Sandbox,
  { keyOf }: Pick<WorldsOfControl, 'keyOf'>,
  { reasons, version }: Pick<ControlOptions, 'reasons' | 'version'>,
): ControlHandlers {
  const redactFor = createRedact(contract, apiKeys)
  const urls = new Map(contract.servers.map(({ name, url }) => [name, url]))

  function toFilter({ world, limit: _, timeoutMs: __, ...filter }: Sent): ExchangeFilter {
    return world === undefined ? filter : { ...filter, key: keyOf(world) }
  }

  function describe({
    id,
    at,
    key,
    server,
    operation,
    refused,
    violations,
    notes,
    request,
    response,
    sent,
  }: Exchange): object {
    const redact = redactFor(key)
    return {
      id,
      at: new Date(at).toISOString(),
      ...(key !== undefined && { world: toWorldId(key) }),
      ...(server !== undefined && { environment: server }),
      ...(operation !== undefined && { operation }),
      ...(refused !== undefined && { refused }),
      ...(violations && { violations }),
      ...(sent && { sent: { ...sent, url: redact.text(sent.url) } }),
      notes,
      request: {
        method: request.method,
        path: request.path,
        query: redact.query(request.query),
        headers: pairs(request.headers, redact),
        ...(request.body !== undefined && { body: redact.text(request.body) }),
      },
      response: {
        status: response.status,
        headers: Object.entries(response.headers).map(([name, value]) => ({ name, value: redact.header(name, value) })),
        ...(response.body !== undefined && { body: redact.text(textOf(response.body).text) }),
      },
    }
  }

  return {
    async listExchanges({ query }) {
      const { limit = 100 } = query as Sent
      const found = await exchanges.list(toFilter(query as Sent))
      return [200, limit === 0 ? [] : found.slice(-limit).map(describe)]
    },
    async exportExchanges({ query }) {
      const found = await exchanges.list(toFilter(query as Sent))
      const toUrl = ({ server, request, sent }: Exchange) =>
        sent ? (sent.url.split('?')[0] ?? '') : (urls.get(server ?? '') ?? '') + request.path
      return [200, toHar(found, { version, toUrl, redactFor })]
    },
    async waitForExchange({ body }) {
      const sent = body.value as Sent
      const { timeoutMs } = sent
      return [200, describe(await exchanges.wait(toFilter(sent), timeoutMs === undefined ? {} : { timeoutMs }))]
    },
    async listOperations({ query }) {
      const met = new Map<string, Set<number>>()
      for (const { operation, response } of await exchanges.list(toFilter(query as Sent)))
        if (operation !== undefined) met.set(operation, (met.get(operation) ?? new Set<number>()).add(response.status))
      const known = await reasons()
      return [
        200,
        contract.operations.map(({ id, method, path, effect, responses }) => {
          const reason = known.get(id)
          return {
            id,
            method,
            path,
            effect: effect.kind,
            ...('collection' in effect && { collection: effect.collection }),
            ...(reason !== undefined && { reason }),
            documented: responses.map(({ status }) => status),
            met: [...(met.get(id) ?? [])].sort((one, other) => one - other),
          }
        }),
      ]
    },
  }
}
