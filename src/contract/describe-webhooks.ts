/** Describes the callbacks and webhooks that follow the answers of an operation. */
import type { RequestContract } from './contract.js'
import type { Webhook, WebhookUrl } from './webhook.js'

/** A callback or webhook that follows an operation. */
export interface FollowingWebhook extends Pick<Webhook, 'name' | 'kind' | 'method'> {
  /** A URL with expressions, or the source of the URL. */
  to: string
  /** Milliseconds after the answer. */
  delayMs: number
  /** Documented headers with its signature. Absent if there are none. */
  signatures?: string[]
}

/** @param id of the operation */
export function webhooksFollowing(
  { webhooks = [] }: Pick<RequestContract, 'webhooks'>,
  id: string | undefined,
): FollowingWebhook[] {
  return webhooks
    .filter(({ on }) => on.some((each) => each === id))
    .map(({ name, kind, method, url, delayMs = 0, signatures }) => ({
      ...{ name, kind, method, to: describeUrl(url), delayMs },
      ...(signatures && { signatures: signatures.map((each) => each.name) }),
    }))
}

function describeUrl(url: WebhookUrl): string {
  if (url.kind === 'template') return url.text
  return url.kind === 'option' ? 'the URL of --webhook-url' : `each ${url.property} of ${url.collection}`
}
