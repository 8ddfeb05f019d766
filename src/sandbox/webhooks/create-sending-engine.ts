/** Creates an engine that sends the callbacks and webhooks of its contract, if it has any. */
import { createEngine, type Engine, type EngineOptions } from '../create-engine.js'
import { sendWebhooks, type WebhookOptions } from './send-webhooks.js'

export function createSendingEngine(
  options: EngineOptions,
  sending: Omit<WebhookOptions, 'onUnexpectedError'>,
): Engine {
  const { contract, onUnexpectedError = () => {} } = options
  if (!contract.webhooks) return createEngine(options)
  const { parts = options.parts } = sending.keep ?? {}
  const engine = createEngine({ ...options, parts })
  sendWebhooks(engine, { ...sending, onUnexpectedError })
  return engine
}
