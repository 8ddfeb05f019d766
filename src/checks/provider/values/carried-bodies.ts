/** Which values a body can carry: a form has only texts, so that a number sent in place of a text is a valid text. */

import type { RequestContract } from '../../../contract/contract.js'
import type { BodyContent } from '../../../contract/request-model.js'
import { toRounded } from '../../../json/rounding.js'
import { isSameJson } from '../../../json/same-json.js'
import { allCodecs } from '../../../media/all-codecs.js'
import { sentTypeOf, typeParametersOf, writeBody } from '../write-body.js'

/** Whether a service that reads the body as the document says reads this value. */
export function canCarryBody(value: unknown, content: BodyContent, contract: RequestContract): boolean {
  if (content.codec === 'binary') return typeof value === 'string' && value !== ''
  if (content.codec !== 'form' && content.codec !== 'multipart' && content.codec !== 'text') return true
  const text = writeBody(value, content, contract)
  const contentType = sentTypeOf(content) + typeParametersOf(content)
  try {
    const { rounded } = allCodecs[content.codec].decode(text, {
      bytes: new TextEncoder().encode(text),
      contentType,
      content,
      contract,
    })
    return isSameJson(rounded, toRounded(value))
  } catch {
    return false
  }
}
