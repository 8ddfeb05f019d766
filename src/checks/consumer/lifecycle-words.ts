/** Says when an operation ends and what comes after it. */
import type { Operation } from '../../contract/contract.js'

/** `2030-12-05` */
export function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** `GET /xs with its "status" filter`; nothing where the document names no successor. */
export function successorOf({ lifecycle }: Operation): string | undefined {
  const { successor } = lifecycle
  if (!successor) return undefined
  const filters = successor.filters.map((filter) => `"${filter}"`).join(' and ')
  return `${successor.method} ${successor.path}${filters === '' ? '' : ` with its ${filters} filter`}`
}
