/** Finds the codec and schema for a body by its media type. */

import type { Operation } from './contract.js'
import type { BodyContent } from './request-model.js'

/**
 * Looks up a `Content-Type`, ignoring its parameters and letter case (RFC 9110, section 8.3.1).
 * @returns undefined if the operation does not accept this media type
 */
export function bodyContentFor({ body }: Operation, contentType: string | undefined): BodyContent | undefined {
  return body && findContent(body, contentType ?? '')
}

export function findContent<Content extends { mediaType: string }>(
  { content }: { content: readonly Content[] },
  contentType: string,
): Content | undefined {
  const end = contentType.indexOf(';')
  const mediaType = (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
  for (const each of content) if (each.mediaType === mediaType || isInRange(mediaType, each.mediaType)) return each
  return undefined
}

/** A range has a star: `image/*` and `application/*+json` include all types with the same start and end. */
function isInRange(mediaType: string, range: string): boolean {
  const star = range.indexOf('*')
  if (star === -1) return false
  return mediaType.startsWith(range.slice(0, star)) && mediaType.endsWith(range.slice(range.lastIndexOf('*') + 1))
}

/** The first content that is a complete value instead of a patch, else the first content. */
export function valueContentOf({ body }: Operation): BodyContent | undefined {
  return body?.content.find(({ codec }) => codec === 'json') ?? body?.content[0]
}
