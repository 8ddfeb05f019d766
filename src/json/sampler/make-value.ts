/** Makes values by sampler plans, repeatable by the random numbers. */

import { isMultiple, toDecimal } from '../is-multiple.js'
import { writeByShape } from '../write-by-shape.js'
import { makeText, makeTime } from './make-text.js'
import {
  anyPlan,
  type ListPlan,
  type Making,
  type NumberPlan,
  type ObjectPlan,
  type SamplerPlan,
} from './sampler-plan.js'

/** Maximum depth of recursive values. */
const maxDepth = 24
/** Beyond this depth, scalars are preferred to objects and lists. */
const maxNested = 4
/** Maximum items and properties. Schemas that require more are not satisfied. */
const maxMembers = 10_000
/** Maximum tries for a new item in a list of unique items. */
const maxTries = 20

/** Beyond this depth, optional objects and lists are left out. */
const maxOptionalDepth = 2
/** Maximum values of a record. Beyond this number, only required ones are made. */
const maxOptional = 1_500
/** Maximum optional properties of an object. Larger objects are not readable for people. */
const maxOptionalProperties = 300
/** A record with fewer properties also has guessed ones. */
const leastTold = 2
/** The share of the records that have an optional value. */
const optionalShare = 0.8
/** Maximum items of a list without bounds in a record. */
const maxItems = 3
/** In records, one of this number of values is null where it may be. */
const valuesPerNull = 5

/**
 * Makes the simplest value of a plan, or that of a record.
 * @returns undefined if no value can be made
 */
export function makeValue(plans: readonly SamplerPlan[], plan: number, making: Making): unknown {
  const { random, record } = making
  const isRecord = record !== undefined
  let members = 0
  let current = making
  return make(plan, 0)

  function make(number: number, depth: number): unknown {
    if (depth > maxDepth || ++members > maxMembers) return undefined
    const chosen = plans[number] ?? anyPlan
    switch (chosen.kind) {
      case 'anyOf':
        return makeAny(chosen.plans, depth)
      case 'values':
        if (current.record === 0 && chosen.example !== undefined) return chosen.example
        return chosen.values[random.below(chosen.values.length)]
      case 'any':
        return makeText({ kind: 'text' }, current, makeOther)
      case 'text':
        return makeText(chosen, current, makeOther)
      case 'number':
        return makeNumber(chosen, current)
      case 'boolean':
        return (current.record === 0 ? chosen.example : undefined) ?? random.below(2) === 1
      case 'null':
        return null
      case 'list':
        return shownIn(chosen, depth) ?? makeList(chosen, depth)
      case 'object':
        return shownIn(chosen, depth) ?? makeShown(chosen, depth)
    }
  }

  /** A whole list or object of the document, because its parts belong together. */
  function shownIn({ examples = [] }: ListPlan | ObjectPlan, depth: number): unknown {
    return depth > 0 ? examples[(record ?? 0) % examples.length] : undefined
  }

  /** The examples of the properties of an object belong together, too. */
  function makeShown(plan: ObjectPlan, depth: number): unknown {
    const outer = current
    if (isRecord && depth > 0 && plan.shown) current = { ...making, record: 0 }
    const made = makeObject(plan, depth)
    current = outer
    return made
  }

  function makeOther(number: number): unknown {
    return make(number, 0)
  }

  /** Tries a random plan first, then the others. Null is the least informative, so it comes last. */
  function makeAny(numbers: readonly number[], depth: number): unknown {
    const first = random.below(Math.max(numbers.length, 1))
    const turned = [...numbers.slice(first), ...numbers.slice(0, first)]
    const isNull = isRecord && random.below(valuesPerNull) === 0
    const rank = (number: number) => {
      const chosen = plans[number] ?? anyPlan
      const { kind } = chosen
      const isRare = 'isRare' in chosen
      if (isRare || kind === 'null') return isNull && !isRare ? 0 : 2
      return 1 + Number(depth > maxNested && (kind === 'object' || kind === 'list' || kind === 'anyOf')) / 2
    }
    for (const number of turned.toSorted((a, b) => rank(a) - rank(b))) {
      const value = make(number, depth + 1)
      if (value !== undefined) return value
    }
    return undefined
  }

  function makeList(plan: ListPlan, depth: number): unknown {
    const { items, first = [], contains, minItems = 0, maxItems: most = maxItems, isUnique } = plan
    const list: unknown[] = []
    const texts = new Set<string>()
    const planAt = (index: number) => {
      if (index < first.length) return first[index] ?? items
      return contains && index < first.length + contains.min ? contains.plan : items
    }
    const least = Math.max(minItems, contains ? first.length + contains.min : 0)
    const isOpen = isRecord && members < maxOptional && (depth <= maxOptionalDepth || !isNested(items, 0))
    // Objects of the document would be repeated.
    const chosen = plans[items] ?? anyPlan
    const usual = chosen.kind === 'object' && chosen.shown ? 1 : 1 + random.below(maxItems)
    const count = isOpen ? Math.max(least, Math.min(usual, most)) : least
    const mustDiffer = isUnique || isRecord
    if (count > maxMembers) return undefined
    for (let tries = 0; list.length < count; ) {
      const item = make(planAt(list.length), depth + 1)
      const text = mustDiffer ? writeByShape(item, [], 0) : ''
      if (item === undefined || (mustDiffer && texts.has(text))) {
        if (++tries <= maxTries) continue
        if (item === undefined || isUnique || list.length >= least) return list.length < least ? undefined : list
      }
      tries = 0
      texts.add(text)
      list.push(item)
    }
    return list
  }

  function makeObject(plan: ObjectPlan, depth: number): unknown {
    const { minProperties = 0, required, told = [] } = plan
    if (minProperties > maxMembers) return undefined
    const made: Record<string, unknown> = {}
    let count = 0
    const known = new Map(plan.properties)
    const isRequired = new Set(required)
    // Records must differ.
    const isTold = ([, number]: [string, number]) => !isGuess(number, 0)
    const saysEnough = isRecord && (depth > 1 || plan.properties.filter(isTold).length > leastTold)
    const add = (name: string): boolean => {
      const number = known.get(name) ?? plan.others ?? -1
      const isBlank = saysEnough && isRequired.has(name) && !told.includes(name) && isGuess(number, 0)
      const value = (isBlank ? blank(number, depth + 1) : undefined) ?? make(number, depth + 1)
      if (value === undefined) return false
      if (!Object.hasOwn(made, name)) count++
      Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true })
      return (plan.dependentRequired?.[name] ?? []).every((each) => Object.hasOwn(made, each) || add(each))
    }
    if (!required.every((name) => Object.hasOwn(made, name) || add(name))) return undefined
    for (const [name, number] of isRecord ? plan.properties.slice(0, maxOptionalProperties) : []) {
      if (isRequired.has(name) || Object.hasOwn(made, name) || members > maxOptional) continue
      const isShown = current.record === 0 && plan.shown?.includes(name)
      const isLikely = isShown || (random.next() < optionalShare && !isGuess(number, 0))
      if ((isLikely || (depth === 0 && told.includes(name))) && (depth < maxOptionalDepth || !isNested(number, 0)))
        add(name)
    }
    for (const [name] of isRecord && depth === 0 ? plan.properties : []) {
      if (count >= leastTold) break
      if (!Object.hasOwn(made, name)) add(name)
    }
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

  /** What a service shows where it has nothing to say. Undefined if the schema wants more. */
  function blank(number: number, depth: number): unknown {
    const chosen = plans[number] ?? anyPlan
    if (chosen.kind === 'anyOf') {
      const none = chosen.plans.find((each) => plans[each]?.kind === 'null')
      return none === undefined ? blank(chosen.plans[0] ?? -1, depth) : null
    }
    if (chosen.kind === 'number') return makeNumber({ ...chosen, usual: [0, 0] }, making)
    return chosen.kind === 'list' && !chosen.minItems && !chosen.contains ? [] : undefined
  }

  /** Whether a value would be a guess, also each one in a list. */
  function isGuess(number: number, depth: number): boolean {
    const chosen = plans[number] ?? anyPlan
    if (depth > maxNested) return false
    if (chosen.kind === 'anyOf') return chosen.plans.some((each) => isGuess(each, depth + 1))
    if (chosen.kind === 'list') return isGuess(chosen.items, depth + 1)
    return chosen.kind === 'any' || ((chosen.kind === 'text' || chosen.kind === 'number') && chosen.isGuess === true)
  }

  /** Whether a value may contain an object. */
  function isNested(number: number, depth: number): boolean {
    const chosen = plans[number] ?? anyPlan
    if (depth > maxNested) return true
    if (chosen.kind === 'anyOf') return chosen.plans.some((each) => isNested(each, depth + 1))
    return chosen.kind === 'list' ? isNested(chosen.items, depth + 1) : chosen.kind === 'object'
  }
}

/** Range of numbers without bounds: most such schemas mean small numbers. */
const usualRange: [number, number] = [1, 101]
/** Bounds as wide as those of an int32 do not indicate usual values. */
const widest = 2 ** 31 - 2

/** @returns undefined if no number is within the bounds */
export function makeNumber(plan: NumberPlan, making: Making): number | bigint | undefined {
  const { isInteger, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, isFraction, time, example } =
    plan
  const { random, record } = making
  const low = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity)
  const high = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity)
  const isAllowed = (value: number) =>
    value >= low &&
    value <= high &&
    value !== exclusiveMinimum &&
    value !== exclusiveMaximum &&
    (!isInteger || Number.isInteger(value)) &&
    (multipleOf === undefined || isMultiple(value, multipleOf))
  const exact = time ? Math.floor(makeTime(making, time) / time.unit) : record ? undefined : example
  if (exact !== undefined && isAllowed(Number(exact))) return exact
  // Prefer an integer, because counts are often documented only as numbers.
  const whole = isInteger || multipleOf !== undefined || isFraction ? undefined : { ...plan, isInteger: true }
  const made = whole && makeNumber(whole, making)
  if (made !== undefined) return made
  const isWhole = isInteger && (multipleOf === undefined || Number.isInteger(multipleOf))
  const step = multipleOf ?? (isInteger ? 1 : 0.01)
  const [least, most] = plan.usual ?? usualRange
  const width = Math.max(most - least, step * 100)
  const isOpenBelow = low <= -widest
  const isOpenAbove = high >= widest
  const from = isOpenBelow ? (isOpenAbove ? least : high - width) : low
  const bounds: [number, number] = [from, isOpenAbove ? from + width : high]
  const isNamed = plan.usual !== undefined || (step <= 1 && (isOpenBelow || isOpenAbove))
  const ranges = isNamed ? [[Math.max(low, least), Math.min(high, most)] as const, bounds] : [bounds]
  for (const [first, last] of ranges) {
    const start = Math.ceil(first / step)
    const count = Math.floor(last / step) - start + 1
    const offset = random.below(Math.max(count, 1))
    for (let index = 0; index < Math.min(count, maxTries); index++) {
      const value = toDecimal((start + ((offset + index) % count)) * step)
      if (isAllowed(value) && (!isWhole || Number.isInteger(value))) return value
    }
  }
  // Bounds may be closer than a step.
  return isInteger || multipleOf !== undefined ? undefined : [low, high, (low + high) / 2].find(isAllowed)
}
