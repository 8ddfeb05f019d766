/** Makes values by sampler plans, repeatable by the random numbers. */

import { isMultiple, toDecimal } from '../is-multiple.js'
import { createRandom, toSeed } from '../random.js'
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
/** The same in examples. */
const maxExampleDepth = 3
/** Numbers in a list of which only the kind is known: a vector. */
const vectorLength = 3
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

/** One call of `makeValue`. */
interface Run {
  plans: readonly SamplerPlan[]
  making: Making
  /** The same, except within an object whose properties have examples. */
  current: Making
  random: Making['random']
  isRecord: boolean
  /** The number of values so far. */
  members: number
  /** Makes a part of a text. */
  makeOther(plan: number): unknown
}

/**
 * Makes the simplest value of a plan, or that of a record.
 * @returns undefined if no value can be made
 */
export function makeValue(plans: readonly SamplerPlan[], plan: number, making: Making): unknown {
  const { random, record } = making
  const run: Run = {
    ...{ plans, making, current: making, random, isRecord: record !== undefined, members: 0 },
    makeOther: (number) => make(run, number, 0),
  }
  return make(run, plan, 0)
}

function make(run: Run, number: number, depth: number): unknown {
  if (depth > maxDepth || ++run.members > maxMembers) return undefined
  const chosen = run.plans[number] ?? anyPlan
  switch (chosen.kind) {
    case 'anyOf':
      return makeAny(run, chosen.plans, depth)
    case 'values':
      if (run.current.record === 0 && chosen.example !== undefined) return chosen.example
      return chosen.values[run.making.example ? 0 : run.random.below(chosen.values.length)]
    case 'any':
      return makeText({ kind: 'text' }, run.current, run.makeOther)
    case 'text':
      return makeText(chosen, run.current, run.makeOther)
    case 'number':
      return makeNumber(chosen, run.current)
    case 'boolean':
      return (run.current.record === 0 ? chosen.example : undefined) ?? makeFlag(run)
    case 'null':
      return null
    case 'list':
      return shownIn(run, chosen, depth) ?? makeList(run, chosen, depth)
    case 'object':
      return shownIn(run, chosen, depth) ?? makeShown(run, chosen, depth)
  }
}

function makeFlag({ making, random }: Run): boolean {
  return making.example === undefined ? random.below(2) === 1 : making.example === 'whole'
}

/** A whole list or object of the document, because its parts belong together. */
function shownIn(run: Run, { examples = [] }: ListPlan | ObjectPlan, depth: number): unknown {
  return depth > 0 || run.making.example ? examples[(run.making.record ?? 0) % examples.length] : undefined
}

/** The examples of the properties of an object belong together, too. */
function makeShown(run: Run, plan: ObjectPlan, depth: number): unknown {
  const outer = run.current
  if (run.isRecord && depth > 0 && plan.shown) run.current = { ...run.making, record: 0 }
  const made = makeObject(run, plan, depth)
  run.current = outer
  return made
}

/** Tries a random plan first, then the others. Null is the least informative, so it comes last. */
function makeAny(run: Run, numbers: readonly number[], depth: number): unknown {
  const { example } = run.making
  const first = example ? 0 : run.random.below(Math.max(numbers.length, 1))
  const turned = [...numbers.slice(first), ...numbers.slice(0, first)]
  const isNull = example ? example === 'brief' : run.isRecord && run.random.below(valuesPerNull) === 0
  const rank = (number: number) => {
    const chosen = run.plans[number] ?? anyPlan
    const { kind } = chosen
    const isRare = 'isRare' in chosen
    if (isRare || kind === 'null') return isNull && !isRare && !('identifies' in chosen) ? 0 : 2
    return 1 + Number(depth > maxNested && (kind === 'object' || kind === 'list' || kind === 'anyOf')) / 2
  }
  for (const number of turned.toSorted((a, b) => rank(a) - rank(b))) {
    const value = make(run, number, depth + 1)
    if (value !== undefined) return value
  }
  return undefined
}

function makeList(run: Run, plan: ListPlan, depth: number): unknown {
  const { items, first = [], contains, minItems = 0, maxItems: most = maxItems, isUnique } = plan
  const list: unknown[] = []
  const texts = new Set<string>()
  const planAt = (index: number) => {
    if (index < first.length) return first[index] ?? items
    return contains && index < first.length + contains.min ? contains.plan : items
  }
  const least = Math.max(minItems, contains ? first.length + contains.min : 0)
  const isOpen = run.isRecord && run.members < maxOptional && (depth <= maxOptionalDepth || !isNested(run, items, 0))
  // Objects of the document would be repeated.
  const chosen = run.plans[items] ?? anyPlan
  const usual = chosen.kind === 'object' && chosen.shown ? 1 : 1 + run.random.below(maxItems)
  const wanted = run.making.example ? exampleCount(run, chosen, depth) : isOpen ? usual : 0
  const count = Math.max(least, Math.min(wanted, most))
  const mustDiffer = isUnique || (run.isRecord && !run.making.example)
  if (count > maxMembers) return undefined
  for (let tries = 0; list.length < count; ) {
    const item = make(run, planAt(list.length), depth + 1)
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

function exampleCount({ making, members }: Run, items: SamplerPlan, depth: number): number {
  if (making.example === 'brief' && items.kind === 'number') return vectorLength
  return depth === 0 && members < maxOptional ? 1 : 0
}

function makeObject(run: Run, plan: ObjectPlan, depth: number): unknown {
  const { minProperties = 0, required, told = [] } = plan
  if (minProperties > maxMembers) return undefined
  const made: Record<string, unknown> = {}
  let count = 0
  const known = new Map(plan.properties)
  const isRequired = new Set(required)
  // Records must differ.
  const isTold = ([, number]: [string, number]) => !isGuess(run, number, 0)
  const { example } = run.making
  const saysEnough = run.isRecord && !example && (depth > 1 || plan.properties.filter(isTold).length > leastTold)
  const add = (name: string): boolean => {
    const number = known.get(name) ?? plan.others ?? -1
    if (example) startExample(run, name)
    const isBlank = saysEnough && isRequired.has(name) && !told.includes(name) && isGuess(run, number, 0)
    const empty = isBlank ? blank(run, number, depth + 1) : undefined
    const value = empty === undefined ? make(run, number, depth + 1) : empty
    if (value === undefined) return false
    if (!Object.hasOwn(made, name)) count++
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true })
    return (plan.dependentRequired?.[name] ?? []).every((each) => Object.hasOwn(made, each) || add(each))
  }
  // In the order of the schema.
  for (const [name, number] of example ? plan.properties : []) {
    const isWanted = isRequired.has(name) || (run.members <= maxOptional && isInExample(run, plan, number, name, depth))
    if (isWanted && !Object.hasOwn(made, name)) add(name)
  }
  if (!required.every((name) => Object.hasOwn(made, name) || add(name))) return undefined
  for (const [name, number] of run.isRecord && !example ? plan.properties.slice(0, maxOptionalProperties) : []) {
    if (isRequired.has(name) || Object.hasOwn(made, name) || run.members > maxOptional) continue
    if (isInRecord(run, plan, number, name, depth)) add(name)
  }
  for (const [name] of run.isRecord && depth === 0 ? plan.properties : []) {
    if (count >= leastTold) break
    if (!Object.hasOwn(made, name)) add(name)
  }
  for (const [name] of plan.properties) {
    if (count >= minProperties) break
    if (!Object.hasOwn(made, name)) add(name)
  }
  for (let index = 1; count < minProperties; index++) {
    const name = plan.names === undefined ? `property${index}` : make(run, plan.names, depth + 1)
    if (index > 2 * maxMembers || plan.others === undefined || !add(String(name))) return undefined
  }
  return made
}

/** Whether a record has an optional property. */
function isInRecord(run: Run, { shown, told = [] }: ObjectPlan, number: number, name: string, depth: number): boolean {
  const isShown = run.current.record === 0 && shown?.includes(name)
  const isLikely = isShown || (run.random.next() < optionalShare && !isGuess(run, number, 0))
  return (isLikely || (depth === 0 && told.includes(name))) && (depth < maxOptionalDepth || !isNested(run, number, 0))
}

/** Makes the values of a property independent of those before it. */
function startExample(run: Run, name: string): void {
  run.random = createRandom(toSeed(name))
  run.making = { ...run.making, random: run.random }
  run.current = { ...run.current, random: run.random }
}

/** Whether an example has an optional property. A brief one has a text only if no object has it. */
function isInExample(
  run: Run,
  { properties, told = [] }: ObjectPlan,
  number: number,
  name: string,
  depth: number,
): boolean {
  if (run.making.example === 'whole') return depth < maxExampleDepth
  const kindOf = (each: number) => (run.plans[each] ?? anyPlan).kind
  const isToldBy = (kind: SamplerPlan['kind']) =>
    properties.some(([other, each]) => told.includes(other) && kindOf(each) === kind)
  if (kindOf(number) === 'values') return true
  return told.includes(name) && kindOf(number) !== 'list' && !(kindOf(number) === 'text' && isToldBy('object'))
}

/** What a service shows where it has nothing to say. Undefined if the schema wants more. */
function blank(run: Run, number: number, depth: number): unknown {
  const chosen = run.plans[number] ?? anyPlan
  if (chosen.kind === 'anyOf') {
    const plans = chosen.plans.map((each) => run.plans[each])
    const isNull = plans.some((each) => each?.kind === 'null' && !each.isRare)
    return isNull ? null : blank(run, chosen.plans[0] ?? -1, depth)
  }
  if (chosen.kind === 'number') return makeNumber({ ...chosen, usual: [0, 0] }, run.making)
  return chosen.kind === 'list' && !chosen.minItems && !chosen.contains ? [] : undefined
}

/** Whether a value would be a guess, also each one in a list. */
function isGuess(run: Run, number: number, depth: number): boolean {
  const chosen = run.plans[number] ?? anyPlan
  if (depth > maxNested) return false
  if (chosen.kind === 'anyOf') return chosen.plans.some((each) => isGuess(run, each, depth + 1))
  if (chosen.kind === 'list') return isGuess(run, chosen.items, depth + 1)
  return chosen.kind === 'any' || ((chosen.kind === 'text' || chosen.kind === 'number') && chosen.isGuess === true)
}

/** Whether a value may contain an object. */
function isNested(run: Run, number: number, depth: number): boolean {
  const chosen = run.plans[number] ?? anyPlan
  if (depth > maxNested) return true
  if (chosen.kind === 'anyOf') return chosen.plans.some((each) => isNested(run, each, depth + 1))
  return chosen.kind === 'list' ? isNested(run, chosen.items, depth + 1) : chosen.kind === 'object'
}

/** Range of numbers without bounds: most such schemas mean small numbers. */
const usualRange: [number, number] = [1, 101]
/** In an example, what nothing is known of is 1. */
const simplest: [number, number] = [1, 1]
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
  const [least, most] = plan.usual ?? (making.example ? simplest : usualRange)
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
    const offset = making.example ? 0 : random.below(Math.max(count, 1))
    for (let index = 0; index < Math.min(count, maxTries); index++) {
      const value = toDecimal((start + ((offset + index) % count)) * step)
      if (isAllowed(value) && (!isWhole || Number.isInteger(value))) return value
    }
  }
  // Bounds may be closer than a step.
  return isInteger || multipleOf !== undefined ? undefined : [low, high, (low + high) / 2].find(isAllowed)
}
