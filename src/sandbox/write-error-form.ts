/** Writes error bodies that are no JSON objects. Separate, so that bundles of documents without them drop it. */
import type { ErrorBody } from '../contract/documented-response.js'

/** @param filled the JSON object */
export function writeErrorForm(form: NonNullable<ErrorBody['form']>, message: string, filled: object): string {
  if (form === 'text') return message
  if (form === 'xml') return `<error><message>${message.replace(/[&<>]/g, toReference)}</message></error>`
  return JSON.stringify(form === 'message' ? message : [filled])
}

/** A numeric character reference (XML 1.0, section 4.1). */
function toReference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}
