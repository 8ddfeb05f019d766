/** Says whether a request keeps the contract, by the validators of the contract. */
import type { RequestContract, Validate, Violation } from '../../../contract/contract.js'
import { toRounded } from '../../../contract/exact-json.js'
import { toViolations } from '../../../contract/violations.js'
import type { Draft } from '../draft.js'

/** Every way in which the parameters and the JSON body of a request break the contract; what is text is not judged. */
export function violationsOf({ validators }: RequestContract, { operation, parameters, body }: Draft): Violation[] {
  const judge = (number: number | undefined, value: unknown): Violation[] => {
    const validate: Validate | undefined = number === undefined ? undefined : validators[number]
    if (!validate || validate(toRounded(value))) return []
    return toViolations(validate.errors ?? [], value, value === parameters)
  }
  const bodyValue = body && 'value' in body ? body.value : unsent
  return [
    ...judge(operation.validatePath, parameters),
    ...judge(operation.validateParameters, parameters),
    ...(bodyValue === unsent ? [] : judge(operation.body?.validate, bodyValue)),
  ]
}

const unsent = Symbol('no body')
