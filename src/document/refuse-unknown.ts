/** Refuses what a person writes about names that a document does not have. */
import { suggestion } from '../contract/suggest-closest.js'
import { type DocumentPath, DocumentProblem } from './document.js'

/** The extensions with what persons say of the service, of records and of operations. */
export const serviceName = 'x-sandbox-service'
export const resourceName = 'x-sandbox-resource'
export const effectName = 'x-sandbox-effect'
/** A list of the kinds of guesses at its place that are right. */
export const confirmedName = 'x-sandbox-confirmed'

const isExtension = (name: string | number) => String(name).startsWith('x-sandbox-')

/**
 * Refuses a line of a person that names what the document does not have.
 * @param at the members that lead to the text from the place of the line
 * @throws DocumentProblem with the closest name if the text is none of those that are known
 */
export function refuseUnknown(
  line: { evidence: { place?: DocumentPath } } | undefined,
  text: string,
  known: Iterable<string>,
  what: string,
  ...at: string[]
): void {
  const { place } = line?.evidence ?? {}
  const names = place ? [...known] : [text]
  if (!place || names.includes(text)) return
  const own = [...place, ...at]
  const named = (place.includes(effectName) ? own : place).slice(place.findIndex(isExtension))
  throw new DocumentProblem(`${named.join('.')}: there is no ${what} "${text}"${suggestion(text, names)}`, own)
}
