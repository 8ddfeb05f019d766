/** Decides whether a request is valid, by the validators of the contract. */
import { valueContentOf } from '../../../contract/body-content.js'
import type { RequestContract } from '../../../contract/contract.js'
import { judge, type Violation } from '../../../contract/violations.js'
import { toRounded } from '../../../json/rounding.js'
import type { Draft } from '../requests/request-draft.js'

/** All violations in the parameters and the JSON body of a request. A body given as text is not validated. */
export function violationsOf({ validators }: RequestContract, { operation, parameters, body }: Draft): Violation[] {
  const judgeBy = (number: number | undefined, value: unknown) =>
    judge(number === undefined ? undefined : validators[number], toRounded(value), value, value === parameters)
  const bodyValue = body && 'value' in body ? body.value : unsent
  return [
    ...judgeBy(operation.validatePath, parameters),
    ...judgeBy(operation.validateParameters, parameters),
    ...(bodyValue === unsent ? [] : judgeBy(valueContentOf(operation)?.validate, bodyValue)),
  ]
}

export function isValid(contract: RequestContract, draft: Draft): boolean {
  return violationsOf(contract, draft).length === 0
}

/** Whether only formats are violated, if anything is. Validators need not check them (JSON Schema 2020-12, section 7.2.1). */
export function isAcceptable(violations: readonly Violation[]): boolean {
  return violations.every(({ rule }) => rule === 'format')
}

export function describeViolations(violations: readonly Violation[]): string {
  return violations.map(({ message }) => message).join('; ')
}

/** Place and keyword of the first violation, e.g. `query limit maximum`; empty without violations. */
export function placeOf([first]: readonly Violation[]): string {
  return first ? `${first.in} ${first.at}${first.at === '' ? '' : ' '}${first.rule}`.replace('  ', ' ') : ''
}

/** Whether two requests are invalid in the same way. */
export function isSameCase(one: readonly Violation[], other: readonly Violation[]): boolean {
  return one.length === other.length && placeOf(one) === placeOf(other)
}

/** The violated rules of the JSON body and their places, for comparisons. Empty if there are none. */
export function brokenRulesOf({ validators }: RequestContract, { operation, body }: Draft): string {
  const number = valueContentOf(operation)?.validate
  const validate = number === undefined ? undefined : validators[number]
  if (!body || !('value' in body) || !validate || validate(toRounded(body.value))) return ''
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`).join('\n')
}

const unsent = Symbol('no body')
