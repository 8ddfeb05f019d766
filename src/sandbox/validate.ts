/** Third step: typed parameters and body, or every way in which they break the contract. */
import type { RequestContract, Violation } from '../contract/contract.js'
import { toRounded } from '../contract/exact-json.js'
import { getOrInsert } from '../contract/get-or-insert.js'
import { toViolations } from '../contract/violations.js'
import { decodeParameters } from './decode-parameters.js'
import type { ReadBody } from './read-body.js'
import type { Refusal } from './refusal.js'
import type { SandboxRequest } from './request.js'
import type { Route } from './route.js'

export interface ValidRequest {
  /** Path parameters by name. */
  path: Record<string, unknown>
  /** Query parameters by name, defaults filled in. */
  query: Record<string, unknown>
  body: ReadBody
}

export const noBody: ReadBody = { violations: [], notes: [] }

/** Parameters with what is wrong with them; those of the path are right. */
export interface Parameters {
  path: Record<string, unknown>
  query: Record<string, unknown>
  violations: Violation[]
  /** What was left aside. */
  notes: string[]
}

export type ReadParameters = (route: Route, request: SandboxRequest) => Parameters | Refusal

/** How many queries of an operation are remembered, and how long one may be. */
const maxQueries = 256
const maxQueryLength = 256

/** Where all parameters stand in the query, what was said of a query is said again of the same text. */
export function createReadParameters(contract: RequestContract): ReadParameters {
  const inQuery = contract.operations.filter(({ parameters }) => parameters.every((each) => each.in === 'query'))
  const judged = new Map(inQuery.map((operation) => [operation, new Map<string, Parameters | Refusal>()]))

  return (route, request) => {
    const { query } = request
    const known = query.length > maxQueryLength ? undefined : judged.get(route.operation)
    const read = () => readParameters(contract, route, request)
    return known ? getOrInsert(known, query, read, maxQueries) : read()
  }
}

function readParameters(
  contract: RequestContract,
  { operation, path: texts }: Route,
  request: SandboxRequest,
): Parameters | Refusal {
  const { values, repeated, notes } = decodeParameters(request, operation.parameters, texts)
  const { path, query } = values
  const pathViolations = judge(contract, operation.validatePath, path, { path })
  if (pathViolations.length > 0) return refuse('malformed_path', pathViolations)
  const violations = [
    ...repeated.map(({ name, in: place }) => repeatedParameter(place, name)),
    ...judge(contract, operation.validateParameters, values, values),
  ]
  return { path, query, violations, notes }
}

export function validate(parameters: Parameters, body: ReadBody): ValidRequest | Refusal {
  const violations = [...parameters.violations, ...body.violations]
  if (violations.length > 0) return refuse('invalid_request', violations, body.text)
  return { path: parameters.path, query: parameters.query, body }
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

function refuse(reason: Refusal['reason'], violations: Violation[], text?: string): Refusal {
  return { reason, message: violations.map(({ message }) => message).join('; '), violations, text }
}
