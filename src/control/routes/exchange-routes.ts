/** Operations on the exchanges of the journal. */
import type { RequestContract } from '../../contract/contract.js'
import { createHideCredentials } from '../../contract/hiding/hide-credentials.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import type { ExchangeFilter } from '../../sandbox/facade/exchanges.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import type { Exchange } from '../../state/journal.js'
import type { ControlHandlers } from '../control-api.js'
import type { ControlOptions } from '../control-options.js'
import { createDescribe } from '../describe-exchange.js'
import { createStreamExchanges } from '../exchange-stream.js'
import { toHar } from '../har.js'
import type { Inspected } from '../inspected.js'
import { mapInSlices } from '../slices.js'
import type { WorldsOfControl } from './world-routes.js'

interface Sent extends Omit<ExchangeFilter, 'key'> {
  /** The id of their world. */
  key?: string
  limit?: number
  timeoutMs?: number
}

/** Limited, because each of them checks each exchange. */
const maxWaits = 100

export function exchangeRoutes(
  contract: RequestContract,
  { exchanges, journal, defaultKey }: Sandbox,
  { find, isOf }: Pick<WorldsOfControl, 'find' | 'isOf'>,
  { inspected, version, feed, ended }: { inspected: Inspected } & Pick<ControlOptions, 'version' | 'feed' | 'ended'>,
): ControlHandlers {
  const hideCredentials = createHideCredentials(contract, [defaultKey], '[hidden]')
  const describe = createDescribe(contract, inspected, hideCredentials)
  const streamExchanges = createStreamExchanges({ journal, feed, describe, ended })
  let waits = 0
  const urls = new Map(contract.servers.map(({ name, url }) => [name, url]))

  async function toFilter({ key: id, limit: _, timeoutMs: __, ...filter }: Sent): Promise<ExchangeFilter> {
    return id === undefined ? filter : { ...filter, where: await isOf(id) }
  }

  return {
    async listExchanges({ query }) {
      const { limit = 100 } = query as Sent
      const found = await exchanges.list(await toFilter(query as Sent))
      return [200, limit === 0 ? [] : await mapInSlices(found.slice(-limit), describe)]
    },
    async exportExchanges({ query }) {
      const found = await exchanges.list(await toFilter(query as Sent))
      const toUrl = ({ server, request, sent }: Exchange) =>
        sent ? (sent.url.split('?')[0] ?? '') : (urls.get(server ?? '') ?? '') + request.path
      return [200, await toHar(found, { version, toUrl, hideCredentials })]
    },
    async waitForExchange({ body }, request) {
      const sent = body.value as Sent
      const { timeoutMs } = sent
      const filter = await toFilter(sent)
      if (waits >= maxWaits)
        throw new SandboxError('NO_ROOM', `${maxWaits} requests wait for an exchange; end one before you send another`)
      waits++
      const options = { signal: request.left?.(), ...(timeoutMs !== undefined && { timeoutMs }) }
      const found = await exchanges.wait(filter, options).finally(() => waits--)
      return [200, describe(found)]
    },
    async streamExchanges({ query }, request) {
      const { key: id, after = 0, instance } = query as Sent & { instance?: string }
      // The last received event has priority over the original start.
      const last = Number(request.header('last-event-id') || after)
      if (!Number.isSafeInteger(last))
        throw new RangeError(`Last-Event-ID must be the id of an exchange (got "${last}")`)
      const world = id === undefined ? undefined : await find(id)
      return [200, streamExchanges({ after: last, instance, world })]
    },
  }
}
