/** Checks that valid values of each parameter are accepted and invalid ones refused, and so are keys that no record has. */
import type { Parameter } from '../../../contract/request-model.js'
import { type CheckPlan, twinsOf } from '../plan-check.js'
import { type ProviderCollection, type SubjectOf, withKey } from '../provider-collection.js'
import type { Subject } from '../requests/checked-operation.js'
import {
  type Draft,
  describeViolations,
  isAcceptable,
  isFixed,
  isSafe,
  isSameCase,
  placeOf,
  violationsOf,
  withParameter,
} from '../requests/request-draft.js'

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

/** Keys that no record has, by kind of key. */
export const unknownKeys: Readonly<Record<string, readonly unknown[]>> = {
  integer: [8_999_999_999_999_999, 2_000_000_011],
  uuid: ['00000000-dead-4bad-8bad-00000000beef'],
  string: ['no-such-record-7f3a9c'],
}

/** A key of the same kind that no record has. */
export function unknownLike(key: unknown): unknown {
  const kind = typeof key !== 'string' ? 'integer' : /^[\da-f]{8}-/i.test(key) ? 'uuid' : 'string'
  return unknownKeys[kind]?.at(-1)
}

/** Requests records that do not exist by one operation. */
export async function probeKeys(
  { contract, runner }: CheckPlan,
  { model }: ProviderCollection,
  subject: SubjectOf<'read' | 'replace' | 'update' | 'remove'>,
): Promise<void> {
  const { effect, method, parameters } = subject.operation
  const name = effect.parameter
  const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
  if (!parameter) return
  const violationsWith = (key: unknown) => violationsOf(contract, withKey(subject, key))
  // For reads, unusual texts are sent with all parameters.
  const unusual = method === 'GET' ? [] : subject.unusualTexts(parameter)
  const values = subject.valuesOf(parameter)
  // A provider that rounds keys beyond 2^53 may return another record.
  const beyond = values.filter((value) => typeof value === 'bigint')
  // If no answer shows the existing keys, it is unknown which keys are unused.
  const isKnown = !('sample' in model) && !mayCreate(subject)
  for (const key of isKnown ? [...(unknownKeys[model.keyKind] ?? []), ...beyond, ...unusual] : []) {
    if (violationsWith(key).length > 0) continue
    await runner.send(withKey(subject, key), 'absent', { at: 'unknown key', description: `${name}=${key}` })
  }
  // Another path may take what this one does not.
  for (const key of twinsOf(contract, subject.operation.path).length > 0 ? [] : [...values, ...unusual]) {
    const violations = violationsWith(key)
    if (String(key) === '' || isAcceptable(violations)) continue
    const details = { at: `path ${name}`, description: describeViolations(violations) }
    await runner.send(withKey(subject, key), 'absent', details)
  }
}

/** PUT may create a missing record (RFC 9110, section 9.3.4), unless the document rules it out. */
export function mayCreate({ operation: { effect, responses } }: Subject): boolean {
  const has = (wanted: RegExp) => responses.some(({ status }) => wanted.test(status))
  if (effect.kind !== 'replace' && effect.kind !== 'update') return false
  // The summary may say that missing records are added, even if 404 is documented for missing owners.
  return effect.creates !== undefined || has(/^201$/) || !has(/^(404|410|4XX|default)$/)
}
