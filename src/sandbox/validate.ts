/** Decodes and validates the parameters and the body, or returns every violation. */
import type { Operation, RequestContract } from '../contract/contract.js'
import { judge, type Violation } from '../contract/violations.js'
import type { Webhook } from '../contract/webhook.js'
import { toRounded } from '../json/rounding.js'
import type { Later } from '../state/commits/store.js'
import { Memo } from './memo.js'
import { Refusal } from './outcome.js'
import { type BodyReader, noBody, noteDropped, type ReadBody } from './request/read-body.js'
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
  /** Those of the header and the cookies, by the name in the document. Absent in requests that the sandbox makes itself. */
  headers?: Record<string, unknown>
  cookies?: Record<string, unknown>
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
  { operations, validators, webhooks = [] }: RequestContract,
  readParameters: ParameterReader,
  readBody: BodyReader,
): Validate {
  const used = usedNotes(webhooks)
  const memos = new Map(operations.filter(isReadFromAddress).map((each) => [each, new Memo<Parameters>(256)]))

  return function validate(request, route) {
    const parameters = recallParameters(request, route)
    if (parameters instanceof Refusal) return parameters
    const { body, id } = route.operation
    if (!body) return combine(parameters, noBody)
    return readBody(body, request, (read) => (read instanceof Refusal ? read : combine(parameters, read, used.get(id))))
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

/**
 * The notes about dropped properties that are not noted, by operation: where a callback finds its URL. No record has them, but
 * nothing is lost.
 */
function usedNotes(webhooks: readonly Webhook[]): Map<string, string[]> {
  const used = new Map<string, string[]>()
  for (const { on, url } of webhooks) {
    for (const part of url.kind === 'template' ? url.parts : []) {
      if (typeof part === 'string' || !('in' in part) || part.in !== 'body' || part.of !== 'request') continue
      // No body is nested more deeply.
      const names = (part.pointer ?? []).slice(0, 512)
      const notes = names.map((_, index) => noteDropped(names.slice(0, index + 1).join('.')))
      for (const id of on) used.set(id, [...(used.get(id) ?? []), ...notes])
    }
  }
  return used
}

/** @param used notes that are left out */
function combine(
  { values, texts, violations, notes }: ReadParameters,
  body: ReadBody,
  used?: readonly string[],
): ValidRequest | Refusal {
  if (violations.length + body.violations.length > 0) {
    return refuse('invalid_request', [...violations, ...body.violations], body.text)
  }
  const { path, query, header: headers, cookie: cookies } = values
  const dropped = used ? body.notes.filter((note) => !used.includes(note)) : body.notes
  return { path, texts, query, headers, cookies, body, notes: dropped.length === 0 ? notes : [...notes, ...dropped] }
}

function refuse(reason: Refusal['reason'], violations: Violation[], text?: string): Refusal {
  return new Refusal(reason, violations.map(({ message }) => message).join('; '), { violations, text })
}
