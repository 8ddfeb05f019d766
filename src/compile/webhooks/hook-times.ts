/** Reads when a callback or webhook is sent, and when again. */
import type { DocumentPath } from '../document.js'
import type { Notes } from '../notes.js'
import { quoteValue } from '../read/quote-value.js'

/** Milliseconds: a year. */
const maxDelayMs = 366 * 86_400_000
const maxRetries = 10
/** Milliseconds before each further attempt. */
const usualRetries = [1_000, 10_000, 60_000]

const isDelay = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= maxDelayMs

/** @returns undefined for no delay, or a wrong one, which is noted */
export function readDelay(notes: Notes, value: unknown, at: DocumentPath): number | undefined {
  if (value === undefined || isDelay(value)) return value
  notes.add(at, `${String(at.at(-1))} must be milliseconds, at most a year (got ${quoteValue(value)})`, 'it is ignored')
  return undefined
}

/**
 * @param value how often, or the milliseconds before each further attempt
 * @returns these milliseconds; undefined for none, or wrong ones, which are noted
 */
export function readRetries(notes: Notes, value: unknown, at: DocumentPath): number[] | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.length <= maxRetries && value.every(isDelay)) return value
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxRetries) {
    return Array.from(
      { length: Number(value) },
      (_, index) => usualRetries[Math.min(index, usualRetries.length - 1)] ?? 0,
    )
  }
  const name = String(at.at(-1))
  const must = `a number up to ${maxRetries}, or the milliseconds before each of them`
  notes.add(at, `${name} must be ${must} (got ${quoteValue(value)})`, 'the usual retries are made')
  return undefined
}
