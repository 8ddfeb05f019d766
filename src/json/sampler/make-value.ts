/** Makes values by sampler plans, repeatable by the random numbers. */

import { isMultiple, toDecimal } from '../is-multiple.js'
import type { Random } from '../random.js'
import { makeText } from './make-text.js'
import { anyPlan, type ListPlan, type NumberPlan, type ObjectPlan, type SamplerPlan } from './sampler-plan.js'

/** Maximum depth of recursive values. */
const maxDepth = 24
/** Beyond this depth, scalars are preferred to objects and lists. */
const maxNested = 4
/** Maximum items and properties. Schemas that require more are not satisfied. */
const maxMembers = 10_000
/** Maximum tries for a new item in a list of unique items. */
const maxTries = 20

/**
 * Makes the simplest value of a plan.
 * @returns undefined if no value can be made
 */
export function makeValue(plans: readonly SamplerPlan[], plan: number, random: Random): unknown {
  let members = 0
  return make(plan, 0)

  function make(number: number, depth: number): unknown {
    if (depth > maxDepth || ++members > maxMembers) return undefined
    const chosen = plans[number] ?? anyPlan
    switch (chosen.kind) {
      case 'anyOf':
        return makeAny(chosen.plans, depth)
      case 'values':
        return chosen.values[random.below(chosen.values.length)]
      case 'any':
        return makeText({ kind: 'text' }, random)
      case 'text':
        return makeText(chosen, random)
      case 'number':
        return makeNumber(chosen, random)
      case 'boolean':
        return random.below(2) === 1
      case 'null':
        return null
      case 'list':
        return makeList(chosen, depth)
      case 'object':
        return makeObject(chosen, depth)
    }
  }

  /** Tries a random plan first, then the others. Null is the least informative, so it comes last. */
  function makeAny(numbers: readonly number[], depth: number): unknown {
    const first = random.below(Math.max(numbers.length, 1))
    const turned = [...numbers.slice(first), ...numbers.slice(0, first)]
    const rank = (number: number) => {
      const { kind } = plans[number] ?? anyPlan
      if (kind === 'null') return 2
      return Number(depth > maxNested && (kind === 'object' || kind === 'list' || kind === 'anyOf'))
    }
    for (const number of turned.toSorted((a, b) => rank(a) - rank(b))) {
      const value = make(number, depth + 1)
      if (value !== undefined) return value
    }
    return undefined
  }

  function makeList({ items, first = [], contains, minItems = 0, isUnique }: ListPlan, depth: number): unknown {
    const list: unknown[] = []
    const texts = new Set<string>()
    const planAt = (index: number) => {
      if (index < first.length) return first[index] ?? items
      return contains && index < first.length + contains.min ? contains.plan : items
    }
    const count = Math.max(minItems, contains ? first.length + contains.min : 0)
    if (count > maxMembers) return undefined
    for (let tries = 0; list.length < count; ) {
      const item = make(planAt(list.length), depth + 1)
      const text = isUnique ? JSON.stringify(item) : ''
      if (item === undefined || (isUnique && texts.has(text))) {
        if (++tries > maxTries) return undefined
        continue
      }
      tries = 0
      texts.add(text)
      list.push(item)
    }
    return list
  }

  function makeObject(plan: ObjectPlan, depth: number): unknown {
    const { minProperties = 0 } = plan
    if (minProperties > maxMembers) return undefined
    const made: Record<string, unknown> = {}
    let count = 0
    const known = new Map(plan.properties)
    const add = (name: string): boolean => {
      const value = make(known.get(name) ?? plan.others ?? -1, depth + 1)
      if (value === undefined) return false
      if (!Object.hasOwn(made, name)) count++
      Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true })
      return (plan.dependentRequired?.[name] ?? []).every((each) => Object.hasOwn(made, each) || add(each))
    }
    if (!plan.required.every((name) => Object.hasOwn(made, name) || add(name))) return undefined
    for (const [name] of plan.properties) {
      if (count >= minProperties) break
      if (!Object.hasOwn(made, name)) add(name)
    }
    for (let index = 1; count < minProperties; index++) {
      const name = plan.names === undefined ? `property${index}` : make(plan.names, depth + 1)
      if (index > 2 * maxMembers || plan.others === undefined || !add(String(name))) return undefined
    }
    return made
  }
}

/** Range of numbers without bounds: most such schemas mean small numbers. */
const usual = 100

/** @returns undefined if no number is within the bounds */
export function makeNumber(plan: NumberPlan, random: Random): number | undefined {
  // Prefer an integer, because counts are often documented only as numbers.
  const whole = plan.isInteger || plan.multipleOf !== undefined ? undefined : { ...plan, isInteger: true }
  const made = whole && makeNumber(whole, random)
  if (made !== undefined) return made
  const { isInteger, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = plan
  const isWhole = isInteger && (multipleOf === undefined || Number.isInteger(multipleOf))
  const step = multipleOf ?? (isInteger ? 1 : 0.01)
  const low = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity)
  const high = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity)
  const from = low === -Infinity ? (high >= 1 ? 1 : high - usual * step) : low
  const start = Math.ceil(from / step)
  const end = Math.min(Math.floor(high / step), start + usual)
  const isAllowed = (value: number) =>
    value >= low &&
    value <= high &&
    value !== exclusiveMinimum &&
    value !== exclusiveMaximum &&
    (!isWhole || Number.isInteger(value)) &&
    (multipleOf === undefined || isMultiple(value, multipleOf))
  const count = Math.max(end - start + 1, 0)
  const offset = random.below(Math.max(count, 1))
  for (let index = 0; index < Math.min(count, maxTries); index++) {
    const value = toDecimal((start + ((offset + index) % count)) * step)
    if (isAllowed(value)) return value
  }
  // Bounds may be closer than a step.
  return isInteger || multipleOf !== undefined ? undefined : [low, high, (low + high) / 2].find(isAllowed)
}
