/** Texts about the end of an operation and its successor. */
import type { Operation } from '../../contract/contract.js'

/** UTC date of a time in milliseconds: `2030-12-05`. */
export function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** E.g. `GET /xs with its "status" filter`; undefined if the document names no successor. */
export function successorOf({ lifecycle }: Operation): string | undefined {
  const { successor } = lifecycle
  if (!successor) return undefined
  const filters = successor.filters.map((filter) => `"${filter}"`).join(' and ')
  return `${successor.method} ${successor.path}${filters === '' ? '' : ` with its ${filters} filter`}`
}
