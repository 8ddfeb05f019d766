/** Compiles schemas of numbers to sampler plans. */
import type { SchemaObject } from '../document/document.js'
import { exactBounds } from '../json/exact-json.js'
import type { NumberPlan } from '../json/sampler/sampler-plan.js'
import type { NumberLook } from '../json/sampler/value-looks.js'
import type { Planning, WholeContext } from './planning.js'

export const numberKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const

export function toNumberPlan(
  { looks, records = 20 }: Planning,
  type: string,
  variant: SchemaObject,
  { name, owner, isKey, examples }: WholeContext,
): NumberPlan {
  const isInteger = type === 'integer'
  const bounds = numberKeywords.filter((keyword) => typeof variant[keyword] === 'number')
  const [example] = isKey
    ? []
    : [...looks.examplesOf(variant), ...examples].filter((each) => typeof each === 'number' || typeof each === 'bigint')
  const number = example === undefined ? undefined : Number(example)
  const description = String(variant.description ?? '')
  const shown: NumberLook = number === undefined ? {} : { example: number }
  const look =
    name !== '' && !isKey ? looks.number({ name, owner, example: number, isInteger, records, description }) : shown
  // Bounds on both sides say what the number is.
  if (variant.minimum !== undefined && variant.maximum !== undefined) delete look.isGuess
  return {
    kind: 'number',
    isInteger,
    ...Object.fromEntries(bounds.map((keyword) => [keyword, variant[keyword]])),
    ...look,
    ...(typeof example === 'bigint' && { example }),
  }
}

/** Integers of a schema that allows none that are doubles, or none but 0, by bounds that are not. */
export function largeIntegers(variant: SchemaObject): bigint[] {
  const exact = (variant[exactBounds] ?? {}) as Record<string, bigint | undefined>
  const bound = (keyword: (typeof numberKeywords)[number], above: bigint) => {
    const { [keyword]: double = Number.NaN } = variant
    const written = exact[keyword] ?? (Number.isFinite(double) ? BigInt(Math.ceil(double)) : undefined)
    return written === undefined ? undefined : written + above
  }
  const [lower, upper] = [
    bound('minimum', 0n) ?? bound('exclusiveMinimum', 1n),
    bound('maximum', 0n) ?? bound('exclusiveMaximum', -1n),
  ]
  const step = exact['multipleOf'] ?? BigInt(Math.ceil(variant.multipleOf ?? 1))
  const isAbove = lower !== undefined && lower > Number.MAX_SAFE_INTEGER
  const isBelow = upper !== undefined && upper < -Number.MAX_SAFE_INTEGER
  if (!isAbove && !isBelow && exact['multipleOf'] === undefined) return []
  // The first multiple from the bound on; BigInt division rounds towards zero.
  const first = isBelow ? (upper / step) * step : (((lower ?? 0n) + (isAbove ? step - 1n : 0n)) / step) * step
  const values = Array.from({ length: maxLarge }, (_, index) => first + BigInt(isBelow ? -index : index) * step)
  return values.filter((each) => {
    const isOutside = variant.format === 'int64' && BigInt.asIntN(64, each) !== each
    return !isOutside && each <= (upper ?? each) && each >= (lower ?? each)
  })
}

const maxLarge = 20
