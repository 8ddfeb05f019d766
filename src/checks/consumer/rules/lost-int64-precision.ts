/** Integers that lost digits, as the consumer converted them to a double. */
import type { Call, CallProblem, ConsumerRule } from '../consumer-rule.js'
import { sentIntegers } from '../sent-integers.js'

export const lostInt64Precision: ConsumerRule = {
  id: 'lost-int64-precision',
  severity: 'error',
  looksAt: 'an integer beyond 2^53 that was rounded to a double before it was sent back',
  help: 'Read and write such integers as BigInt or text: JSON.parse and other parsers round them',
  isExpectable: false,
  *analyze(call) {
    for (const { at, value } of sentIntegers(call)) {
      const meant = isPrintedDouble(value) ? nearestWithSameDouble(call, value) : undefined
      if (meant !== undefined) yield toProblem(at, value, meant)
    }
  },
}

/** Whether a value may have been printed from a double: exactly, or shortened as in JavaScript. */
function isPrintedDouble(value: bigint): boolean {
  const double = Number(value)
  if (!Number.isFinite(double)) return false
  return BigInt(double) === value || String(double) === value.toString()
}

/** The existing integer with the same double that is nearest; undefined if the value itself exists. */
function nearestWithSameDouble({ received, existingKeys }: Call, value: bigint): bigint | undefined {
  const double = Number(value)
  const same = new Set<bigint>()
  for (const integer of received) if (Number(integer) === double) same.add(integer)
  // Only integers beyond 2^53 share a double.
  for (const key of existingKeys()) if (typeof key === 'bigint' && Number(key) === double) same.add(key)
  if (same.has(value)) return undefined
  return [...same].reduce<bigint | undefined>(
    (best, each) => (best === undefined || distance(each, value) < distance(best, value) ? each : best),
    undefined,
  )
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}

function toProblem(at: string, value: bigint, meant: bigint): CallProblem {
  return { at, message: `${value} was sent, which is ${meant} rounded to a double` }
}
