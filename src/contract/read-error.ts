/** Reads the message of a refusal from its documented body. */
import type { Operation, RequestContract } from './contract.js'
import type { ErrorPart } from './documented-response.js'
import { documentedResponse } from './documented-status.js'

/** @returns undefined if no place of the body is for the message */
export function readErrorMessage(
  { errorBody }: RequestContract,
  operation: Operation | undefined,
  status: number,
  text: string,
): string | undefined {
  const { fields, part, form } = (operation && documentedResponse(operation, status)?.error) ?? errorBody
  if (form === 'text') return text
  if (form === 'xml') return /<message>(.*?)<\/message>/s.exec(text)?.[1]
  try {
    const body: unknown = JSON.parse(text)
    return part ? find(part, body) : fields?.includes('message') ? toText(Object(body).message) : undefined
  } catch {
    return undefined
  }
}

/** The text at the first place for a message. Those in lists come last, as they are of one violation. */
function find(part: ErrorPart, value: unknown): string | undefined {
  if (part.from === 'message') return toText(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (part.from === 'list' || part.from === 'map') {
    const found = Object.values(value).map((item) => find(part.item, item))
    return found.filter((text) => text !== undefined).join('; ') || undefined
  }
  if (part.from !== 'object') return undefined
  const members = part.members.toSorted(([, one], [, other]) => Number(isMany(one)) - Number(isMany(other)))
  for (const [name, inner] of members) {
    const found = find(inner, (value as Record<string, unknown>)[name])
    if (found !== undefined) return found
  }
  return undefined
}

function isMany({ from }: ErrorPart): boolean {
  return from === 'list' || from === 'map'
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
