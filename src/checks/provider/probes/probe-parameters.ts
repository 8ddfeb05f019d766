/** Checks that valid values of each parameter are accepted and invalid ones refused. */
import type { Parameter } from '../../../contract/request-model.js'
import type { CheckPlan } from '../plan-check.js'
import type { Subject } from '../requests/checked-operation.js'
import { type Draft, isFixed, isSafe, withParameter } from '../requests/request-draft.js'
import { describeViolations, isAcceptable, isSameCase, placeOf, violationsOf } from '../values/judge-draft.js'

/** Sends every value of every parameter, except path parameters, which `probeKeys` covers, and those that are fixed. */
export async function probeParameters(plan: CheckPlan, subject: Subject, draft: Draft): Promise<void> {
  for (const parameter of subject.operation.parameters) {
    const { in: place, name } = parameter
    // Any answer to an unusual text is accepted, except a failure of the service.
    for (const text of isSafe(draft) ? subject.unusualTexts(parameter) : []) {
      const details = { at: `${place} ${name}`, description: `unusual text in ${name}` }
      await plan.runner.send(withParameter(draft, place, name, text), 'any', details)
    }
    if (place === 'path' || isFixed(subject.operation, parameter)) continue
    const values = [...subject.valuesOf(parameter), ...(parameter.required ? [undefined] : [])]
    for (const value of values) await probeParameter(plan, draft, parameter, value)
  }
}

async function probeParameter(
  { contract, runner, canWrite }: CheckPlan,
  draft: Draft,
  { name, in: place, style }: Parameter,
  value: unknown,
): Promise<void> {
  const input = withParameter(draft, place, name, value)
  const violations = violationsOf(contract, input)
  const isValid = violations.length === 0
  if (!isValid && isAcceptable(violations)) return
  if (isValid && !canWrite && !isSafe(draft)) return
  // The record would be removed by the first request.
  if (isValid && draft.operation.effect.kind === 'remove') return
  // Only the provider knows the valid values of such parameters.
  if (isValid && typeof value === 'string' && (place === 'query' || place === 'header') && isOpaque(name)) return
  // An empty value is for parameters with `allowEmptyValue` (OpenAPI 3.1, section 4.8.12.2).
  const isEmpty = value === '' || (Array.isArray(value) && value.every((each) => each === ''))
  if (isEmpty && place === 'query' && (isValid || style?.isEmptyNone)) return
  const sent = value === undefined ? `without ${name}` : `${name}=${Array.isArray(value) ? value.join() : value}`
  const details = isValid
    ? { at: `${place} ${name}`, description: sent }
    : { at: placeOf(violations), description: describeViolations(violations) }
  await runner.send(input, isValid ? 'success' : 'invalid', details, (simpler) =>
    isSameCase(violations, violationsOf(contract, simpler)),
  )
}

/** Parameters whose values come from an earlier response, such as cursors and conditions. */
function isOpaque(name: string): boolean {
  return /cursor|token|continuation|marker|(^|[_-])(after|before)$|^if-|^range$|idempotency/i.test(name)
}
