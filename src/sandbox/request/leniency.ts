/**
 * Accepts what means the same as what is documented: a path with a slash at its end or in another case, a link of an answer after
 * the address of the server, another name of JSON, no body. What is documented is never read as something else.
 */
import { findContent } from '../../contract/body-content.js'
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { BodyContent, Forgiven } from '../../contract/request-model.js'
import { shorten, type Violation } from '../../contract/violations.js'
import { isObject, ownValue } from '../../json/own-value.js'
import type { StoredWorld } from '../../state/stored-world.js'
import type { Progress } from '../finish.js'
import { Refusal, type Written } from '../outcome.js'
import type { Route, Router } from '../route.js'
import type { Validate, ValidRequest } from '../validate.js'
import { modelOf, storedOf } from '../writes/effect-input.js'
import { pathOfJoined } from './path-candidates.js'
import type { ReadBody } from './read-body.js'
import { change, type SandboxRequest } from './request.js'

type Read = ValidRequest | Refusal

export interface Leniency {
  /** Routes a request for which no operation was found. @returns undefined if no documented path means the same */
  route(request: SandboxRequest): Route | Written | Refusal | undefined
  /** Reads a refused request again, as what it means. @returns the refusal if it means nothing that is documented */
  accept(request: SandboxRequest, found: Route, refusal: Refusal): Promise<Read>
  /** `Accept` with the documented JSON in place of each undocumented one. Undefined if that changes nothing. */
  readAccept: typeof toDocumentedAccept
  /** The request with the keys of records in place of the words for them in its path. */
  nameRecords(
    request: SandboxRequest,
    operation: Operation,
    world: StoredWorld,
    valid: ValidRequest,
    progress: Progress,
  ): ValidRequest
}

export type CreateLeniency = (options: LeniencyOptions) => Leniency

export interface LeniencyOptions extends Router {
  contract: RequestContract
  validate: Validate
}

export const createLeniency: CreateLeniency = ({ contract, route, validate }) => ({
  route: (request) => routeEquivalent(contract, route, request),
  async accept(request, found, refusal) {
    const read = await readEquivalent(validate, request, found, refusal)
    return read instanceof Refusal ? forgive(validate, request, found, read) : read
  },
  readAccept: toDocumentedAccept,
  nameRecords: (request, operation, world, valid, progress) =>
    withNamedRecords(contract, { request, operation, world, valid, progress }),
})

function routeEquivalent(
  { operations }: RequestContract,
  route: Router['route'],
  request: SandboxRequest,
): ReturnType<Leniency['route']> {
  const isUnknown = (path: string): boolean => {
    const found = route(change(request, { method: 'OPTIONS', path, header: () => undefined }))
    return found instanceof Refusal && found.reason === 'not_found'
  }
  const { path, mount } = request
  if (path === '/' || !isUnknown(path)) return undefined
  const linked = pathOfJoined(path)
  const slashed = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const other = linked?.startsWith(`${mount}/`) ? linked.slice(mount.length) : slashed
  const inOtherCase = operations.flatMap((each) => inCaseOf(pathOf(each.path), path) ?? [])
  const documented = [other, ...inOtherCase].find((each) => !isUnknown(each))
  if (documented === undefined) return undefined
  const found = route(change(request, { path: documented }))
  return 'operation' in found ? { ...found, note: `the path was taken for ${pathOf(found.operation.path)}` } : found
}

/** Reads a body of an undocumented type by another name of its type, or ignores the type of an empty body. */
async function readEquivalent(
  validate: Validate,
  request: SandboxRequest,
  found: Route,
  refusal: Refusal,
): Promise<Read> {
  const { operation } = found
  const { body } = operation
  const contentType = request.header('content-type')
  const isUnsupported = refusal.reason === 'unsupported_media_type'
  if (!isUnsupported || !body || contentType === undefined || findContent(body, contentType)) return refusal
  const equivalent = findContent({ content: body.equivalents ?? [] }, contentType)
  if (equivalent) {
    const lenient = { ...operation, body: { ...body, content: [equivalent] } }
    const [first] = body.content
    const note = `Content-Type "${shorten(contentType)}" was accepted in place of ${first?.mediaType}`
    return withNotes(await validate(request, { ...found, operation: lenient }), [note])
  }
  if (body.required) return refusal
  const header = (name: string) => (name === 'content-type' ? undefined : request.header(name))
  const read = await validate(change(request, { header }), found)
  // Its body is not empty.
  if (read instanceof Refusal && read.reason === 'unsupported_media_type') return refusal
  return withNotes(read, [`Content-Type "${shorten(contentType)}" of an empty body was ignored`])
}

/** Reads a refused request again without validators if the document explains each violation. */
async function forgive(validate: Validate, request: SandboxRequest, found: Route, refusal: Refusal): Promise<Read> {
  const { operation } = found
  const violations = refusal.reason === 'invalid_request' ? (refusal.violations ?? []) : []
  const forgiven = violations.map((violation) => operation.forgiven?.find((each) => isSame(each, violation)))
  if (forgiven.length === 0 || forgiven.includes(undefined)) return refusal
  const open = { ...found, operation: withoutValidators(operation) }
  const strict = await validate(request, open)
  const again = strict instanceof Refusal ? await readEquivalent(validate, request, open, strict) : strict
  if (again instanceof Refusal) return again
  const { body } = again
  const isOther = forgiven.some(
    (each) => isMissing(body, each?.instead) || (each?.isFile && body.file?.name === undefined),
  )
  if (isOther) return refusal
  return withNotes(
    again,
    violations.map(({ message }) => `Although ${message}, the request was accepted`),
  )
}

function withNotes(read: Read, notes: readonly string[]): Read {
  return read instanceof Refusal ? read : { ...read, notes: [...read.notes, ...notes] }
}

interface Named {
  request: SandboxRequest
  operation: Operation
  world: StoredWorld
  valid: ValidRequest
  progress: Progress
}

function withNamedRecords(contract: RequestContract, { request, operation, world, valid, progress }: Named) {
  const sent = wordsIn(operation, valid.path)
  if (sent.length === 0) return valid
  const notes = sent.map(({ parameter, word }) => `${parameter} "${word}" stands for a record, unless one has this key`)
  progress.notes = [...progress.notes, ...notes]
  const named = sent.flatMap(({ parameter, word, collection }) => {
    const { key, scope } = modelOf(contract, collection)
    if (scope) return []
    const records = storedOf(contract, world, request.server ?? '', collection).select([])
    const isKnown = records.some(({ values }) => String(values[key]) === word)
    const meant = isNewest.test(word) ? records[0] : records.at(-1)
    return meant && !isKnown ? [[parameter, String(meant.values[key])]] : []
  })
  return { ...valid, path: { ...valid.path, ...Object.fromEntries(named) } }
}

/** The words for keys in the path of a request. */
function wordsIn({ keyWords = [] }: Operation, path: ValidRequest['path']) {
  return keyWords.flatMap(({ parameter, words, collection }) => {
    const word = String(path[parameter])
    return words.includes(word) ? [{ parameter, word, collection }] : []
  })
}

/** Words for the newest record. All others mean the oldest, so that they keep their meaning. */
const isNewest = /^(latest|newest)/i

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

function toDocumentedAccept(accept: string, { effect, representations }: Operation): string | undefined {
  if (!representations || !('mediaType' in effect)) return undefined
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
