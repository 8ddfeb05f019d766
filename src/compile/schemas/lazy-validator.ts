/** Validators that are compiled when they are used for the first time. */
import type { Validate } from '../../contract/validator.js'

/** A validator that is compiled at its first call. */
export function toLazy(compile: () => Validate): Validate {
  const lazy: Validate = (value) => {
    const validate = compile()
    const isValid = validate(value)
    lazy.errors = validate.errors ?? null
    return isValid
  }
  return lazy
}

/** Calculates a result per number, once. */
export function remember<Result>(calculate: (number: number) => Result): (number: number) => Result {
  const known: Result[] = []
  return (number) => {
    const result = known[number] ?? calculate(number)
    known[number] = result
    return result
  }
}
