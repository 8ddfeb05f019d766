/** Names of headers and properties that HTTP does not define, but services use alike. */

/** Whether a name is that of an idempotency key. */
export const isIdempotencyKey = (name: string): boolean => /idempoten[a-z]{0,9}[-_]?(key|token|id)$/i.test(name)

/** Whether a property may be an idempotency key if its description says so: `client_token`, `requestId`, `id` */
export const mayBeIdempotencyKey = (name: string): boolean => /(token|key|id|_reference)$/i.test(name)

export const saysIdempotent = (text: string): boolean => /idempoten/i.test(text)

/** Whether a property is an entity tag: `etag`, `_etag`, `@odata.etag` */
export const isEntityTag = (name: string): boolean => /(^|[^a-z])e-?tag$/i.test(name)

/** Whether a header has a signature that a shared secret makes, not what the signature is about. */
export function isSignature(name: string): boolean {
  return (
    /signature|hmac/i.test(name) &&
    !/^webhook-|timestamp|ed25519|rsa|version|algorithm|method|type|key|date|cert|url|input/i.test(name)
  )
}

/** How a signature is written, by the name of its header and texts with its description and examples. */
export function signatureIn(
  name: string,
  text: string,
): { hash: 'SHA-1' | 'SHA-256' | 'SHA-512'; encoding: 'base64' | 'hex'; prefix?: string; isTimed?: true } {
  // WebSub (section 7) names the method first.
  const [, written] = /\b(sha-?(?:1|256|512))=/i.exec(text) ?? (/^x-hub-signature/i.test(name) ? ['', 'sha256'] : [])
  const [, number = '256'] = /\bsha-?(1|256|512)\b/i.exec(written ?? text) ?? []
  const isBase64 = /base-?64/i.test(text) || /"[A-Za-z0-9+/]{42,88}={1,2}"/.test(text)
  return {
    hash: `SHA-${number as '1' | '256' | '512'}`,
    encoding: isBase64 ? 'base64' : 'hex',
    ...(written !== undefined && { prefix: `${written}=` }),
    ...(/\bv1=/.test(text.slice(text.search(/\bt=/))) && { isTimed: true as const }),
  }
}

/** Whether a header leads to what a request has made or begun. */
export const isLocation = (name: string): boolean => /^(operation-)?location$/i.test(name)
