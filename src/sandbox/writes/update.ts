/** The effects `update` and `replace`: apply the change that the body describes, with the codec of its media type. */
import type { KeyedEffect } from '../../contract/effects/effect.js'
import { judge, type Violation } from '../../contract/violations.js'
import { copyValue, countCharacters } from '../../json/copy.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { PatchError } from '../../json/patch-error.js'
import { pruneByShape } from '../../json/prune-by-shape.js'
import { toRounded } from '../../json/rounding.js'
import type { Values } from '../../state/stored-record.js'
import { type Outcome, Refusal } from '../outcome.js'
import { changeRecord, keepReadOnly } from './change-record.js'
import type { EffectInput } from './effect-input.js'
import { givenValues, toValues } from './given-values.js'
import { fill, keptValues } from './service-written.js'

export function update(input: EffectInput<KeyedEffect>): Outcome {
  return changeRecord(input, (values) => {
    const patched = patch(input, values)
    return patched instanceof Refusal || !isTooLarge(values, patched) ? patched : tooLarge
  })
}

/** A patch is limited by its body, but many patches could grow a record without limit. */
const maxCharacters = 16 * 1024 * 1024
const tooLarge = new Refusal(
  'payload_too_large',
  `The patched record would have more than ${maxCharacters} characters; remove some of it first`,
)

/** A record may be created larger. It can then be changed as long as it does not grow. */
function isTooLarge(before: Values, patched: Values): boolean {
  const count = countCharacters(patched)
  return count > maxCharacters && count > countCharacters(before)
}

/** Returns the changed values. A valid body can still lead to a record that violates its schema, so that is validated. */
function patch(input: EffectInput<KeyedEffect>, values: Values): Values | Refusal {
  const { effect, request } = input
  const { codec, value } = request.body
  if (!codec) return values
  try {
    const isPatch = codec.name === 'json-patch'
    // A merge patch says itself what it removes.
    const isMerging = codec.name === 'merge-patch'
    const given = !isPatch || effect.given ? givenValues(input, isMerging ? undefined : values) : value
    const result = given instanceof Refusal ? given : toValues(codec.patch(values, given))
    if (result instanceof Refusal) return result
    const changed = keepReadOnly(input, values, result)
    // A property that the service only writes if a request does not give it can be changed.
    const kept = effect.serviceWritten.filter((each) => each.with !== 'constant' && !each.as)
    const shown = toRecord(input, values)
    const unseen = Object.entries(values).filter(([name]) => !Object.hasOwn(shown, name))
    const finish = (next: Values) => {
      const patched = toRecord(input, { ...next, ...keptValues(values, kept) })
      return {
        patched: { ...Object.fromEntries(unseen), ...patched },
        violations: newViolations(input, values, patched),
      }
    }
    // A JSON body was already pruned to the properties that a request can have.
    if (!isPatch && !isMerging) return refuseBroken(input, values, changed) ?? changed
    const { patched, violations: found } = finish(changed)
    // A JSON Patch has no schema that allows it to leave out required properties.
    const violations = isPatch ? found : found.filter((each) => !isLack(each, values))
    if (violations.length === 0) return patched
    const withNulls = isMerging ? finish({ ...changed, ...nullsOf(input, given) }) : undefined
    return withNulls?.violations.length === 0 ? withNulls.patched : refusalOf(violations)
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    const [at] = /^\[\d+\]\.\w+|/.exec(error.message) ?? []
    const violation = { in: 'body', at: at ?? '', rule: 'patch', message: error.message } as const
    return new Refusal('invalid_request', error.message, { violations: [violation] })
  }
}

/** Refuses a changed record that breaks its schema. Missing required properties are allowed: they are filled in later. */
export function refuseBroken(input: EffectInput<KeyedEffect>, before: Values, changed: Values): Refusal | undefined {
  const violations = newViolations(input, before, toRecord(input, changed))
  const broken = violations.filter(({ rule }) => rule !== 'required' && rule !== 'dependentRequired')
  return broken.length === 0 ? undefined : refusalOf(broken)
}

function refusalOf(violations: Violation[]): Refusal {
  const message = `The changed record would break the contract: ${violations.map((each) => each.message).join('; ')}`
  return new Refusal('invalid_request', message, { violations })
}

/** Whether a violation is about a required property that was already missing before, not one that a merge patch removed. */
function isLack({ rule, at }: Violation, values: Values): boolean {
  const toMember = (value: unknown, name: string) => (isObject(value) ? ownValue(value, name) : undefined)
  return rule === 'required' && at.split('.').reduce(toMember, values as unknown) === undefined
}

/** The properties that a merge patch sets to null although its schema names them: null may be their value, not a removal. */
function nullsOf({ contract, operation }: EffectInput<KeyedEffect>, given: unknown): Values {
  const content = operation.body?.content.find(({ codec }) => codec === 'merge-patch')
  const names = contract.shapes[content?.shape ?? 0]?.properties?.map(([name]) => name) ?? []
  if (!isObject(given)) return {}
  return Object.fromEntries(names.flatMap((name) => (given[name] === null ? [[name, null]] : [])))
}

/** The violations of a changed record, without those that it had before: they are not the fault of the request. */
function newViolations(input: EffectInput<KeyedEffect>, values: Values, patched: Values): Violation[] {
  const violations = judgeRecord(input, patched)
  if (violations.length === 0) return violations
  const before = new Set(judgeRecord(input, toRecord(input, values)).map(({ message }) => message))
  return violations.filter(({ message }) => !before.has(message))
}

/** A copy without the properties that a record does not have. */
function toRecord({ contract, effect }: EffectInput<KeyedEffect>, values: Values): Values {
  const record = copyValue(values)
  pruneByShape(record, contract.shapes, effect.shape, () => {})
  return record
}

function judgeRecord({ contract, effect }: EffectInput<KeyedEffect>, record: Values): Violation[] {
  return judge(contract.validators[effect.validateChanged ?? -1], toRounded(record), record, false)
}

export function replace(input: EffectInput<KeyedEffect>): Outcome {
  const { effect, context } = input
  const given = givenValues(input)
  if (given instanceof Refusal) return given
  return changeRecord(input, (values) => {
    const written = { ...fill(effect.serviceWritten, context.now, given), ...keptValues(values, effect.serviceWritten) }
    const changed = keepReadOnly(input, { ...values, ...written }, { ...written, ...given })
    return refuseBroken(input, values, changed) ?? changed
  })
}
