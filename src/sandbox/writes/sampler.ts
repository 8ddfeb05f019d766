/** Makes required values of responses that requests do not give, by the sampler plans of a contract. */
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
import { makeKey } from '../../state/make-record-key.js'
import type { Key, Values } from '../../state/stored-record.js'
import { stamp } from '../http/entity-tag.js'
import { type ErrorFacts, writeErrorValue, writeText } from '../responses/write-error.js'
import type { Records } from './records.js'

/** The part of an engine that makes values. Contracts whose values are always valid do not need it. */
export interface Sampler {
  /**
   * @param before the previous value: missing parts are taken from it before any are made
   * @returns the value itself if it is valid, else a valid one; undefined if none can be made
   */
  ensure(
    contract: RequestContract,
    ensure: Ensure,
    value: ExactValue,
    seed: number,
    before?: ExactValue,
  ): ExactValue | undefined
  /** The same for JSON text. @param name the seed: the same name makes the same text */
  ensureText(contract: RequestContract, ensure: Ensure, text: string, name: string): string | undefined
  /** Makes the key of a new record. @returns undefined if no unused one is found */
  makeKey(contract: RequestContract, model: CollectionModel, records: Records): Key | undefined
  /** Sets the entity tag that a changed record shows, if it shows one. */
  stamp(contract: RequestContract, model: CollectionModel, values: Values): Values
  /** Writes an error body. @param name of the operation */
  writeError(contract: RequestContract, error: ErrorBody, facts: ErrorFacts, name: string | undefined): string
}

export const sampler: Sampler = {
  ensure({ plans, validators }, { validate, plan }, value, seed, before) {
    const judge = validators[validate]
    return judge ? ensureValid({ value, before, judge, plans, plan, seed }) : value
  },
  ensureText(contract, ensure, text, name) {
    // biome-ignore lint/plugin: an example of the document
    const value = parseExactJson(text).exact
    if (isValid(contract, ensure, value)) return text
    // Some documents write the example of an object as a JSON string.
    const written = typeof value === 'string' ? (tryJson(value) as ExactValue | undefined) : undefined
    const known = written !== undefined && isValid(contract, ensure, written) ? written : value
    const ensured = sampler.ensure(contract, ensure, known, toSeed(name))
    return ensured === undefined ? undefined : writeByShape(ensured, contract.shapes, 0)
  },
  makeKey: makeKeyByPlan,
  stamp,
  writeError(contract, error, facts, name) {
    const { form, ensure } = error
    if (form) return writeText(form, facts.message)
    const toValue = (extent: ErrorFacts['extent']) => writeErrorValue(error, { ...facts, extent }) as ExactValue
    const extents = [undefined, 'brief', 'full'] as const
    const valid = ensure && extents.find((extent) => isValid(contract, ensure, toValue(extent)))
    const text = writeByShape(toValue(valid), contract.shapes, 0)
    // If no value satisfies the schema, the unchanged text is the closest.
    return (ensure && sampler.ensureText(contract, ensure, text, `${name} ${facts.status}`)) ?? text
  },
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

/** Numbers come first, as long as the schema allows them. @returns undefined if no unused key is found */
function makeKeyByPlan(
  { plans }: RequestContract,
  { name, keyKind, keyPlan }: CollectionModel,
  records: Records,
): Key | undefined {
  const next = makeKey(records, keyKind)
  if (keyPlan === undefined || (next !== undefined && isAllowed(plans, keyPlan, next))) return next
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const seed = toSeed(`${name} ${records.nextKey} ${attempt}`)
    const key = records.toKey(makeLong(plans, keyPlan, createRandom(seed)))
    if (key === undefined || records.get(key)) continue
    return key
  }
  return undefined
}
