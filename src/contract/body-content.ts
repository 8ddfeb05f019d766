/** Finds how a body of a media type is read. */
import type { BodyContent, Operation } from './contract.js'

/**
 * By the `Content-Type` of a request; parameters and letter case do not count (RFC 9110, section 8.3.1).
 * @returns undefined if the operation takes no such body
 */
export function bodyContentFor({ body }: Operation, contentType: string | undefined): BodyContent | undefined {
  const mediaType = (contentType?.split(';')[0] ?? '').trim().toLowerCase()
  return body?.content.find((each) => each.mediaType === mediaType || each.mediaType === '*/*')
}

/** The content that holds a value as it is, and not a patch, if there is one; else the first. */
export function valueContentOf({ body }: Operation): BodyContent | undefined {
  return body?.content.find(({ codec }) => codec === 'json') ?? body?.content[0]
}
