/** Checks that valid values of each parameter are accepted and invalid ones refused. */
import type { Parameter } from '../../../contract/request-model.js'
import type { Violation } from '../../../contract/violations.js'
import type { Subject } from '../requests/checked-operation.js'
import { type Draft, isFixed, withParameter } from '../requests/request-draft.js'
import { violationsOf } from '../values/judge-draft.js'
import { simplerDrafts } from '../values/simpler-drafts.js'
import type { ProbeContext } from './probe-context.js'

/** Sends every value of every parameter, except path parameters, which `probeKeys` covers, and those that are fixed. */
export async function probeParameters(context: ProbeContext, subject: Subject, draft: Draft): Promise<void> {
  for (const parameter of subject.operation.parameters) {
    const { in: place, name } = parameter
    // Whatever is answered to a text that nobody expects, it must not be a failure.
    for (const text of isSafe(draft) ? subject.unusualTexts(parameter) : []) {
      const details = { at: `${place} ${name}`, description: `unusual text in ${name}` }
      const input = withParameter(draft, place, name, text)
      await context.runner.run({ input, run: async (each, { send }) => void (await send(each, 'any', details)) })
    }
    if (place === 'path' || isFixed(subject.operation, parameter)) continue
    const values = subject.valuesOf(parameter)
    for (const value of values) await probeParameter(context, draft, parameter, value)
    if (parameter.required) await probeParameter(context, draft, parameter, undefined)
  }
}

async function probeParameter(
  { contract, runner, canWrite }: ProbeContext,
  draft: Draft,
  { name, in: place, style }: Parameter,
  value: unknown,
): Promise<void> {
  const input = withParameter(draft, place, name, value)
  const violations = violationsOf(contract, input)
  if (violations.length > 0 && violations.every(isOnlyFormat)) return
  const isValid = violations.length === 0
  if (isValid && !canWrite && !isSafe(draft)) return
  // The record would be removed by the first request.
  if (isValid && draft.operation.effect.kind === 'remove') return
  // Only the provider knows which values are valid.
  if (isValid && typeof value === 'string' && (place === 'query' || place === 'header') && isOpaque(name)) return
  // An empty value is for parameters with `allowEmptyValue` (OpenAPI 3.1, section 4.8.12.2).
  const isEmpty = value === '' || (Array.isArray(value) && value.every((each) => each === ''))
  if (isEmpty && place === 'query' && (isValid || style?.isEmptyNone)) return
  const sent = value === undefined ? `without ${name}` : `${name}=${Array.isArray(value) ? value.join() : value}`
  const details = isValid
    ? { at: `${place} ${name}`, description: sent }
    : { at: placesOf(violations), description: violations.map(({ message }) => message).join('; ') }
  await runner.run<Draft>({
    input,
    run: async (each, session) => {
      await session.send(each, isValid ? 'success' : 'invalid', details)
    },
    simplify: (each) => simplerDrafts(each, (simpler) => isSameCase(violations, violationsOf(contract, simpler))),
  })
}

/** Parameters whose values come from an earlier response, such as cursors and conditions. */
function isOpaque(name: string): boolean {
  return /cursor|token|continuation|marker|(^|[_-])(after|before)$|^if-|^range$|idempotency/i.test(name)
}

/** Whether a request changes nothing: GET and HEAD (RFC 9110, section 9.2.1). */
export function isSafe({ operation }: Draft): boolean {
  return operation.method === 'GET' || operation.method === 'HEAD'
}

/** Place and keyword of the first violation, e.g. `query limit maximum`; empty without violations. */
export function placesOf(violations: readonly Violation[]): string {
  const [first] = violations
  return first ? `${first.in} ${first.at}${first.at === '' ? '' : ' '}${first.rule}`.replace('  ', ' ') : ''
}

/** Whether two requests are invalid in the same way. */
export function isSameCase(one: readonly Violation[], other: readonly Violation[]): boolean {
  return one.length === other.length && placesOf(one) === placesOf(other)
}

/** Whether only a format is violated. Validators need not check formats (JSON Schema 2020-12, section 7.2.1). */
export function isOnlyFormat({ rule }: Violation): boolean {
  return rule === 'format'
}
