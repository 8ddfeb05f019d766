/** `Prefer: example=<name>` and `Prefer: dynamic=true`. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { DocumentedResponse, NamedExample } from '../../contract/documented-response.js'
import { documentedResponse } from '../../contract/documented-status.js'
import { differenceOf } from '../../contract/suggest-closest.js'
import { quote } from '../../contract/violations.js'
import { decodeBytes } from '../../json/base64.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { StoredWorld } from '../../state/stored-world.js'
import type { Progress } from '../finish.js'
import { Refusal, type Written, type WrittenOutcome } from '../outcome.js'
import { choose } from '../responses/negotiate.js'
import type { RenderRefusal } from '../responses/render-refusal.js'
import { ensureText, ensureValue } from '../writes/sampler.js'
import type { SandboxRequest } from './request.js'

interface Asked {
  example?: string
  dynamic?: string
  /** The other preferences. */
  others: string
}

const preference = /(^|[\s,;])(example|dynamic)\s*=\s*(?:"([^"]*)"|([^\s,;"]*))/gi

/** The first of two equal preferences counts (RFC 7240, section 2). */
function readAsked(header: string): Asked | undefined {
  const asked: Asked = { others: '' }
  asked.others = header.replace(preference, (_, before: string, name: string, quoted?: string, bare?: string) => {
    const known = name.toLowerCase() as 'example' | 'dynamic'
    asked[known] ??= quoted ?? bare ?? ''
    return before
  })
  return asked.example === undefined && asked.dynamic === undefined ? undefined : asked
}

export interface PreferredExamples {
  /** @returns undefined if a header has neither preference */
  read: typeof readAsked
  /** @param forced the answer with the preferred status, if any @returns the preferred answer, if any */
  answer(
    asked: Asked,
    request: SandboxRequest,
    operation: Operation,
    progress: Progress,
    forced: WrittenOutcome | undefined,
  ): WrittenOutcome | undefined
}

export type CreatePreferredExamples = (contract: RequestContract, render: RenderRefusal) => PreferredExamples

export const createPreferredExamples: CreatePreferredExamples = (contract, render) => {
  const made = new WeakMap<StoredWorld, number>()

  return {
    read: readAsked,
    answer({ example: name, dynamic }, request, operation, progress, forced) {
      const responses = responsesFor(operation, forced?.status)
      const example = findExample(responses, name, request.header('accept'))
      const isDynamic = dynamic?.toLowerCase() === 'true'
      const answer = example
        ? write(operation, progress, example.response, example.found, `example=${name}`, forced?.status)
        : isDynamic && responses[0] && make(operation, progress, responses[0], forced?.status)
      if (name !== undefined && !example) noteUnknown(progress, operation, responses, name)
      const isUnknown = isDynamic ? !answer : dynamic?.toLowerCase() !== 'false'
      if (dynamic !== undefined && !example && isUnknown)
        note(progress, `dynamic=${dynamic}`, 'use true where the response has a schema in JSON')
      return answer || forced
    },
  }

  /** Writes a body of a response, which `preferred` asked for. */
  function write(
    operation: Operation,
    progress: Progress,
    response: DocumentedResponse,
    { mediaType, text, base64 }: Omit<NamedExample, 'name'>,
    preferred: string,
    status = Number(response.status.replace('XX', '00')) || 200,
  ): WrittenOutcome {
    const { ensure, headers } = response
    const cause = { kind: 'preference' } as const
    progress.preferences = [...progress.preferences, preferred]
    const isEnsured = ensure && mediaType === response.mediaType && text !== undefined
    const valid = isEnsured ? ensureText(contract, ensure, text, `${operation.id} ${status}`) : text
    const body = base64 === undefined ? valid : decodeBytes(base64)
    const written: Written = { status, mediaType, headers, body, cause }
    if (status < 400) return written
    const message = `Requested with "Prefer: ${preferred}"`
    const now = progress.now ?? 0
    const usual = render(new Refusal('forced', message, { status }), operation, { path: operation.path, now })
    return usual ? new Refusal('forced', message, { status, cause, rendered: { ...usual, mediaType, body } }) : written
  }

  /** Each request of a world gets other values. */
  function make(
    operation: Operation,
    progress: Progress,
    response: DocumentedResponse,
    status: number | undefined,
  ): WrittenOutcome | undefined {
    const { world } = progress
    const { ensure, mediaType } = response.error ?? response
    if (!ensure || mediaType === undefined || !world) return undefined
    const count = (made.get(world) ?? 0) + 1
    made.set(world, count)
    const value = ensureValue(contract, ensure, undefined, toSeed(`${operation.id} ${response.status} ${count}`))
    if (value === undefined) return undefined
    const text = writeByShape(value, contract.shapes, 0)
    return write(operation, progress, response, { mediaType, text }, 'dynamic=true', status)
  }
}

/** The response for a status, or each success. */
function responsesFor(operation: Operation, status: number | undefined): DocumentedResponse[] {
  const documented = status === undefined ? undefined : documentedResponse(operation, status)
  if (status !== undefined) return documented ? [documented] : []
  const successes = operation.responses.filter((response) => response.status.startsWith('2'))
  return successes.length > 0 ? successes : operation.responses.filter((response) => response.status === 'default')
}

/** The first response with such an example, in the media type that the client prefers. */
function findExample(
  responses: readonly DocumentedResponse[],
  name: string | undefined,
  accept = '*/*',
): { response: DocumentedResponse; found: NamedExample } | undefined {
  for (const response of responses) {
    const named = (response.examples ?? []).filter((each) => each.name === name)
    const types = named.map(({ mediaType }) => mediaType)
    const found = named[Math.max(0, choose(accept, types))]
    if (found) return { response, found }
  }
  return undefined
}

function noteUnknown(
  progress: Progress,
  operation: Operation,
  responses: readonly DocumentedResponse[],
  name: string,
): void {
  const names = new Set(responses.flatMap(({ examples }) => (examples ?? []).map((example) => example.name)))
  const sorted = [...names].toSorted((one, other) => differenceOf(name, one) - differenceOf(name, other))
  const instead = sorted.length > 0 ? `use ${sorted.map(quote).join(' or ')}` : `${operation.id} has no named examples`
  note(progress, `example=${name}`, instead)
}

function note(progress: Progress, ignored: string, instead: string): void {
  progress.notes = [...progress.notes, `preference ${quote(ignored)} was ignored: ${instead}`]
}
