/** The callbacks and webhooks that a world in a store has still to send. */
import { decodeBytes, encodeBytes } from '../json/base64.js'

export interface WebhookRequest {
  method: string
  /** An absolute URL of http or https. */
  url: string
  /** Names and values alternately. */
  headers: readonly string[]
  body: string | Uint8Array | undefined
}

export interface KeptWebhook {
  /** The name of the callback or webhook. */
  name: string
  /** Id of the operation that it follows. */
  operation: string
  /** Id of the exchange that it follows, if no store keeps it. */
  exchange?: number | undefined
  request: WebhookRequest
  /** Time to send it: milliseconds since 1970, by the clock of the world. */
  due: number
  /** Number of the next attempt, from 1. */
  attempt: number
  /** Milliseconds before each further attempt. */
  retries: readonly number[]
  claim?: Claim | undefined
}

/** The program that sends a webhook, if several share a store. */
export interface Claim {
  by: string
  /** Milliseconds since 1970, by the real time of that program. */
  at: number
}

/** As plain data. */
export function writeWebhook({ claim, ...kept }: KeptWebhook): object {
  const { body, ...request } = kept.request
  const content = typeof body === 'string' ? { body } : body && { base64: encodeBytes(body) }
  return { ...kept, request: { ...request, ...content }, ...(claim && { claim }) }
}

/** @param value data of `writeWebhook` */
export function readWebhook(value: unknown): KeptWebhook {
  const kept = value as KeptWebhook & { request: { base64?: string } }
  const { base64, body, ...request } = kept.request
  const bytes = base64 === undefined ? body : decodeBytes(base64)
  return { ...kept, due: Number(kept.due), request: { ...request, body: bytes } }
}
