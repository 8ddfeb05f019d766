/** Classifies media types: which are JSON, and which codec decodes them. */
import type { CodecName } from '../contract/contract.js'

/** @example bareMediaType('Application/JSON; charset=utf-8') // 'application/json' */
export function bareMediaType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

/** Whether a media type is `application/json`, any `+json`, or the wildcard, which may be JSON. */
export function isJson(mediaType: string): boolean {
  return /^(application\/(json|[^;]+\+json)|\*\/\*)$/.test(bareMediaType(mediaType))
}

/** The codecs of patches by media type. */
export const patches: Record<string, CodecName> = {
  'application/merge-patch+json': 'merge-patch',
  'application/json-patch+json': 'json-patch',
}

/** @param mediaType without parameters, in lower case */
export function codecOf(mediaType: string): CodecName | undefined {
  return patches[mediaType] ?? (isJson(mediaType) ? 'json' : undefined)
}
