/** Applies preferences: a `Prefer` header (RFC 7240), or the query parameters of Prism. */
import type { Operation, RequestContract } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import { decodeBytes } from '../json/base64.js'
import type { Cause } from '../state/journal.js'
import type { Progress } from './finish.js'
import { Refusal, type WrittenOutcome } from './outcome.js'
import type { PreferredExamples } from './request/preferred-examples.js'
import { change, type SandboxRequest } from './request/request.js'
import { ensureText } from './writes/sampler.js'

export interface Preferences {
  /** The status to answer with. */
  code?: number
  /** Milliseconds to wait before the response. */
  delayMs?: number
  /** Preferences that are unknown or invalid. */
  ignored: string[]
}

/** Longer delays are ignored: most clients have timed out by then. */
const maxDelayMs = 60_000

export function parsePrefer(header: string): Preferences {
  const preferences: Preferences = { ignored: [] }
  for (const part of header.split(',')) {
    const [, name = '', value = ''] = /^\s*([^\s=;]+)\s*(?:=\s*"?([^\s";]*)"?)?/.exec(part) ?? []
    const number = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN
    // RFC 7240, section 2: names are case-insensitive, and the first of two equal names counts.
    const known = name.toLowerCase()
    if (known === 'code' && preferences.code === undefined && number >= 100 && number <= 599) preferences.code = number
    else if (known === 'delay' && preferences.delayMs === undefined && number <= maxDelayMs)
      preferences.delayMs = number
    else if (part.trim() !== '') preferences.ignored.push(part.trim())
  }
  return preferences
}

/** Applies the preferences of a request. @returns the answer that it prefers, if any */
export type Prefer = (request: SandboxRequest, operation: Operation, progress: Progress) => WrittenOutcome | undefined

export interface PreferOptions {
  contract: RequestContract
  forceAnswer: ForceAnswer
  /** @default examples cannot be preferred */
  examples: PreferredExamples | undefined
}

export function createPrefer({ contract, forceAnswer, examples }: PreferOptions): Prefer {
  return (request, operation, progress) => {
    const header = request.header('prefer')
    if (header === undefined) return undefined
    const asked = examples?.read(header)
    const forced = preferStatus(asked?.others ?? header, operation, progress)
    return examples && asked ? examples.answer(asked, request, operation, progress, forced) : forced
  }

  function preferStatus(header: string, operation: Operation, progress: Progress): WrittenOutcome | undefined {
    const { code, delayMs, ignored } = parsePrefer(header)
    if (contract.hasHttpSemantics && needsRetryAfter(operation, code))
      progress.headers = { 'Retry-After': '1', ...progress.headers }
    const forced = code === undefined ? undefined : forceAnswer(operation, code, { kind: 'preference' })
    const applied: string[] = []
    if (forced) applied.push(`code=${code}`)
    else if (code !== undefined) ignored.push(`code=${code}`)
    if (delayMs !== undefined) {
      progress.delivery = { ...progress.delivery, delayMs }
      applied.push(`delay=${delayMs}`)
    }
    progress.preferences = applied
    const notes = ignored.map(
      (preference) => `preference "${preference}" was ignored: use a documented code or a delay up to ${maxDelayMs}`,
    )
    progress.notes = [...progress.notes, ...notes]
    return forced
  }
}

/** Whether a temporary error has no documented `Retry-After` (RFC 9110, section 10.2.3; RFC 6585, section 4). */
export function needsRetryAfter(operation: Operation, status: number | undefined): boolean {
  if (status !== 429 && status !== 503) return false
  const documented = Object.keys(documentedResponse(operation, status)?.headers ?? {})
  return !documented.some((name) => name.toLowerCase() === 'retry-after')
}

/** @returns undefined if the operation documents no such response */
export type ForceAnswer = (operation: Operation, status: number, cause: Cause) => WrittenOutcome | undefined

export function createForceAnswer(contract: RequestContract): ForceAnswer {
  return (operation, status, cause) => {
    if (status >= 400) return new Refusal('forced', `Requested with "Prefer: code=${status}"`, { status, cause })
    const documented = status >= 200 ? documentedResponse(operation, status) : undefined
    if (!documented || documented.status === 'default') return undefined
    const { mediaType, example, base64, ensure, headers } = documented
    const text =
      ensure && example !== undefined ? ensureText(contract, ensure, example, `${operation.id} ${status}`) : example
    return { status, mediaType, headers, body: base64 === undefined ? text : decodeBytes(base64), cause }
  }
}

/** Reads and removes the parameters before anything judges the query. They come before the preferences of the header. */
export type ReadPrismQuery = (request: SandboxRequest) => SandboxRequest

const parameters = new Set(['__code', '__example', '__dynamic'])

export const readPrismQuery: ReadPrismQuery = (request) => {
  if (!request.query.includes('__')) return request
  const preferences: string[] = []
  const others = request.query.split('&').filter((part) => {
    const [name = '', ...value] = part.split('=')
    if (!parameters.has(name)) return true
    // A quote would end the value in the header.
    preferences.push(`${name.slice(2)}="${decode(value.join('=')).replaceAll('"', '')}"`)
    return false
  })
  if (preferences.length === 0) return request
  const given = request.header('prefer')
  const prefer = [...preferences, ...(given === undefined ? [] : [given])].join(', ')
  return change(request, {
    query: others.join('&'),
    header: (name) => (name === 'prefer' ? prefer : request.header(name)),
    headers: () => [...request.headers(), 'Prefer', preferences.join(', ')],
  })
}

function decode(text: string): string {
  return new URLSearchParams(`value=${text}`).get('value') ?? ''
}
