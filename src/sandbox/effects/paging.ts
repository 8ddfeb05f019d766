/** Finds the page size of a list. */
import type { ListEffect } from '../../contract/effect.js'

/** The maximum number of records on a page: from the request, else the documented default, else unlimited. */
export function pageSizeOf({ limit, defaultLimit }: ListEffect, query: Record<string, unknown>): number {
  const requested = limit === undefined ? undefined : query[limit]
  return Number(requested ?? defaultLimit ?? Number.POSITIVE_INFINITY)
}
