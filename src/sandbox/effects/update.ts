/** The effect `update`: applies the change that the body describes, with the codec of its media type. */
import type { KeyedEffect } from '../../contract/contract.js'
import { judge } from '../../contract/violations.js'
import { copyValue } from '../../json/copy.js'
import { PatchError } from '../../json/patch-error.js'
import { pruneByShape } from '../../json/prune-by-shape.js'
import { toRounded } from '../../json/rounding.js'
import type { Values } from '../../state/stored-record.js'
import { fill, keptValues } from '../fill-properties.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { EffectInput } from './effect.js'
import { changeRecord, toValues } from './keyed.js'

export function update(input: EffectInput<KeyedEffect>): Outcome {
  const { effect, context } = input
  const again = effect.fills.filter((each) => each.again)
  return changeRecord(input, (values) => {
    const patched = patch(input, values)
    return patched instanceof Refusal ? patched : { ...patched, ...fill(again, context.now) }
  })
}

/** Returns the changed values. The result of a patch can violate the schema of the record, so it is validated. */
function patch({ contract, effect, request }: EffectInput<KeyedEffect>, values: Values): Values | Refusal {
  const { codec, value } = request.body
  if (!codec) return values
  if (codec.name === 'json') {
    const given = toValues(value)
    return given instanceof Refusal ? given : (codec.patch(values, given) as Values)
  }
  try {
    const changed = toValues(codec.patch(values, value))
    if (changed instanceof Refusal || effect.validatePatched === undefined) return changed
    const patched = copyValue({ ...changed, ...keptValues(values, effect.fills) })
    pruneByShape(patched, contract.shapes, effect.shape, () => {})
    const violations = judge(contract.validators[effect.validatePatched], toRounded(patched), patched, false)
    if (violations.length === 0) return patched
    const message = `The patched record would break the contract: ${violations.map((each) => each.message).join('; ')}`
    return new Refusal('invalid_request', message, { violations })
  } catch (error) {
    if (error instanceof PatchError) return new Refusal('invalid_request', error.message)
    throw error
  }
}
