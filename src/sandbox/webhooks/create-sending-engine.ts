/** Creates an engine that sends the callbacks and webhooks of its contract, if it has any. */

import type { RequestContract } from '../../contract/contract.js'
import type { Later } from '../../state/commits/store.js'
import { createEngine, type Engine, type EngineOptions } from '../create-engine.js'
import type { Steps } from '../handle.js'
import { Refusal } from '../outcome.js'
import { noteDropped } from '../request/read-body.js'
import type { ValidRequest } from '../validate.js'
import { sendWebhooks, type WebhookOptions } from './send-webhooks.js'
import { createSign } from './sign.js'

export interface SendingOptions extends Omit<WebhookOptions, 'onUnexpectedError' | 'sign'> {
  /** The secret that signs what is sent. @default nothing is signed */
  webhookSecret?: string | undefined
}

export function createSendingEngine(options: EngineOptions, { webhookSecret, ...sending }: SendingOptions): Engine {
  const { contract, onUnexpectedError = () => {} } = options
  const sign = webhookSecret === undefined ? undefined : createSign(webhookSecret, contract)
  if (!contract.webhooks) return createEngine(options)
  const { parts = options.parts } = sending.keep ?? {}
  const wrapSteps = (steps: Steps) => withoutUsed(parts.wrapSteps?.(steps) ?? steps, contract)
  const engine = createEngine({ ...options, parts: { ...parts, wrapSteps } })
  sendWebhooks(engine, { ...sending, sign, onUnexpectedError })
  return engine
}

/** Does not note as dropped where a callback finds its URL: no record has it, but nothing is lost. */
function withoutUsed(steps: Steps, { webhooks = [] }: RequestContract): Steps {
  const { validate } = steps
  const used = new Map<string, string[]>()
  for (const { on, url } of webhooks) {
    for (const part of url.kind === 'template' ? url.parts : []) {
      if (typeof part === 'string' || !('in' in part) || part.in !== 'body' || part.of !== 'request') continue
      // No body is nested more deeply.
      const names = (part.pointer ?? []).slice(0, 512)
      const notes = names.map((_, index) => noteDropped(names.slice(0, index + 1).join('.')))
      for (const id of on) used.set(id, [...(used.get(id) ?? []), ...notes])
    }
  }
  return {
    ...steps,
    validate(request, route): Later<ValidRequest | Refusal> {
      const known = used.get(route.operation.id)
      const valid = validate(request, route)
      if (!known) return valid
      const clean = (each: ValidRequest | Refusal) =>
        each instanceof Refusal ? each : { ...each, notes: each.notes.filter((note) => !known.includes(note)) }
      return valid instanceof Promise ? valid.then(clean) : clean(valid)
    },
  }
}
