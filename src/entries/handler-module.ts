/** The engine that `export msw` writes to a file, before the contract of another document: see `cli/export-command.ts`. */
import equal from 'ajv/dist/runtime/equal.js'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import type { HttpHandler } from 'msw'
import type { RequestContract } from '../contract/contract.js'
import { parseExactJson } from '../json/exact-json.js'
import { allCodecs } from '../media/all-codecs.js'
import { type BaseUrl, toAddresses } from '../msw/base-url.js'
import { createSandboxHandlers } from '../msw/create-handlers.js'
import { checkOptions } from '../sandbox/check-options.js'
import { createEngine, type EngineOptions, type Sandbox } from '../sandbox/create-engine.js'
import { allEffects } from '../sandbox/effects/all-effects.js'
import type { Scenario } from '../state/scenario.js'

/** What validators that were made ahead of time ask for by name. */
export const runtime: Record<string, unknown> = {
  'ajv/dist/runtime/equal': equal,
  'ajv/dist/runtime/ucs2length': ucs2length,
}

export interface HandlerModuleOptions extends Omit<EngineOptions, 'contract' | 'parts'> {
  /** The sandbox that answers. @default a new one, made with the other options */
  sandbox?: Sandbox
  /** Where the service is called. @default the documented addresses of all servers */
  baseUrl?: BaseUrl
}

export interface HandlerModule {
  handlers: HttpHandler[]
  sandbox: Sandbox
}

const parts = { effects: allEffects, codecs: allCodecs }

/** @param scenarioText JSON text of what every world begins with */
export function createHandlerModule(
  contract: RequestContract,
  scenarioText: string,
): (options?: HandlerModuleOptions) => HandlerModule {
  const standardScenario = parseExactJson(scenarioText).exact as Scenario

  return function createHandlers({ sandbox, baseUrl, scenario, ...options }: HandlerModuleOptions = {}): HandlerModule {
    checkOptions(options)
    const own = sandbox ?? createEngine({ contract, parts, scenario: scenario ?? standardScenario, ...options })
    return { handlers: createSandboxHandlers(own, toAddresses(contract, baseUrl)), sandbox: own }
  }
}
