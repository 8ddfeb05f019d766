/** Calls of the control API, with the token if it needs one. */
import { type Signal, signal } from '@preact/signals'
import type { StoredRecord, Values, Violation } from './api-types.js'
import { parseExact, writeExact } from './json-text.js'

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
let token: string | null = readToken()
/** Whether the control API requires a token. */
export const needsToken: Signal<boolean> = signal(false)
/** Whether it refused the given token. */
export const isTokenWrong: Signal<boolean> = signal(false)

function readToken(): string | null {
  return sessionStorage.getItem(tokenName)
}

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
