/** Describes the HTTP semantics of an operation in words. */
import type { Operation } from '../contract.js'

/** @returns texts such as `ETag`, `If-Match (428 without)` and `Idempotency-Key`; empty if there are none */
export function describeHttp({ extras, method }: Operation): string[] {
  if (extras?.kind !== 'http') return []
  const { versions, idempotencyKey, idempotencyProperty, location } = extras
  const isReading = method === 'GET' || method === 'HEAD'
  const tag = versions?.tag === undefined ? 'ETag' : `ETag of ${versions.tag}`
  const time = versions?.modified === undefined ? '' : `, Last-Modified of ${versions.modified}`
  const condition = isReading ? 'If-None-Match (304)' : `If-Match (412${versions?.isRequired ? ', 428 without' : ''})`
  return [
    ...(versions ? [`${tag}${time}`, condition] : []),
    ...(idempotencyKey === undefined ? [] : [idempotencyKey]),
    ...(idempotencyProperty === undefined ? [] : [`${idempotencyProperty} of the body`]),
    ...(location ? [location.header] : []),
  ]
}
