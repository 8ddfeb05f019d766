/** Reads the message of a refusal from its documented body. */
import type { Operation, RequestContract } from './contract.js'
import type { ErrorPart } from './documented-response.js'
import { documentedResponse } from './documented-status.js'

/** @returns undefined if the body has no place for the message */
export function readErrorMessage(
  { errorBody }: RequestContract,
  operation: Operation | undefined,
  status: number,
  text: string,
): string | undefined {
  const error = (operation && documentedResponse(operation, status)?.error) ?? errorBody
  if (error.form === 'text') return text
  if (error.form === 'xml') return text.split(/<\/?message>/)[1]?.replace(/&(\w+);/g, toCharacter)
  const members = (error.fields ?? []).map((from): [string, ErrorPart] => [from, { from }])
  try {
    return find(error.part ?? { from: 'object', members }, JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The characters that XML escapes (XML 1.0, section 4.6). */
const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const toCharacter = (whole: string, name: string) => characters[name] ?? whole

/** The text at the first place for a message. Lists come last, because their items describe one violation each. */
function find(part: ErrorPart, value: unknown): string | undefined {
  if (part.from === 'message') return typeof value === 'string' ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (part.from === 'list' || part.from === 'map') {
    const found = Object.values(value).map((item) => find(part.item, item))
    return found.filter((text) => text !== undefined).join('; ') || undefined
  }
  if (part.from !== 'object') return undefined
  return part.members
    .toSorted(([, one], [, other]) => Number('item' in one) - Number('item' in other))
    .map(([name, inner]) => find(inner, Reflect.get(value, name)))
    .find((text) => text !== undefined)
}
