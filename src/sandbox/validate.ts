/** Third step: decodes and validates the parameters and the body, or returns every violation. */
import type { Operation, RequestContract } from '../contract/contract.js'
import { judge, type Violation } from '../contract/violations.js'
import { toRounded } from '../json/rounding.js'
import type { Later } from '../state/commits/store.js'
import { Memo } from './memo.js'
import { Refusal } from './outcome.js'
import { type BodyReader, noBody, type ReadBody } from './request/read-body.js'
import type { ParameterReader, PathTexts, ReadParameters } from './request/read-parameters.js'
import type { SandboxRequest } from './request/request.js'
import type { Route } from './route.js'

export interface ValidRequest {
  /** Path parameters by name. */
  path: Record<string, unknown>
  /** Path parameters by name, as they were sent. */
  texts: PathTexts
  /** Query parameters by name, only those in the request. */
  query: Record<string, unknown>
  body: ReadBody
  /** A sentence for each part of the request that was ignored. */
  notes: readonly string[]
}

/** Parameters with their violations, or the refusal of a malformed path. */
type Parameters = ReadParameters | Refusal

/** Parameters of longer addresses are not cached. */
const maxAddress = 256

/** Returns a promise only for operations with a body. */
export type Validate = (request: SandboxRequest, route: Route) => Later<ValidRequest | Refusal>

export function createValidate(
  { operations, validators }: RequestContract,
  readParameters: ParameterReader,
  readBody: BodyReader,
): Validate {
  const memos = new Map(operations.filter(isReadFromAddress).map((each) => [each, new Memo<Parameters>(256)]))

  return function validate(request, route) {
    const parameters = recallParameters(request, route)
    if (parameters instanceof Refusal) return parameters
    const { body } = route.operation
    if (!body) return combine(parameters, noBody)
    return readBody(body, request, (read) => (read instanceof Refusal ? read : combine(parameters, read)))
  }

  /** Caches by address: reading and validating parameters takes half of the time of a filtered list. */
  function recallParameters(request: SandboxRequest, route: Route): Parameters {
    const { path, query } = request
    const memo = path.length + query.length > maxAddress ? undefined : memos.get(route.operation)
    if (!memo) return judgeParameters(request, route)
    const address = query === '' ? path : `${path}?${query}`
    return memo.get(address) ?? memo.set(address, judgeParameters(request, route))
  }

  function judgeParameters(request: SandboxRequest, { operation, path }: Route): Parameters {
    const read = readParameters(request, operation.parameters, path)
    const malformed = judgeBy(operation.validatePath, read)
    if (malformed.length > 0) return refuse('malformed_path', malformed)
    return { ...read, violations: [...read.violations, ...judgeBy(operation.validateParameters, read)] }
  }

  function judgeBy(validator: number | undefined, { values }: ReadParameters): Violation[] {
    return validator === undefined ? [] : judge(validators[validator], toRounded(values), values, true)
  }
}

function isReadFromAddress({ parameters }: Operation): boolean {
  return parameters.every(({ in: place }) => place === 'path' || place === 'query')
}

function combine({ values, texts, violations, notes }: ReadParameters, body: ReadBody): ValidRequest | Refusal {
  if (violations.length + body.violations.length > 0) {
    return refuse('invalid_request', [...violations, ...body.violations], body.text)
  }
  const { path, query } = values
  return { path, texts, query, body, notes: body.notes.length === 0 ? notes : [...notes, ...body.notes] }
}

function refuse(reason: Refusal['reason'], violations: Violation[], text?: string): Refusal {
  return new Refusal(reason, violations.map(({ message }) => message).join('; '), { violations, text })
}
