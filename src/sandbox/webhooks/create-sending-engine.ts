/** Creates an engine that sends the callbacks and webhooks of its contract, if it has any. */
import { createEngine, type Engine, type EngineOptions } from '../create-engine.js'
import { sendWebhooks, type WebhookOptions } from './send-webhooks.js'

export function createSendingEngine(
  options: EngineOptions,
  sending: Omit<WebhookOptions, 'onUnexpectedError'>,
): Engine {
  const { contract, onUnexpectedError = () => {} } = options
  const engine = createEngine(options)
  if (contract.webhooks) sendWebhooks(engine, { ...sending, onUnexpectedError })
  return engine
}
