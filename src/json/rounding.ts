/** Doubles near exact integers: what a validator sees of a number that a double cannot hold. */
import type { ExactValue } from './exact-json.js'
import { createNamed } from './own.js'

/** What a validator sees of a value that may hold bigints; one that holds none is that itself. */
export function toRounded(value: ExactValue): unknown {
  if (typeof value === 'bigint') return toDoubleBelow(value)
  if (typeof value !== 'object' || value === null) return value
  let copy: Record<string, unknown> | undefined
  for (const name in value) {
    const item = (value as Record<string, unknown>)[name]
    const rounded = toRounded(item)
    if (rounded === item) continue
    copy ??= (Array.isArray(value) ? [...value] : Object.assign(createNamed(), value)) as Record<string, unknown>
    copy[name] = rounded
  }
  return copy ?? value
}

/** The greatest double that is not above the integer. */
export function toDoubleBelow(integer: bigint): number {
  const nearest = Number(integer)
  if (!Number.isFinite(nearest)) return nearest > 0 ? Number.MAX_VALUE : nearest
  if (BigInt(nearest) <= integer) return nearest
  return next(nearest, nearest > 0 ? -1n : 1n)
}

/** The double that is so many steps further from zero. */
export function next(double: number, steps: bigint): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, double)
  view.setBigInt64(0, view.getBigInt64(0) + steps)
  return view.getFloat64(0)
}
