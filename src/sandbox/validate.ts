/** Third step: typed parameters and body, or every way in which they break the contract. */
import type { Operation, Parameter, RequestContract, Violation } from '../contract/contract.js'
import { getOrInsert, newMap } from '../contract/get-or-insert.js'
import { judge } from '../contract/violations.js'
import { toRounded } from '../json/rounding.js'
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

/** Parameters with what is wrong with them; those of the path are right. */
export interface Parameters {
  path: Record<string, unknown>
  query: Record<string, unknown>
  violations: Violation[]
  /** What was left aside. */
  notes: string[]
}

export type ReadParameters = (route: Route, request: SandboxRequest) => Parameters | Refusal

/** How many addresses of an operation are remembered, and how long one may be. */
const maxAddresses = 256
const maxLength = 256

/** Where all parameters stand in path and query, what was said of an address is said again of the same one. */
export function createReadParameters(contract: RequestContract): ReadParameters {
  const judged = new Map<Operation, Map<string, Parameters | Refusal>>()

  return (route, request) => {
    const { operation } = route
    const { path, query } = request
    const address = query === '' ? path : `${path}?${query}`
    const read = () => readParameters(contract, route, request)
    return address.length <= maxLength && operation.parameters.every(isInAddress)
      ? getOrInsert(getOrInsert(judged, operation, newMap), address, read, maxAddresses)
      : read()
  }
}

function isInAddress({ in: place }: Parameter): boolean {
  return place === 'path' || place === 'query'
}

function readParameters(
  { validators }: RequestContract,
  { operation, path: texts }: Route,
  request: SandboxRequest,
): Parameters | Refusal {
  const { values, violations, notes } = decodeParameters(request, operation.parameters, texts)
  const { path, query } = values
  const rounded = toRounded(values)
  const judgeBy = (number: number | undefined) =>
    judge(number === undefined ? undefined : validators[number], rounded, values, true)
  const pathViolations = judgeBy(operation.validatePath)
  if (pathViolations.length > 0) return refuse('malformed_path', pathViolations)
  return { path, query, violations: [...violations, ...judgeBy(operation.validateParameters)], notes }
}

export function validate(parameters: Parameters, body: ReadBody): ValidRequest | Refusal {
  const violations = [...parameters.violations, ...body.violations]
  if (violations.length > 0) return refuse('invalid_request', violations)
  return { path: parameters.path, query: parameters.query, body }
}

function refuse(reason: Refusal['reason'], violations: Violation[]): Refusal {
  return { reason, message: violations.map(({ message }) => message).join('; '), violations }
}
