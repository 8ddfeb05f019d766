/** Classifies media types: which are JSON, and which codec decodes them. */
import type { CodecName } from '../request-model.js'

/**
 * An empty media type in a document means any.
 * @example bareMediaType('Application/JSON; charset=utf-8') // 'application/json'
 */
export function bareMediaType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase() || '*/*'
}

/** Whether a media type is `application/json`, `text/json`, any `+json`, or the wildcard, which may be JSON. */
export function isJson(mediaType: string): boolean {
  return /^((application|text)\/json|[^;/]+\/[^;]+\+json|\*\/\*)$/.test(bareMediaType(mediaType))
}

export function isXml(mediaType: string): boolean {
  return /^((application|text)\/xml|[^;/]+\/[^;]+\+xml)$/.test(bareMediaType(mediaType))
}

/** Whether a media type is a range: `image/*`, `application/*+json` or the wildcard. */
export function isRange(mediaType: string): boolean {
  return mediaType.includes('*') || mediaType.trim() === ''
}

/** How specific a media type is. The most specific match is used for a body (RFC 9110, section 12.5.1). */
export function specificityOf(mediaType: string): number {
  if (!isRange(mediaType)) return 3
  if (mediaType.startsWith('*')) return 0
  return mediaType.endsWith('*') ? 1 : 2
}

/** The codecs of patches by media type. */
export const patches: Record<string, CodecName> = {
  'application/merge-patch+json': 'merge-patch',
  'application/json-patch+json': 'json-patch',
}

/** The codecs of other media types that a range includes besides JSON. */
export const inRanges: Record<string, CodecName> = {
  'multipart/form-data': 'multipart',
  'application/xml': 'binary',
  'text/xml': 'binary',
  'application/*+xml': 'binary',
}

/** @param mediaType in lower case, without parameters */
export function codecOf(mediaType: string): CodecName {
  const patch = patches[mediaType]
  if (patch) return patch
  // `application/*` includes JSON, the most common type.
  if (isJson(mediaType) || mediaType === 'application/*' || mediaType === '*') return 'json'
  if (mediaType === 'application/x-www-form-urlencoded') return 'form'
  if (/^multipart\/(form-data|mixed|related|\*)$/.test(mediaType)) return 'multipart'
  return mediaType.startsWith('text/') && !isXml(mediaType) ? 'text' : 'binary'
}
