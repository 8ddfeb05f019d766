/** Completes values by sampler plans: makes missing parts, and replaces invalid parts. */

import { isMultiple, toDecimal } from '../is-multiple.js'
import { createNamed, isObject, ownValue } from '../own-value.js'
import { isSameJson } from '../same-json.js'
import { toTyped } from '../typed-value.js'
import { makeValue } from './make-value.js'
import {
  anyPlan,
  type ListPlan,
  type Making,
  type NumberPlan,
  type ObjectPlan,
  type SamplerPlan,
  type TextPlan,
} from './sampler-plan.js'

/** Maximum depth of completed values. */
const maxDepth = 200

/**
 * Returns a value that keeps as much as possible of another one.
 * @param root the previous value. Missing required parts are taken from it. A nested object that only lacks properties of the
 * previous one counts as a part of it
 * @returns undefined if no value can be made
 */
export function completeValue(
  plans: readonly SamplerPlan[],
  plan: number,
  value: unknown,
  making: Making,
  root?: unknown,
): unknown {
  return complete(value, plan, 0, root)

  function make(number: number): unknown {
    return makeValue(plans, number, making)
  }

  function complete(each: unknown, number: number, depth: number, was?: unknown): unknown {
    const chosen = plans[number] ?? anyPlan
    if (chosen.kind === 'any' || depth > maxDepth) return each
    if (chosen.kind === 'anyOf') {
      const best = bestOf(plans, chosen.plans, each)
      if (best !== undefined) return complete(each, best, depth + 1, was)
      const typed = chosen.plans.map((inner) => toOtherType(plans[inner] ?? anyPlan, each))
      return typed.find((known) => known !== undefined) ?? make(number)
    }
    if (!fits(chosen, each)) return toNearest(chosen, each) ?? make(number)
    if (chosen.kind === 'object') {
      const completed = completeObject(chosen, each as Record<string, unknown>, depth, was)
      return completed && addUntilEnough(completed, number, chosen)
    }
    return chosen.kind === 'list' ? completeList(chosen, each as unknown[], depth) : each
  }

  function completeObject(
    plan: ObjectPlan,
    given: Record<string, unknown>,
    depth: number,
    was: unknown,
  ): Record<string, unknown> | undefined {
    const completed = createNamed<unknown>()
    const known = new Map(plan.properties)
    const before = isObject(was) ? was : {}
    const left = plan.required.filter((name) => !Object.hasOwn(given, name))
    const had = left.filter((name) => Object.hasOwn(before, name))
    const isPart = was !== root && left.length > 0 && had.length === left.length
    const kept = isPart ? before : Object.fromEntries(had.map((name) => [name, before[name]]))
    for (const [name, item] of Object.entries({ ...kept, ...given })) {
      const inner = known.get(name) ?? (plan.isMixed ? -1 : plan.others)
      // A property without a possible value is left out.
      const value = inner === undefined ? undefined : complete(item, inner, depth + 1, ownValue(before, name))
      if (value !== undefined) completed[name] = value
    }
    const missing = (names: readonly string[]) => names.filter((name) => !Object.hasOwn(completed, name))
    for (const name of missing([...plan.required, ...dependents(plan, completed)])) {
      const value = make(known.get(name) ?? plan.others ?? -1)
      if (value === undefined) return undefined
      completed[name] = value
    }
    return completed
  }

  /** Adds properties of another value of the plan until there are enough. */
  function addUntilEnough(
    completed: Record<string, unknown>,
    number: number,
    { minProperties = 0 }: ObjectPlan,
  ): Record<string, unknown> {
    const lacking = minProperties - Object.keys(completed).length
    if (lacking <= 0) return completed
    const others = Object.entries(make(number) ?? {}).filter(([name]) => !Object.hasOwn(completed, name))
    for (const [name, value] of others.slice(0, lacking)) completed[name] = value
    return completed
  }

  function completeList({ items, first = [], ...plan }: ListPlan, list: unknown[], depth: number): unknown {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = plan
    const completed = list.slice(0, maxItems).map((item, index) => complete(item, first[index] ?? items, depth + 1))
    while (completed.length < minItems) {
      const item = make(first[completed.length] ?? items)
      if (item === undefined) return undefined
      completed.push(item)
    }
    return completed.filter((item) => item !== undefined)
  }
}

function dependents({ dependentRequired = {} }: ObjectPlan, object: Record<string, unknown>): string[] {
  return Object.entries(dependentRequired).flatMap(([name, names]) => (Object.hasOwn(object, name) ? names : []))
}

/** Whether a plan of a single value certainly allows a value. False for texts that must have a form. */
export function isAllowed(plans: readonly SamplerPlan[], number: number, value: unknown): boolean {
  const plan = plans[number] ?? anyPlan
  if (plan.kind === 'anyOf') return plan.plans.some((each) => isAllowed(plans, each, value))
  if (plan.kind === 'text' && plan.isStrict) return false
  return fits(plan, value) && plan.kind !== 'object' && plan.kind !== 'list'
}

/** The plan that keeps most of a value, or undefined if none keeps its type. */
function bestOf(plans: readonly SamplerPlan[], numbers: readonly number[], value: unknown): number | undefined {
  const scored = numbers.map((number) => ({ number, score: scoreOf(plans, number, value, 0) }))
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), { number: -1, score: 0 })
  return best.score > 0 ? best.number : undefined
}

/** Maximum depth of compared nested alternatives. */
const maxCompared = 4

/** How well a value matches a plan: 0 if it has another type. */
function scoreOf(plans: readonly SamplerPlan[], number: number, value: unknown, depth: number): number {
  const plan = plans[number] ?? anyPlan
  if (plan.kind === 'any') return 1
  if (plan.kind === 'anyOf') {
    if (depth > maxCompared) return 1
    return Math.max(0, ...plan.plans.map((each) => scoreOf(plans, each, value, depth + 1)))
  }
  if (!fits(plan, value)) return 0
  if (plan.kind !== 'object' || !isObject(value)) return 1
  const present = plan.required.filter((name) => Object.hasOwn(value, name)).length
  const known = plan.properties.filter(([name]) => Object.hasOwn(value, name))
  // A property that distinguishes alternatives outweighs any number of others.
  const told = known.map(([name, inner]) => {
    const member = plans[inner]
    return member?.kind === 'values' ? (fits(member, ownValue(value, name)) ? 100 : -100) : 1
  })
  // What was sent and would be lost outweighs what must be made.
  const lost = plan.others === undefined ? Object.keys(value).length - known.length : 0
  const score = told.reduce((sum, each) => sum + each, 1000) + 2 * present - 2 * plan.required.length - 20 * lost
  return Math.max(score, 1)
}

/** Whether a value has the type of a plan and is within its bounds. Members are not checked. */
function fits(plan: SamplerPlan, value: unknown): boolean {
  switch (plan.kind) {
    case 'values':
      return plan.values.some((each) => isSameJson(each, value))
    case 'text':
      return typeof value === 'string' && isLongEnough(plan, value)
    case 'number':
      return (typeof value === 'number' || typeof value === 'bigint') && isInRange(plan, Number(value))
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    case 'list':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return true
  }
}

/** Whether a value and all its members fit a plan. The form of texts is not checked. */
export function fitsWhole(plans: readonly SamplerPlan[], plan: SamplerPlan, value: unknown, depth = 0): boolean {
  const isMember = (number: number | undefined, each: unknown) =>
    number !== undefined && fitsWhole(plans, plans[number] ?? anyPlan, each, depth + 1)
  if (depth > maxDepth) return false
  if (plan.kind === 'anyOf') return plan.plans.some((each) => isMember(each, value))
  if (!fits(plan, value)) return false
  if (plan.kind === 'list') {
    const { first = [], items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = plan
    const list = value as unknown[]
    const isCount = list.length >= minItems && list.length <= maxItems
    return isCount && list.every((each, index) => isMember(first[index] ?? items, each))
  }
  if (plan.kind !== 'object') return true
  const known = new Map(plan.properties)
  const entries = Object.entries(value as Record<string, unknown>)
  const isThere = plan.required.every((name) => Object.hasOwn(value as object, name))
  return isThere && entries.every(([name, each]) => isMember(known.get(name) ?? plan.others, each))
}

function isLongEnough({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: TextPlan, text: string): boolean {
  const { length } = [...text]
  return length >= minLength && length <= maxLength
}

function isInRange(plan: NumberPlan, value: number): boolean {
  const { isInteger, minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, multipleOf } = plan
  if (isInteger && !Number.isInteger(value)) return false
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return false
  return (
    value >= minimum &&
    value <= maximum &&
    value > (exclusiveMinimum ?? -Infinity) &&
    value < (exclusiveMaximum ?? Infinity)
  )
}

/** Converts a numeric text to a number, or a number to text, as services convert requests to stored values. */
function toOtherType(plan: SamplerPlan, value: unknown): unknown {
  const type = plan.kind === 'number' ? (plan.isInteger ? 'integer' : 'number') : plan.kind === 'text' && 'string'
  const typed = type ? toTyped(value, [type]) : value
  return typed !== value && typeof value !== 'boolean' && fits(plan, typed) ? typed : undefined
}

/**
 * The nearest valid value: converts another type, cuts a text that is too long, and replaces a number by the bound that it
 * exceeds.
 */
function toNearest(plan: SamplerPlan, value: unknown): unknown {
  const typed = toOtherType(plan, value)
  if (typed !== undefined) return typed
  if (plan.kind === 'number' && typeof value === 'number') {
    const { minimum = value, maximum = value, multipleOf = 1 } = plan
    const nearest = Math.min(Math.max(value, minimum), maximum)
    const multiple = toDecimal(Math.round(nearest / multipleOf) * multipleOf)
    return [nearest, Math.trunc(value), multiple].find((each) => fits(plan, each))
  }
  if (plan.kind !== 'text' || typeof value !== 'string' || plan.maxLength === undefined) return undefined
  const text = [...value].slice(0, plan.maxLength).join('')
  return fits(plan, text) ? text : undefined
}
