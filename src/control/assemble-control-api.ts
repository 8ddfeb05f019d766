/** Combines the operations of the control API. Loaded on first use. */
import type { SandboxRequest } from '../sandbox/request/request.js'
import type { ValidRequest } from '../sandbox/validate.js'
import { type ControlResult, createControlApi } from './control-api.js'
import type { ControlOptions } from './control-options.js'
import { exchangeRoutes } from './routes/exchange-routes.js'
import { faultRoutes, keyRoutes } from './routes/key-routes.js'
import { aboutRoutes, operationRoutes } from './routes/operation-routes.js'
import { recordRoutes } from './routes/record-routes.js'
import { snapshotRoutes } from './routes/snapshot-routes.js'
import { openWorlds, worldRoutes } from './routes/world-routes.js'

/** Operations that use the records of all collections. */
const wholes: ReadonlySet<string> = new Set(['listCollections', 'getWorld', 'exportWorld', 'importWorld'])

export async function assembleControlApi(
  options: ControlOptions,
): Promise<(request: SandboxRequest) => Promise<ControlResult>> {
  const { engine, sandbox, contract, feed, onUnexpectedError } = options
  const worlds = openWorlds(options)
  const [inspected, own] = await Promise.all([options.inspect(), options.controlDocument()])
  const handlers = {
    getHealth: () => [200, { status: 'ok' }] as const,
    ...keyRoutes(engine, worlds, options),
    ...worldRoutes(worlds),
    ...recordRoutes(contract, worlds, inspected),
    ...snapshotRoutes(contract, worlds, options),
    ...faultRoutes(sandbox, worlds, options),
    ...exchangeRoutes(contract, { ...sandbox, journal: options.journal }, worlds, { ...options, inspected }),
    ...operationRoutes(contract, sandbox, worlds, inspected),
    ...aboutRoutes(sandbox, engine.keys, options),
  }
  const all = contract.collections.map(({ name }) => name)
  const prepare = async (id: string, { path }: ValidRequest) => {
    for (const name of wholes.has(id) ? all : [path['name']]) await options.prepare?.(String(name))
  }
  return createControlApi(own.contract, handlers, { prepare, onChange: feed.reportChange, onUnexpectedError })
}
