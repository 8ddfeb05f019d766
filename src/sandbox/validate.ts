/** Third step: typed parameters and body, or every way in which they break the contract. */
import type { RequestContract, Violation } from '../contract/contract.js'
import { toRounded } from '../contract/exact-json.js'
import { toViolations } from '../contract/violations.js'
import { decodeParameters, decodeText } from './decode-parameters.js'
import { type ReadBody, readBody } from './read-body.js'
import { isRefusal, type Refusal } from './refusal.js'
import type { SandboxRequest } from './request.js'
import type { Route } from './route.js'

export interface ValidRequest {
  /** Path parameters by name. */
  path: Record<string, unknown>
  /** Query parameters by name, defaults filled in. */
  query: Record<string, unknown>
  body: ReadBody
  /** What was left aside. */
  notes: string[]
}

/** Stands for a parameter whose text cannot be decoded: no schema takes it, and a message shows its description. */
const malformed = Symbol('a broken percent-encoding')

const noBody: ReadBody = { violations: [], dropped: [] }

export async function validate(
  contract: RequestContract,
  { operation, path: texts }: Route,
  request: SandboxRequest,
  maxBodyBytes: number,
): Promise<ValidRequest | Refusal> {
  const path: Record<string, unknown> = {}
  for (const { name, in: place, types } of operation.parameters) {
    if (place !== 'path') continue
    const text = texts[name]
    path[name] = text === undefined ? malformed : decodeText(text, types)
  }
  const pathViolations = judge(contract, operation.validatePath, path, { path })
  if (pathViolations.length > 0) return refuse('malformed_path', pathViolations)

  const { values, repeated, unknown } = decodeParameters(request, operation.parameters)
  const body = operation.body ? await readBody(contract, operation.body, request, maxBodyBytes) : noBody
  if (isRefusal(body)) return body
  const violations = [
    ...repeated.map(({ name, in: place }) => repeatedParameter(place, name)),
    ...judge(contract, operation.validateParameters, values, values),
    ...body.violations,
  ]
  if (violations.length > 0) return { ...refuse('invalid_request', violations), text: body.text }
  const notes = [
    ...unknown.map((name) => `unknown query parameter "${name}"`),
    ...body.dropped.map((at) => `unknown property "${at}" was dropped`),
  ]
  return { path, query: values.query, body, notes }
}

/** @param named the same values below their place, as the violations name them */
function judge(
  { validators }: RequestContract,
  number: number | undefined,
  values: object,
  named: object,
): Violation[] {
  const validator = number === undefined ? undefined : validators[number]
  if (!validator || validator(toRounded(values))) return []
  const prefix = values === named ? '' : '/path'
  const errors = (validator.errors ?? []).map((error) => ({ ...error, instancePath: prefix + error.instancePath }))
  return toViolations(errors, named, true)
}

function repeatedParameter(place: Violation['in'], name: string): Violation {
  return { in: place, at: name, rule: 'repeated', message: `${place} parameter ${name} must be given only once` }
}

function refuse(reason: Refusal['reason'], violations: Violation[]): Refusal {
  return { reason, message: violations.map(({ message }) => message).join('; '), violations }
}
