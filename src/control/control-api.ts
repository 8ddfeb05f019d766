/** Serves the control API from its document: routes and validates like the service, then calls the handler of the operation. */
import type { Operation, RequestContract } from '../contract/contract.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { Violation } from '../contract/violations.js'
import { holdsInfinity, parseExactJson } from '../json/exact-json.js'
import type { ExactValue } from '../json/exact-value.js'
import { isObject } from '../json/own-value.js'
import { createPause } from '../json/steps.js'
import { jsonCodec } from '../media/json-codec.js'
import { Refusal, type Written } from '../sandbox/outcome.js'
import { type BodyReader, createBodyReader, type ReadBody } from '../sandbox/request/read-body.js'
import { createParameterReader, readStyled } from '../sandbox/request/read-parameters.js'
import type { OpenStream, SandboxRequest } from '../sandbox/request/request.js'
import { createRenderRefusal } from '../sandbox/responses/render-refusal.js'
import { createRouter, isRoute } from '../sandbox/route.js'
import { createValidate, type ValidRequest } from '../sandbox/validate.js'
import type { Scenario } from '../state/scenario.js'
import type { Values } from '../state/stored-record.js'
import { EventStream } from './exchange-stream.js'
import type { Change } from './feed.js'
import { writeInSlices } from './slices.js'

/** The answer of an operation: a status, optionally with a JSON value or events. */
export type ControlAnswer = readonly [status: number, value?: unknown]

/**
 * @param sent the request as it was sent, for its headers
 * @throws SandboxError or RangeError if the request cannot be fulfilled
 */
export type ControlHandler = (request: ValidRequest, sent: SandboxRequest) => Promise<ControlAnswer> | ControlAnswer

export type ControlResult = Written & { stream?: OpenStream }

/** Handlers by the ids of operations. */
export type ControlHandlers = Readonly<Record<string, ControlHandler>>

/** A request names something that does not exist. */
export class NotFound extends Error {}

/** The state of the sandbox does not allow the request. */
export class Taken extends Error {}

/** A record that its schema does not allow. */
export class InvalidRecord extends Error {
  readonly violations: readonly Violation[]

  constructor(message: string, violations: readonly Violation[]) {
    super(message)
    this.violations = violations
  }
}

/** Maximum body size: an import contains all records of a world. */
const maxBytes = 64 * 1024 * 1024

const noRecords = new TextEncoder().encode('{}')

/** POST operations that change nothing. */
const reading: ReadonlySet<string> = new Set(['waitForExchange', 'writeRequest', 'judgeWorld'])

export interface ControlListeners {
  /** Generates the records that an operation uses, in slices. */
  prepare: (operation: string, request: ValidRequest) => Promise<void>
  /** Called after each request that changed something. */
  onChange: (change: Change) => void
  /** Called with unexpected errors, for which the request gets 500. */
  onUnexpectedError: (error: unknown) => void
}

export function createControlApi(
  contract: RequestContract,
  handlers: ControlHandlers,
  { prepare, onChange, onUnexpectedError }: ControlListeners,
): (request: SandboxRequest) => Promise<ControlResult> {
  const readParameters = createParameterReader(contract, readStyled)
  const { route } = createRouter(contract, false, readParameters)
  const imported = contract.operations.find(({ id }) => id === 'importWorld')?.body
  const readWhole = createBodyReader({ contract, codecs: { json: jsonCodec }, maxBytes })
  const readBody: BodyReader = (body, request, handOn) => {
    if (body !== imported) return readWhole(body, request, handOn)
    const sent = request.body(maxBytes)
    const reading = sent.then((bytes) => bytes && readScenario(bytes)).catch(() => undefined)
    return reading.then((value) => {
      // The scenario is read in slices; all other checks use an empty scenario.
      const left = value ? Promise.resolve(noRecords) : sent
      const finish = (read: ReadBody | Refusal) => handOn(!value || read instanceof Refusal ? read : { ...read, value })
      return readWhole(body, { ...request, body: () => left }, finish)
    })
  }
  const validate = createValidate(contract, readParameters, readBody)
  const renderRefusal = createRenderRefusal(contract)

  return async function answer(request) {
    const found = route(request)
    if (found instanceof Refusal) return render(found, undefined)
    if (!isRoute(found)) return found
    const { operation } = found
    const valid = await validate(request, found)
    if (valid instanceof Refusal) return render(valid, operation)
    try {
      checkNumbers(valid.query)
      await prepare(operation.id, valid)
      const [status, value] = await (handlers[operation.id] as ControlHandler)(valid, request)
      if (operation.method !== 'GET' && !reading.has(operation.id)) {
        onChange(toChange(operation, valid, value))
      }
      if (value === undefined) return { status }
      if (value instanceof EventStream) return { status, mediaType: 'text/event-stream', stream: value.open }
      return { status, mediaType: 'application/json', body: await writeInSlices(value as ExactValue) }
    } catch (error) {
      return render(toRefusal(error), operation)
    }
  }

  /** @param changed the answer: of a request that names another world by a key, which may be secret, it is that world */
  function toChange({ id }: Operation, { path, body }: ValidRequest, changed: unknown): Change {
    const { to } = (body.value ?? {}) as { to?: unknown }
    const key = typeof to === 'string' ? (changed as { id: string }).id : path['key']
    return { operation: id, ...(key !== undefined && { key: String(key) }) }
  }

  function render(refusal: Refusal, operation: Operation | undefined): Written {
    const { violations } = refusal
    const answer = renderRefusal(refusal, operation) as Written
    if (!violations || typeof answer.body !== 'string') return answer
    return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), violations }) }
  }

  /** Refuses integers beyond 2^53 in options. Records keep every digit. */
  function checkNumbers(values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values))
      if (typeof value === 'bigint') throw new RangeError(`${name} must be a number up to 2^53-1 (got ${value})`)
  }

  function toRefusal(error: unknown): Refusal {
    if (error instanceof NotFound) return new Refusal('not_found', error.message)
    if (error instanceof InvalidRecord)
      return new Refusal('invalid_request', error.message, { violations: error.violations })
    if (error instanceof Taken) return new Refusal('conflict', error.message)
    if (error instanceof RangeError) return new Refusal('invalid_request', error.message)
    if (error instanceof SandboxError) {
      const { code, message } = error
      if (code === 'DUPLICATE_KEY') return new Refusal('conflict', message)
      if (code === 'TIMED_OUT') return new Refusal('forced', message, { status: 408 })
      if (code === 'NO_ROOM') return new Refusal('forced', message, { status: 507 })
      if (code === 'STORE_UNAVAILABLE') return new Refusal('unavailable', message)
      return new Refusal('invalid_request', message)
    }
    onUnexpectedError(error)
    return new Refusal('internal_error', 'An unexpected failure inside the sandbox')
  }
}

/** Minimum bytes of a text that is divided. */
const largeBytes = 1024 * 1024
/** Characters that are parsed in one turn. */
const sliceCharacters = 256 * 1024

const utf8 = new TextDecoder('utf-8')
const opening = /[ \t\n\r]*\{[ \t\n\r]*/y
const listOpening = /("(?:[^"\\]|\\.)*")[ \t\n\r]*:[ \t\n\r]*\[/y
const afterList = /\][ \t\n\r]*(?:(,)[ \t\n\r]*|\}[ \t\n\r]*$)/y

/** @returns undefined for a small text, and for an invalid one: reading it as a whole gives the reason */
export async function readScenario(bytes: Uint8Array): Promise<Scenario | undefined> {
  if (bytes.length < largeBytes) return undefined
  const text = utf8.decode(bytes)
  const pause = createPause()
  const scenario: Record<string, Values[]> = {}
  let at = matchAt(opening, text, 0)?.end
  while (at !== undefined) {
    const named = matchAt(listOpening, text, at)
    const name = named && tryToParse(named.group)
    if (typeof name !== 'string' || name === '__proto__') return undefined
    const records: Values[] = []
    let from = named?.end ?? 0
    for (let end = findEnd(text, from); ; end = findEnd(text, from)) {
      const parsed = tryToParse(`[[${text.slice(from, end)}]]`)
      const [items] = Array.isArray(parsed) ? parsed : []
      const isComplete = text[end] === ']' && records.length === 0
      if (!Array.isArray(items) || !items.every(isObject) || (items.length === 0 && !isComplete)) return undefined
      for (const item of items) records.push(item)
      await pause()
      from = end + 1
      if (text[end] === ']') break
    }
    scenario[name] = records
    const after = matchAt(afterList, text, from - 1)
    if (!after) return undefined
    if (after.group === '') return scenario
    at = after.end
  }
  return undefined
}

function matchAt(pattern: RegExp, text: string, at: number): { group: string; end: number } | undefined {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  return found ? { group: found[1] ?? '', end: pattern.lastIndex } : undefined
}

/** @returns undefined for text that is not JSON, or with a number beyond a double */
function tryToParse(text: string): unknown {
  try {
    const { exact } = parseExactJson(text)
    return holdsInfinity(exact) ? undefined : exact
  } catch {
    return undefined
  }
}

/** The index of the comma after about a slice of items, or of the bracket after the last one; else of the end. */
function findEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = findQuote(text, at + 1)
    else if (code === comma && depth === 0 && at - from >= sliceCharacters) return at
    else if (code === bracket || code === brace) depth++
    // In ASCII, a closing bracket is two after the opening one.
    else if (code === bracket + 2 || code === brace + 2) if (depth-- === 0) return at
  }
  return text.length
}

const [quote, comma, bracket, brace] = ['"', ',', '[', '{'].map((each) => each.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
]

/** The index of the quotation mark that ends a string, or of the end. */
function findQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}
