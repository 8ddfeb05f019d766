/** Makes what responses require and requests do not give, by the fill plans of a contract. */
import type { RequestContract } from '../contract/contract.js'
import type { Ensure } from '../contract/ensure.js'
import { isAllowed } from '../json/complete-value.js'
import { ensureValid } from '../json/ensure-valid.js'
import { parseExactJson } from '../json/exact-json.js'
import type { ExactValue } from '../json/exact-value.js'
import { makeValue } from '../json/make-value.js'
import { createRandom, toSeed } from '../json/random.js'
import { toRounded } from '../json/rounding.js'
import { writeByShape } from '../json/write-by-shape.js'

/** The part of an engine that makes values. Contracts whose values are always valid do not need it. */
export interface Filler {
  /** @returns the value itself if it is valid, else a valid one; undefined if none can be made */
  ensure(contract: RequestContract, ensure: Ensure, value: ExactValue, seed: number): ExactValue | undefined
  /** The same for JSON text. @param name of what the text is for: the same name makes the same text */
  ensureText(contract: RequestContract, ensure: Ensure, text: string, name: string): string | undefined
  /** Whether a plan certainly allows a single value. */
  allows(contract: RequestContract, plan: number, value: ExactValue): boolean
  /** Makes a value by a plan. @returns undefined if none can be made */
  make(contract: RequestContract, plan: number, seed: number): ExactValue | undefined
}

export const filler: Filler = {
  ensure({ plans, validators }, { validate, plan }, value, seed) {
    const judge = validators[validate]
    return judge ? ensureValid({ value, judge, plans, plan, seed }) : value
  },
  ensureText(contract, ensure, text, name) {
    const value = parseExactJson(text).exact
    if (isValid(contract, ensure, value)) return text
    // An example of an object may be written as text.
    const written = typeof value === 'string' ? parseWritten(value) : undefined
    const known = written !== undefined && isValid(contract, ensure, written) ? written : value
    const ensured = filler.ensure(contract, ensure, known, toSeed(name))
    return ensured === undefined ? undefined : writeByShape(ensured, contract.shapes, 0)
  },
  allows: ({ plans }, plan, value) => isAllowed(plans, plan, value),
  make: ({ plans }, plan, seed) => makeValue(plans, plan, createRandom(seed)),
}

function isValid({ validators }: RequestContract, { validate }: Ensure, value: ExactValue): boolean {
  return validators[validate]?.(toRounded(value)) === true
}

function parseWritten(text: string): ExactValue | undefined {
  try {
    return parseExactJson(text).exact
  } catch {
    return undefined
  }
}
