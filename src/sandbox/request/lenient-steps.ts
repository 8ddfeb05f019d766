/**
 * Accepts what means the same as what is documented: a path with a slash at its end or in another case, a link of an answer after
 * the address of the server, another name of JSON, no body.
 * Separate, so that bundles of exact contracts drop it.
 */
import { findContent } from '../../contract/body-content.js'
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { BodyContent, Forgiven } from '../../contract/request-model.js'
import { shorten, type Violation } from '../../contract/violations.js'
import { isObject, ownValue } from '../../json/own-value.js'
import type { Later } from '../../state/commits/store.js'
import type { Steps } from '../handle.js'
import { Refusal } from '../outcome.js'
import type { Route } from '../route.js'
import type { ValidRequest } from '../validate.js'
import { modelOf, storedOf } from '../writes/effect-input.js'
import { pathOfJoined } from './path-candidates.js'
import type { ReadBody } from './read-body.js'
import type { SandboxRequest } from './request.js'

type Read = ValidRequest | Refusal

/** Each step first does as before: what is documented is never read as something else. */
export function toLenientSteps(steps: Steps, contract: RequestContract): Steps {
  const { operations } = contract
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

  /** Repeats a refused request without validators if the document explains each violation. */
  function validateForgiving(sent: SandboxRequest, found: Route): Later<Read> {
    let bytes: ReturnType<SandboxRequest['body']> | undefined
    const body = (maxBytes: number) => {
      bytes ??= sent.body(maxBytes)
      return bytes
    }
    const request = change(sent, { body })
    const read = validateBody(request, found)
    const { operation } = found
    const forgive = (valid: Read): Later<Read> => {
      const violations = valid instanceof Refusal && valid.reason === 'invalid_request' ? (valid.violations ?? []) : []
      const forgiven = violations.map((violation) => operation.forgiven?.find((each) => isSame(each, violation)))
      if (forgiven.length === 0 || forgiven.includes(undefined)) return valid
      const again = Promise.resolve(validateBody(request, { ...found, operation: withoutValidators(operation) }))
      const notes = violations.map(({ message }) => `Although ${message}, the request was accepted`)
      return again.then((open) => {
        if (open instanceof Refusal) return open
        if (
          forgiven.some(
            (each) => isMissing(open.body, each?.instead) || (each?.isFile && open.body.file?.name === undefined),
          )
        )
          return valid
        return { ...open, notes: [...open.notes, ...notes] }
      })
    }
    return read instanceof Promise ? read.then(forgive) : forgive(read)
  }

  return {
    ...steps,
    route(request) {
      const found = route(request)
      const { path, mount } = request
      if ('operation' in found || path === '/' || !isUnknown(request, path)) return found
      const linked = pathOfJoined(path)
      const slashed = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
      const other = linked?.startsWith(`${mount}/`) ? linked.slice(mount.length) : slashed
      const inOtherCase = operations.flatMap((each) => inCaseOf(pathOf(each.path), path) ?? [])
      const documented = [other, ...inOtherCase].find((each) => !isUnknown(request, each))
      return documented === undefined ? found : route(change(request, { path: documented }))
    },
    validate(request, found) {
      const { operation } = found
      const path = pathOf(operation.path)
      const accept = toDocumentedAccept(request, operation)
      const read = withNotes(validateForgiving(request, found), [
        ...(isOtherPath(request, path) ? [`the path was taken for ${path}`] : []),
        ...(accept === undefined ? [] : [`Accept was read as ${shorten(accept)}`]),
      ])
      return operation.keyWords ? addNotes(read, (valid) => notesOfWords(operation, valid)) : read
    },
    apply(input) {
      const { request, operation, world, valid } = input
      const sent = wordsIn(operation, valid.path)
      if (sent.length === 0) return steps.apply(input)
      const named = sent.flatMap(({ parameter, word, collection }) => {
        const { key, scope } = modelOf(contract, collection)
        if (scope) return []
        const records = storedOf(contract, world, request.server ?? '', collection).select([])
        const isKnown = records.some(({ values }) => String(values[key]) === word)
        const meant = isNewest.test(word) ? records[0] : records.at(-1)
        return meant && !isKnown ? [[parameter, String(meant.values[key])]] : []
      })
      const path = { ...valid.path, ...Object.fromEntries(named) }
      return steps.apply({ ...input, valid: { ...valid, path } })
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

/** The words for keys in the path of a request. */
function wordsIn({ keyWords = [] }: Operation, path: ValidRequest['path']) {
  return keyWords.flatMap(({ parameter, words, collection }) => {
    const word = String(path[parameter])
    return words.includes(word) ? [{ parameter, word, collection }] : []
  })
}

function notesOfWords(operation: Operation, { path }: ValidRequest): string[] {
  const sent = wordsIn(operation, path)
  return sent.map(({ parameter, word }) => `${parameter} "${word}" stands for a record, unless one has this key`)
}

/** Words for the newest record. All others mean the oldest, so that they keep their meaning. */
const isNewest = /^(latest|newest)/i

function isOtherPath({ path }: SandboxRequest, documented: string): boolean {
  if (pathOfJoined(path) !== undefined || path.endsWith('/') !== documented.endsWith('/')) return true
  return (inCaseOf(documented, path) ?? path) !== path
}

/** The path of an operation without its query. */
function pathOf(path: string): string {
  return path.split('?')[0] ?? ''
}

/** A path with its literal segments in the case of those that are documented. Undefined if other letters differ. */
function inCaseOf(documented: string, path: string): string | undefined {
  const [segments, given] = [documented.split('/'), path.split('/')]
  const isParameter = (segment: string) => segment.includes('{')
  const isSame = segments.every((each, at) => isParameter(each) || each.toLowerCase() === given[at]?.toLowerCase())
  if (!isSame || segments.length !== given.length) return undefined
  return segments.map((each, at) => (isParameter(each) ? given[at] : each)).join('/')
}

function isSame({ in: place, at, rule }: Forgiven, violation: Violation): boolean {
  return place === violation.in && rule === violation.rule && at === violation.at.replaceAll(/\[\d+\]/g, '[]')
}

function withoutValidators({ validateParameters: _, body, ...operation }: Operation): Operation {
  const open = (content: BodyContent) => ({ ...content, validate: -1 })
  const equivalents = body?.equivalents?.map(open) ?? []
  return body ? { ...operation, body: { ...body, content: body.content.map(open), equivalents } } : operation
}

function isMissing({ value }: ReadBody, name: string | undefined): boolean {
  return name !== undefined && !(isObject(value) && ownValue(value, name) !== undefined)
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

export function change(request: SandboxRequest, changes: Partial<SandboxRequest>): SandboxRequest {
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
  return notes.length === 0 ? read : addNotes(read, () => notes)
}

function addNotes(read: Later<Read>, toNotes: (valid: ValidRequest) => readonly string[]): Later<Read> {
  const add = (valid: Read) =>
    valid instanceof Refusal ? valid : { ...valid, notes: [...valid.notes, ...toNotes(valid)] }
  return read instanceof Promise ? read.then(add) : add(read)
}
