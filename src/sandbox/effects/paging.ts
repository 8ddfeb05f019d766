/** Which part of a list a request gets. */
import type { ListEffect } from '../../contract/contract.js'

/** How many records a page has at most: what the request asks for, else the documented default, else all. */
export function pageSizeOf({ limit, defaultLimit }: ListEffect, query: Record<string, unknown>): number {
  const asked = limit === undefined ? undefined : query[limit]
  return Number(asked ?? defaultLimit ?? Number.POSITIVE_INFINITY)
}
