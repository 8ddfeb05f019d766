/** Reads the message of a refusal from its body. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { ErrorField } from '../../contract/documented-response.js'
import { documentedResponse } from '../../contract/documented-status.js'
import type { Exchange } from '../../state/journal.js'

/**
 * By the documented error body, as a consumer would read it. Undefined for a success, or if no message is documented.
 */
export function refusalMessage(
  { refused, response }: Exchange,
  operation: Operation | undefined,
  contract: RequestContract,
): string | undefined {
  if (refused === undefined || typeof response.body !== 'string') return undefined
  const { fields } = (operation && documentedResponse(operation, response.status)?.error) ?? contract.errorBody
  const path = pathOfMessage(fields)
  if (!path) return undefined
  try {
    let value: unknown = JSON.parse(response.body)
    for (const name of path) value = (value as Record<string, unknown> | null)?.[name]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function pathOfMessage(fields: readonly ErrorField[]): string[] | undefined {
  for (const field of fields) {
    if (field.from === 'message') return [field.name]
    const inner = field.from === 'fields' ? pathOfMessage(field.fields) : undefined
    if (inner) return [field.name, ...inner]
  }
  return undefined
}
