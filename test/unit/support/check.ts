/** Runs properties: the same cases in every run, unless a seed is given. */
import fc from 'fast-check'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20261121)
const factor = Number(process.env['PROPERTY_FACTOR'] ?? 1)

/** @param runs how many cases; `PROPERTY_FACTOR` multiplies it, `PROPERTY_SEED` chooses others */
export function check<T>(values: fc.Arbitrary<T>, judge: (value: T) => void, runs = 300): void {
  fc.assert(
    fc.property(values, (value) => void judge(value)),
    { seed, numRuns: Math.ceil(runs * factor) },
  )
}

export function checkLater<T>(values: fc.Arbitrary<T>, judge: (value: T) => Promise<void>, runs = 300): Promise<void> {
  return fc.assert(fc.asyncProperty(values, judge), { seed, numRuns: Math.ceil(runs * factor) })
}
