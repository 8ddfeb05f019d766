/** The values that a request has sent and that the service has taken, as coverage counts them. */
import type { Operation } from '../../contract/contract.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { Call } from './consumer-rule.js'
import { parameterTexts } from './parameter-texts.js'

/** Values by place and name, `query limit` or `body status`: texts of parameters, the items of a list each. */
export type SentValues = ReadonlyMap<string, readonly unknown[]>

const nothing: SentValues = new Map()

/** Nothing where the request never came so far that its values were looked at. */
export function toSentValues({ exchange, isForced }: Call, operation: Operation): SentValues {
  const { refused, violations = [], request } = exchange
  const isUnjudged = refused !== undefined && violations.length === 0 && unjudged.includes(refused)
  if (isForced || isUnjudged) return nothing
  const values = new Map<string, readonly unknown[]>()
  const isRefused = (place: string, name: string) =>
    violations.some((each) => each.in === place && rootOf(each.at) === name)
  // A malformed path is refused before anything else is looked at.
  const isPathRefused = violations.some((violation) => violation.in === 'path')
  for (const [{ name, in: place }, texts] of parameterTexts(exchange, operation)) {
    if (!isRefused(place, name) && (!isPathRefused || place === 'path')) values.set(`${place} ${name}`, texts)
  }
  if (!operation.body || isPathRefused) return values
  for (const [name, value] of Object.entries(readObject(request.body))) {
    if (!isRefused('body', name)) values.set(`body ${name}`, [value].flat())
  }
  return values
}

/** Reasons that come before the request is validated, or in place of it. */
const unjudged = [
  'unauthorized',
  'removed',
  'unavailable',
  'rate_limited',
  'internal_error',
  'invalid_request',
  'unsupported_media_type',
  'payload_too_large',
]

/** `publisher` of `publisher.names[0]` */
function rootOf(at: string): string {
  return /^[^.[]*/.exec(at)?.[0] ?? at
}

function readObject(body: string | undefined): object {
  try {
    const value = body === undefined ? undefined : parseExactJson(body).exact
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
