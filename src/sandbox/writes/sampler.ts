/** Makes what schemas require and requests do not give, by the sampler plans of a contract. */
import type { CollectionModel, RequestContract } from '../../contract/contract.js'
import type { ErrorBody } from '../../contract/documented-response.js'
import type { Ensure } from '../../contract/effects/ensure.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { createRandom, type Random, toSeed } from '../../json/random.js'
import { toRounded } from '../../json/rounding.js'
import { isAllowed } from '../../json/sampler/complete-value.js'
import { ensureValid } from '../../json/sampler/ensure-valid.js'
import { makeText } from '../../json/sampler/make-text.js'
import { makeValue } from '../../json/sampler/make-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { tryJson } from '../../media/fields.js'
import { makeKey as nextKey } from '../../state/stored-collection.js'
import type { Key } from '../../state/stored-record.js'
import { type ErrorFacts, writeErrorValue, writeText } from '../responses/write-error.js'
import type { Records } from './records.js'

/**
 * @param before the previous value: missing parts are taken from it before any are made
 * @param now milliseconds since 1970, for times. @default the time of samples
 * @returns the value itself if it is valid, else a valid one; undefined if none can be made
 */
export function ensureValue(
  { plans, validators }: RequestContract,
  { validate, plan }: Ensure,
  value: ExactValue | undefined,
  seed: number,
  before?: ExactValue,
  now?: number,
): ExactValue | undefined {
  const judge = validators[validate]
  return judge ? ensureValid({ value: value as ExactValue, before, judge, plans, plan, seed, now }) : value
}

/** The same for JSON text. @param name the seed: the same name makes the same text */
export function ensureText(contract: RequestContract, ensure: Ensure, text: string, name: string): string | undefined {
  // biome-ignore lint/plugin: an example of the document
  const value = parseExactJson(text).exact
  if (isValid(contract, ensure, value)) return text
  // Some documents write the example of an object as a JSON string.
  const written = typeof value === 'string' ? (tryJson(value) as ExactValue | undefined) : undefined
  const known = written !== undefined && isValid(contract, ensure, written) ? written : value
  const ensured = ensureValue(contract, ensure, known, toSeed(name))
  return ensured === undefined ? undefined : writeByShape(ensured, contract.shapes, 0)
}

/** Writes an error body. @param name of the operation */
export type WriteError = (
  contract: RequestContract,
  error: ErrorBody,
  facts: ErrorFacts,
  name: string | undefined,
) => string

export const writeError: WriteError = (contract, error, facts, name) => {
  const { form, ensure } = error
  if (form) return writeText(form, facts.message)
  const toValue = (extent: ErrorFacts['extent']) => writeErrorValue(error, { ...facts, extent }) as ExactValue
  const extents = [undefined, 'brief', 'full'] as const
  const valid = ensure && extents.find((extent) => isValid(contract, ensure, toValue(extent)))
  const text = writeByShape(toValue(valid), contract.shapes, 0)
  // If no value satisfies the schema, the unchanged text is the closest.
  return (ensure && ensureText(contract, ensure, text, `${name} ${facts.status}`)) ?? text
}

function isValid({ validators }: RequestContract, { validate }: Ensure, value: ExactValue): boolean {
  return validators[validate]?.(toRounded(value)) === true
}

/** Maximum number of tries for an unused key. */
const maxTries = 200

/** Keys of this length are rarely used up. */
const usualLength = 12

/** A form that allows longer texts allows more of them. */
function makeLong(plans: RequestContract['plans'], number: number, random: Random): unknown {
  const plan = plans[number]
  const minLength = Math.max((plan?.kind === 'text' && plan.minLength) || 0, usualLength)
  const long =
    plan?.kind === 'text' && plan.isStrict
      ? makeText({ ...plan, minLength }, { random }, (other) => makeValue(plans, other, { random }))
      : undefined
  return long ?? makeValue(plans, number, { random })
}

/** The key of a new record: what is wanted, also with a number. Numbers come first, as long as the schema allows them. @returns undefined if no unused key is found */
export function makeKey(
  { plans }: RequestContract,
  { name, keyKind, keyPlan }: CollectionModel,
  records: Records,
  wanted?: string,
): Key | undefined {
  for (let number = 1; wanted && number <= maxTries; number++) {
    const key = number > 1 ? `${wanted}-${number}` : wanted
    if (!records.get(key) && (keyPlan === undefined || isAllowed(plans, keyPlan, key))) return key
  }
  const next = nextKey(records, keyKind)
  if (keyPlan === undefined || (next !== undefined && isAllowed(plans, keyPlan, next))) return next
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const seed = toSeed(`${name} ${records.nextKey} ${attempt}`)
    const key = records.toKey(makeLong(plans, keyPlan, createRandom(seed)))
    if (key === undefined || records.get(key)) continue
    return key
  }
  return undefined
}
