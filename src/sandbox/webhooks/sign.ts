/** Signs callbacks and webhooks, so that receivers verify them as those of the service. */
import type { RequestContract } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import type { WebhookSignature } from '../../contract/webhook.js'
import { decodeBytes, encodeBytes } from '../../json/base64.js'
import type { KeptWebhook, WebhookRequest } from '../../state/kept-webhooks.js'

/**
 * Adds the headers of a signature to a request, before its others.
 * @param id of the delivery: the same for each attempt
 * @param now milliseconds since 1970, by real time
 */
export type Sign = (pending: KeptWebhook, id: string, now: number) => Promise<WebhookRequest>

/** The prefix of a secret in Base64 (Standard Webhooks, "Signature scheme"). */
const base64Prefix = 'whsec_'

/**
 * Adds the headers of Standard Webhooks, and those that the document describes for a signature.
 * @param secret `whsec_` and Base64, or any other text, which is the key itself
 * @example
 * const sign = createSign('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', contract)
 * (await sign(pending, 'msg-1', Date.now())).headers // ['webhook-id', 'msg-1', 'webhook-timestamp', …]
 */
export function createSign(secret: string, { webhooks = [] }: Pick<RequestContract, 'webhooks'>): Sign {
  const isEncoded = secret.startsWith(base64Prefix)
  const key = isEncoded ? decodeBytes(secret.slice(base64Prefix.length)) : new TextEncoder().encode(secret)
  if (!key?.length)
    throw new SandboxError(
      'INVALID_OPTION',
      'webhookSecret must not be empty, and must have Base64 after "whsec_"; leave the prefix out for any other text',
    )
  if (!globalThis.crypto?.subtle)
    throw new SandboxError('INVALID_OPTION', 'webhookSecret needs Web Crypto: open this page by https, or at localhost')
  return async ({ name, operation, request }, id, now) => {
    const documented = webhooks.find((each) => each.name === name && each.on.includes(operation))?.signatures ?? []
    const seconds = String(Math.floor(now / 1000))
    const content = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : (request.body ?? '')
    const signed = await hmac('SHA-256', key, [`${id}.${seconds}.`, content])
    const headers = ['webhook-id', id, 'webhook-timestamp', seconds, 'webhook-signature', `v1,${encodeBytes(signed)}`]
    for (const signature of documented) headers.push(signature.name, await write(signature, key, content, seconds))
    const names = new Set(headers.filter((_, at) => at % 2 === 0).map((each) => each.toLowerCase()))
    const others = request.headers.filter((_, at, all) => !names.has(all[at - (at % 2)]?.toLowerCase() ?? ''))
    return { ...request, headers: [...headers, ...others] }
  }
}

async function write(
  { hash, encoding, prefix = '', isTimed }: WebhookSignature,
  key: Uint8Array,
  content: Uint8Array | string,
  seconds: string,
): Promise<string> {
  const bytes = await hmac(hash, key, isTimed ? [`${seconds}.`, content] : [content])
  const text = encoding === 'base64' ? encodeBytes(bytes) : toHex(bytes)
  return isTimed ? `t=${seconds},v1=${text}` : prefix + text
}

/** HMAC (RFC 2104). */
async function hmac(hash: string, secret: Uint8Array, parts: readonly (Uint8Array | string)[]): Promise<Uint8Array> {
  const { subtle } = crypto
  const usages: KeyUsage[] = ['sign']
  const key = await subtle.importKey('raw', Uint8Array.from(secret), { name: 'HMAC', hash }, false, usages)
  const bytes = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part))
  const all = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const part of bytes) {
    all.set(part, end)
    end += part.length
  }
  return new Uint8Array(await subtle.sign('HMAC', key, all))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
