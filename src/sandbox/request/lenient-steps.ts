/**
 * Accepts what means the same as what is documented: a path with a slash at its end, another name of JSON, no body.
 * Separate, so that bundles of exact contracts drop it.
 */
import { findContent } from '../../contract/body-content.js'
import type { Operation } from '../../contract/contract.js'
import { shorten } from '../../contract/violations.js'
import type { Later } from '../../state/commits/store.js'
import type { Steps } from '../handle.js'
import { Refusal } from '../outcome.js'
import type { Route } from '../route.js'
import type { ValidRequest } from '../validate.js'
import type { SandboxRequest } from './request.js'

type Read = ValidRequest | Refusal

/** Each step first does as before: what is documented is never read as something else. */
export function toLenientSteps(steps: Steps): Steps {
  const { route, validate, negotiate } = steps

  function isUnknown(request: SandboxRequest, path: string): boolean {
    const found = route(change(request, { method: 'OPTIONS', path, header: () => undefined }))
    return found instanceof Refusal && found.reason === 'not_found'
  }

  function validateBody(request: SandboxRequest, found: Route): Later<Read> {
    const { operation } = found
    const { body } = operation
    const contentType = request.header('content-type')
    if (!body || contentType === undefined || findContent(body, contentType)) return validate(request, found)
    const equivalent = findContent({ content: body.equivalents ?? [] }, contentType)
    if (equivalent) {
      const lenient = { ...operation, body: { ...body, content: [equivalent] } }
      const [first] = body.content
      return withNotes(validate(request, { ...found, operation: lenient }), [
        `Content-Type "${shorten(contentType)}" was accepted in place of ${first?.mediaType}`,
      ])
    }
    if (body.required) return validate(request, found)
    const header = (name: string) => (name === 'content-type' ? undefined : request.header(name))
    const read = Promise.resolve(validate(change(request, { header }), found))
    return read.then((valid) => {
      // Its body is not empty.
      if (valid instanceof Refusal && valid.reason === 'unsupported_media_type') return validate(request, found)
      return withNotes(valid, [`Content-Type "${shorten(contentType)}" of an empty body was ignored`])
    })
  }

  return {
    ...steps,
    route(request) {
      const found = route(request)
      const { path } = request
      if ('operation' in found || path === '/' || !isUnknown(request, path)) return found
      const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
      return isUnknown(request, other) ? found : route(change(request, { path: other }))
    },
    validate(request, found) {
      const { operation } = found
      const [path = ''] = operation.path.split('?')
      const accept = toDocumentedAccept(request, operation)
      return withNotes(validateBody(request, found), [
        ...(request.path.endsWith('/') === path.endsWith('/') ? [] : [`the path was taken for ${path}`]),
        ...(accept === undefined ? [] : [`Accept was read as ${shorten(accept)}`]),
      ])
    },
    negotiate:
      negotiate &&
      ((request, operation, others) => {
        const accept = toDocumentedAccept(request, operation)
        if (accept === undefined) return negotiate(request, operation, others)
        const header = (name: string) => (name === 'accept' ? accept : request.header(name))
        return negotiate(change(request, { header }), operation, others)
      }),
  }
}

const json = /^[^;]+[/+]json$/i

/** `Accept` with the documented JSON in place of each undocumented one. Undefined if that changes nothing. */
function toDocumentedAccept(
  request: SandboxRequest,
  { effect, representations }: Pick<Operation, 'effect' | 'representations'>,
): string | undefined {
  const accept = request.header('accept')
  if (accept === undefined || !representations || !('mediaType' in effect)) return undefined
  const types = [effect.mediaType ?? '', ...representations.map(({ mediaType }) => mediaType)].map(withoutParameters)
  const documented = types.find((type) => json.test(type))
  if (documented === undefined) return undefined
  const ranges = accept.split(',').map((range) => {
    const type = withoutParameters(range)
    return json.test(type) && !types.includes(type) ? range.replace(/[^;]+/, documented) : range
  })
  const changed = ranges.join(',')
  return changed === accept ? undefined : changed
}

function withoutParameters(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

function change(request: SandboxRequest, changes: Partial<SandboxRequest>): SandboxRequest {
  const { method, server, path, mount, query } = request
  return {
    ...{ method, server, path, mount, query },
    header: (name) => request.header(name),
    headers: () => request.headers(),
    body: (maxBytes) => request.body(maxBytes),
    left: () => request.left?.(),
    ...changes,
  }
}

function withNotes(read: Later<Read>, notes: readonly string[]): Later<Read> {
  if (notes.length === 0) return read
  const add = (valid: Read) => (valid instanceof Refusal ? valid : { ...valid, notes: [...valid.notes, ...notes] })
  return read instanceof Promise ? read.then(add) : add(read)
}
