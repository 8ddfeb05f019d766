/** Finds the codec and schema for a body by its media type. */
import type { BodyContent, Operation } from './contract.js'

/**
 * Looks up a `Content-Type`, ignoring its parameters and letter case (RFC 9110, section 8.3.1).
 * @returns undefined if the operation does not accept this media type
 */
export function bodyContentFor({ body }: Operation, contentType: string | undefined): BodyContent | undefined {
  const mediaType = (contentType?.split(';')[0] ?? '').trim().toLowerCase()
  return body?.content.find((each) => each.mediaType === mediaType || each.mediaType === '*/*')
}

/** The first content that is a complete value instead of a patch, else the first content. */
export function valueContentOf({ body }: Operation): BodyContent | undefined {
  return body?.content.find(({ codec }) => codec === 'json') ?? body?.content[0]
}
