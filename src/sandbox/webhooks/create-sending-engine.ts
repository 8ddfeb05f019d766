/** Creates an engine that sends the callbacks and webhooks of its contract, if it has any. */
import { createEngine, type Engine, type EngineOptions } from '../create-engine.js'
import { sendWebhooks, type WebhookOptions } from './send-webhooks.js'
import { createSign } from './sign.js'

export interface SendingOptions extends Omit<WebhookOptions, 'onUnexpectedError' | 'sign'> {
  /** The secret that signs what is sent. @default nothing is signed */
  webhookSecret?: string | undefined
}

export function createSendingEngine(options: EngineOptions, { webhookSecret, ...sending }: SendingOptions): Engine {
  const { contract, onUnexpectedError = () => {} } = options
  if (!contract.webhooks) return createEngine(options)
  const { parts = options.parts } = sending.keep ?? {}
  const engine = createEngine({ ...options, parts })
  const sign = webhookSecret === undefined ? undefined : createSign(webhookSecret, contract)
  sendWebhooks(engine, { ...sending, sign, onUnexpectedError })
  return engine
}
