/** Media types of a document: which are JSON, and which codec decodes them. */
import type { CodecName } from '../contract/contract.js'

/** Without parameters, in lower case. @example bareMediaType('Application/JSON; charset=utf-8') // 'application/json' */
export function bareMediaType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

/** `application/json`, any `+json`, and the wildcard, which may be JSON. */
export function isJson(mediaType: string): boolean {
  return /^(application\/(json|[^;]+\+json)|\*\/\*)$/.test(bareMediaType(mediaType))
}

const patches: Record<string, CodecName> = {
  'application/merge-patch+json': 'merge-patch',
  'application/json-patch+json': 'json-patch',
}

/** @param mediaType without parameters, in lower case */
export function codecOf(mediaType: string): CodecName | undefined {
  return patches[mediaType] ?? (isJson(mediaType) ? 'json' : undefined)
}
