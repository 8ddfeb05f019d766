/** Creates an engine that sends the callbacks and webhooks of its contract, if it has any. */
import { createEngine, type Engine, type EngineOptions } from '../create-engine.js'
import { followEffects } from './follow-effects.js'
import { type HookOptions, sendHooks } from './send-webhooks.js'

export function createSendingEngine(
  options: EngineOptions,
  sending: Omit<HookOptions, 'changed' | 'onUnexpectedError'>,
): Engine {
  const { contract, parts, onUnexpectedError = () => {} } = options
  if (!contract.hooks) return createEngine(options)
  const operations = new Set(contract.hooks.flatMap(({ on }) => on))
  const { effects, changed } = followEffects(parts.effects, operations)
  const engine = createEngine({ ...options, parts: { ...parts, effects } })
  sendHooks(engine, { ...sending, changed, onUnexpectedError })
  return engine
}
