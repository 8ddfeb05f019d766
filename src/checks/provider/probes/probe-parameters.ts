/** Are the bounds of each parameter kept, from both sides? */
import type { Parameter, Violation } from '../../../contract/contract.js'
import { type Draft, withParameter } from '../draft.js'
import type { Subject } from '../subject.js'
import { violationsOf } from '../values/judge-draft.js'
import { simplerDrafts } from '../values/simpler-drafts.js'
import type { ProbeContext } from './probe-context.js'

export async function probeParameters(context: ProbeContext, subject: Subject, draft: Draft): Promise<void> {
  for (const parameter of subject.operation.parameters) {
    if (parameter.in === 'path') continue
    const values = subject.valuesOf(parameter)
    for (const value of values) await probeParameter(context, draft, parameter, value)
    if (parameter.required) await probeParameter(context, draft, parameter, undefined)
  }
}

async function probeParameter(
  { contract, lab, canWrite }: ProbeContext,
  draft: Draft,
  { name, in: place }: Parameter,
  value: unknown,
): Promise<void> {
  const input = withParameter(draft, place, name, value)
  const violations = violationsOf(contract, input)
  if (violations.length > 0 && violations.every(isOnlyFormat)) return
  const isValid = violations.length === 0
  if (isValid && !canWrite && !isSafe(draft)) return
  // It would be gone after the first.
  if (isValid && draft.operation.effect.kind === 'remove') return
  // Only the service knows what it takes there.
  if (isValid && typeof value === 'string' && (place === 'query' || place === 'header') && isOpaque(name)) return
  // An empty value is for parameters with `allowEmptyValue` (OpenAPI 3.1, section 4.8.12.2).
  if (isValid && value === '' && place === 'query') return
  const sent = value === undefined ? `without ${name}` : `${name}=${Array.isArray(value) ? value.join() : value}`
  const asked = isValid
    ? { at: `${place} ${name}`, words: sent }
    : { at: placesOf(violations), words: violations.map(({ message }) => message).join('; ') }
  await lab.run<Draft>({
    input,
    run: async (each, wire) => {
      await wire.send(each, isValid ? 'success' : 'invalid', asked)
    },
    simplify: (each) => simplerDrafts(each, (simpler) => isSameCase(violations, violationsOf(contract, simpler))),
  })
}

/** What is taken from an earlier answer, and conditions on it. */
function isOpaque(name: string): boolean {
  return /cursor|token|continuation|marker|(^|[_-])(after|before)$|^if-|^range$|idempotency/i.test(name)
}

/** GET and HEAD change nothing (RFC 9110, section 9.2.1). */
export function isSafe({ operation }: Draft): boolean {
  return operation.method === 'GET' || operation.method === 'HEAD'
}

/** Where and how a request breaks the contract: `query limit maximum`. */
export function placesOf(violations: readonly Violation[]): string {
  const [first] = violations
  return first ? `${first.in} ${first.at}${first.at === '' ? '' : ' '}${first.rule}`.replace('  ', ' ') : ''
}

export function isSameCase(one: readonly Violation[], other: readonly Violation[]): boolean {
  return one.length === other.length && placesOf(one) === placesOf(other)
}

/** JSON Schema lets a validator pass over formats (2020-12, section 7.2.1), so nothing is held against a provider. */
export function isOnlyFormat({ rule }: Violation): boolean {
  return rule === 'format'
}
