/** Calls of the control API, with the token if it needs one, and the types of its answers. */
import { type Signal, signal } from '@preact/signals'
import type { components, operations } from '../generated/control-types.js'
import { parseExact, writeExact } from './json-text.js'

type Schemas = components['schemas']

export type Pair = Schemas['Header']
export type Violation = Schemas['Violation']
export type Step = Schemas['Why']['step']
export type Collection = Schemas['Collection']
export type World = Schemas['World']
export type Operation = Schemas['Operation']
export type Snapshot = Schemas['Snapshot']
export type Difference = Schemas['Difference']
export type WorldEvent = Schemas['Event']
export type RecordChange = operations['listRecordChanges']['responses'][200]['content']['application/json'][number]
export type Key = Schemas['Key']
export type About = Schemas['About']
export type OpenFact = Schemas['OpenFact']
export type Corrections = Schemas['Corrections']
export type StoredRecord = Schemas['Record']
export type Fault = Schemas['FaultRule'] & { id: string; struck: number }
export type Clock = components['responses']['Clock']['content']['application/json']
export type PrintedOverlay = components['responses']['Overlay']['content']['application/json']
export type WrittenRequest = operations['writeRequest']['responses'][200]['content']['application/json']

export type Values = Record<string, unknown>

/** A page of the records of a collection. */
export interface Page {
  total: number
  records: StoredRecord[]
}

export interface Exchange extends Omit<Schemas['Exchange'], 'request' | 'response'> {
  request: { method: string; path: string; query: string; headers: Pair[]; body?: string }
  response: { status: number; headers: Pair[]; body?: string; encoding?: 'base64' }
}

export interface Served {
  instance: string
  /** Why the latest saved document is not served. */
  problem?: string
}

type Place = 'path' | 'query' | 'header' | 'cookie'
export type ParameterValues = Partial<Record<Place, Values>>

type OpenForm = Schemas['OperationWithForm']['form']
export interface Form extends OpenForm {
  parameters: (OpenForm['parameters'][number] & { in: Place })[]
  example: { parameters?: ParameterValues; body?: unknown }
}

/** An error answer of the control API. */
export class ControlError extends Error {
  readonly status: number
  readonly violations: Violation[]

  constructor(status: number, message: string, violations: Violation[] = []) {
    super(message)
    this.status = status
    this.violations = violations
  }
}

const tokenName = 'sandbox-control-token'

/** The token of `--control-token`, for this tab. */
let token: string | null = sessionStorage.getItem(tokenName)
/** Whether the control API requires a token. */
export const needsToken: Signal<boolean> = signal(false)
/** Whether it refused the given token. */
export const isTokenWrong: Signal<boolean> = signal(false)

/** @returns whether the text can be a token: a header must be able to contain it */
export function setToken(given: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(given)) {
    isTokenWrong.value = true
    return false
  }
  token = given
  sessionStorage.setItem(tokenName, given)
  needsToken.value = false
  return true
}

export function askForToken(): void {
  isTokenWrong.value = token !== null
  needsToken.value = true
}

export function authorization(): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

/** A record as it was before this page replaced or removed it. */
export interface ReplacedRecord {
  /** The path of the record, with the query. */
  path: string
  isRemoved: boolean
  values: Values
}

export const replaced: Signal<ReplacedRecord | undefined> = signal<ReplacedRecord | undefined>()

/** The message while the sandbox is stopped. */
export const noAnswer: string = 'The sandbox does not answer. Is it still running?'

/**
 * @param path below `/_sandbox`
 * @throws ControlError with the message of the sandbox, or for a sandbox that does not answer
 */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  // Without the check of the schema, a change is undone.
  const isOfRecord =
    /^(PUT|DELETE)$/.test(method) && /\/records\/\d+(\?|$)/.test(path) && !path.includes('&validate=false')
  const before = isOfRecord ? await get<StoredRecord>(path).catch(() => undefined) : undefined
  const response = await fetch(`/_sandbox${path}`, {
    method,
    headers: { ...authorization(), ...(method !== 'GET' && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: writeExact(body) }),
  }).catch(() => {
    throw new ControlError(0, noAnswer)
  })
  const text = await response.text()
  if (response.ok && before) replaced.value = { path, isRemoved: method === 'DELETE', values: before.values }
  if (response.ok) return (text === '' ? undefined : parseExact(text)) as T
  if (response.status === 401) askForToken()
  const { message = response.statusText, violations } = readError(text)
  throw new ControlError(response.status, message, violations)
}

function readError(text: string): { message?: string; violations?: Violation[] } {
  try {
    return JSON.parse(text)
  } catch {
    return { message: text }
  }
}

export const get = <T>(path: string): Promise<T> => call<T>('GET', path)

/** The part of a path, or a value of a query. */
export const encode: (text: string) => string = encodeURIComponent
