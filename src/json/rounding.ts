/** Doubles near exact integers. Validators see them instead of integers that no double can represent. */
import type { ExactValue } from './exact-value.js'

/** Replaces bigints by doubles, for a validator. Returns the value itself if it contains no bigint. */
export function toRounded(value: ExactValue): unknown {
  if (typeof value === 'bigint') return toDoubleBelow(value)
  if (typeof value !== 'object' || value === null) return value
  let copy: Record<string, unknown> | undefined
  for (const name in value) {
    const item = (value as Record<string, unknown>)[name]
    const rounded = toRounded(item)
    if (rounded === item) continue
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    copy[name] = rounded
  }
  // Validators of schemas with integers beyond 2^53 look up the members here, with every digit.
  return copy ? Object.defineProperty(copy, Symbol.for('exact'), { value }) : value
}

/** From here on, bounds in documents are the nearest doubles of the written numbers, such as 1e308. */
const greatest = 2 ** 64

/** The greatest double that is not above the integer, so that 64-bit integers are compared with their exact bound. */
export function toDoubleBelow(integer: bigint): number {
  const nearest = Number(integer)
  if (!Number.isFinite(nearest)) return nearest > 0 ? Number.MAX_VALUE : nearest
  if (Math.abs(nearest) > greatest || BigInt(nearest) <= integer) return nearest
  return next(nearest, nearest > 0 ? -1n : 1n)
}

/** The double that is this many steps further from zero. */
export function next(double: number, steps: bigint): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, double)
  view.setBigInt64(0, view.getBigInt64(0) + steps)
  return view.getFloat64(0)
}
