/** Makes values valid: keeps valid parts, and makes the rest by a sampler plan. */

import { copyValue } from '../copy.js'
import type { ExactValue } from '../exact-value.js'
import { fromJsonPointer } from '../json-pointer.js'
import { isObject } from '../own-value.js'
import { createRandom } from '../random.js'
import { toRounded } from '../rounding.js'
import { completeValue } from './complete-value.js'
import { makeValue } from './make-value.js'
import { anyPlan, type Making, type SamplerPlan } from './sampler-plan.js'

/** Whether a value is valid. Sets `errors`, as validators by Ajv do. */
export interface Judge {
  (value: unknown): boolean
  errors?: JudgeError[] | null
}

interface JudgeError {
  /** JSON Pointer of the wrong value. */
  instancePath: string
  keyword: string
  params: Record<string, unknown>
}

export interface ValueToEnsure {
  value: ExactValue
  /** The previous value: missing required parts are taken from it before any are made. */
  before?: ExactValue
  judge: Judge
  plans: readonly SamplerPlan[]
  /** The plan of the schema. */
  plan: number
  /** The same seed makes the same value. */
  seed: number
  /** Milliseconds since 1970, for times. @default the time of samples */
  now?: number
}

/** Maximum rounds of replacing wrong parts. */
const maxRounds = 8
/** Maximum tries for an entirely new value. */
const maxTries = 16

/** @returns a new value in place of one that is not valid; undefined if no valid value is found */
export function makeValid(input: ValueToEnsure, isValid: (each: unknown) => boolean): ExactValue | undefined {
  const { value, judge, plans, plan } = input
  const making: Making = { random: createRandom(input.seed), ...(input.now !== undefined && { now: input.now }) }
  const known = value === undefined ? undefined : completeValue(plans, plan, value, making, input.before)
  if (isValid(known)) return known
  const copy = known === undefined ? undefined : copyValue(known)
  const replaced = copy === undefined ? undefined : replaceWrong(input, copy, isValid, making)
  if (replaced !== undefined && replaced === copy) return replaced
  // A new value would keep nothing of this one.
  const rest = withoutWrong(value, judge)
  const mended = rest && replaceWrong(input, completeValue(plans, plan, rest, making, input.before), isValid, making)
  if (mended !== undefined || replaced !== undefined) return mended ?? replaced
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const made = makeValue(plans, plan, making)
    if (isValid(made)) return made
    const next = made === undefined ? undefined : replaceWrong(input, made, isValid, making)
    if (next !== undefined) return next
  }
  return undefined
}

/** An object without its wrong properties. Undefined if there are none, or if it is not an object. */
function withoutWrong(value: ExactValue | undefined, judge: Judge): ExactValue | undefined {
  if (!isObject(value)) return undefined
  judge(toRounded(value))
  const wrong = new Set(judge.errors?.map(({ instancePath }) => instancePath.split('/')[1]))
  const entries = Object.entries(value)
  const kept = entries.filter(([name]) => !wrong.has(name))
  return kept.length < entries.length ? Object.fromEntries(kept) : undefined
}

/** Replaces the values that the judge reports, in place, until it reports none. */
function replaceWrong(
  { judge, plans, plan }: ValueToEnsure,
  value: unknown,
  isValid: (value: unknown) => boolean,
  making: Making,
): unknown {
  let root = value
  for (let round = 0; round < maxRounds; round++) {
    if (isValid(root)) return root
    const errors = judge.errors ?? []
    // The errors of an alternative show how to make it valid; the last rounds try another alternative.
    const isLate = round >= maxRounds / 2
    const open = isLate ? errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf') : errors
    for (const error of open.length > 0 ? open : errors) {
      const next = replaceOne(root, error)
      if (next === undefined) return undefined
      root = next.root
    }
  }
  return isValid(root) ? root : undefined

  function replaceOne(before: unknown, { instancePath, keyword, params }: JudgeError): { root: unknown } | undefined {
    const path = fromJsonPointer(instancePath)
    const unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
    const missing = params['missingProperty']
    if (unknown !== undefined) return { root: leaveOut(before, [...path, String(unknown)]) }
    if (keyword === 'false schema') return { root: leaveOut(before, path) }
    if (keyword === 'if') return { root: before }
    const at = missing === undefined ? path : [...path, String(missing)]
    const number = planAt(plans, plan, at)
    const made = number === undefined ? undefined : makeValue(plans, number, making)
    return { root: made === undefined ? before : put(before, at, made) }
  }
}

/** The plan of the value at a path, or undefined if no plan describes it. */
function planAt(plans: readonly SamplerPlan[], root: number, path: readonly string[]): number | undefined {
  let numbers = [root]
  for (const part of path) numbers = numbers.flatMap((number) => membersOf(plans, number, part, 0))
  return numbers[0]
}

const maxNested = 8

function membersOf(plans: readonly SamplerPlan[], number: number, name: string, depth: number): number[] {
  const plan = plans[number] ?? anyPlan
  if (plan.kind === 'anyOf' && depth < maxNested) {
    return plan.plans.flatMap((each) => membersOf(plans, each, name, depth + 1))
  }
  if (plan.kind === 'list') return [plan.first?.[Number(name)] ?? plan.items]
  if (plan.kind !== 'object') return []
  const known = plan.properties.find(([each]) => each === name)?.[1] ?? plan.others
  return known === undefined ? [] : [known]
}

/** Puts a value at a path, in place. Returns the root. */
function put(root: unknown, path: readonly string[], value: unknown): unknown {
  const owner = ownerOf(root, path)
  const name = path.at(-1)
  if (name === undefined) return value
  if (Array.isArray(owner)) owner[Number(name)] = value
  else if (owner) Object.defineProperty(owner, name, { value, enumerable: true, writable: true, configurable: true })
  return root
}

function leaveOut(root: unknown, path: readonly string[]): unknown {
  const owner = ownerOf(root, path)
  const name = path.at(-1)
  if (name === undefined) return root
  if (Array.isArray(owner)) owner.splice(Number(name), 1)
  else if (owner) delete owner[name]
  return root
}

function ownerOf(root: unknown, path: readonly string[]): unknown[] | Record<string, unknown> | undefined {
  let owner = root
  for (const name of path.slice(0, -1)) {
    if (Array.isArray(owner)) owner = owner[Number(name)]
    else owner = isObject(owner) && Object.hasOwn(owner, name) ? owner[name] : undefined
  }
  return Array.isArray(owner) || isObject(owner) ? owner : undefined
}
