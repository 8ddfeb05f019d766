/** Puts the operations of the control API together. Loaded when it is used for the first time. */
import type { Answer } from '../sandbox/outcome.js'
import type { SandboxRequest } from '../sandbox/request.js'
import { createControlApi } from './control-api.js'
import type { ControlOptions } from './control-options.js'
import { exchangeRoutes } from './exchange-routes.js'
import { faultRoutes } from './fault-routes.js'
import { keyRoutes } from './key-routes.js'
import { recordRoutes } from './record-routes.js'
import { snapshotRoutes } from './snapshot-routes.js'
import { openWorlds, worldRoutes } from './world-routes.js'

export async function openApi({
  engine,
  sandbox,
  contract,
  controlDocument,
  reasons,
  version,
  revoked,
  onUnexpectedError,
}: ControlOptions): Promise<(request: SandboxRequest) => Promise<Answer>> {
  const worlds = openWorlds(engine, sandbox)
  const handlers = {
    getHealth: () => [200, { status: 'ok' }] as const,
    ...keyRoutes(engine, worlds, revoked),
    ...worldRoutes(worlds),
    ...recordRoutes(contract, worlds),
    ...snapshotRoutes(contract, worlds),
    ...faultRoutes(sandbox, worlds),
    ...exchangeRoutes(contract, sandbox, worlds, { reasons, version }),
  }
  return createControlApi((await controlDocument()).contract, handlers, onUnexpectedError)
}
