/** Shows the requests of a check in findings, without its key. */
import { createHide } from '../../contract/hiding/hide-secrets.js'
import type { ParameterPlace } from '../../contract/request-model.js'
import { toCurl, withoutUsual } from '../../media/to-curl.js'
import { addFinding, type Finding, type Findings, hiddenKey, type Problem } from '../finding.js'
import { type CredentialsKind, secretsOf, shellKeyOf } from './requests/credentials-kinds.js'
import { type Caller, type Draft, type ProviderRequest, withBody, withParameter } from './requests/request-draft.js'
import type { ParsedResponse } from './rules/answer.js'

/** A request and its response; undefined without one. */
export interface Step {
  request: ProviderRequest
  response: ParsedResponse | undefined
}

/** A problem with the requests that show it. */
export interface Occurrence {
  problem: Problem
  steps: Step[]
}

/** The sender of the requests, whose key is never part of a finding. */
export interface Sender {
  caller: Caller
  /** Name of the shell variable that replaces the key in curl lines. */
  keyVariable: string
}

/** Characters of a response body that a finding keeps. */
const maxBodyLength = 500

/** Adds a finding, or counts it. @returns whether it is new */
export function addOccurrence(findings: Findings, sender: Sender, { problem, steps }: Occurrence): boolean {
  const hide = createHide(secretsOf('valid', sender.caller), hiddenKey)
  const shown = { ...problem, message: hide(problem.message) }
  return addFinding(findings, shown, () => reproduce(sender, steps)).count === 1
}

function reproduce(sender: Sender, steps: readonly Step[]): Pick<Finding, 'requests' | 'response'> {
  const requests = steps.map(({ request }) => curlOf(sender, request))
  const { request, response } = steps.at(-1) ?? {}
  if (!request || !response) return { requests }
  const { status, text } = response
  return { requests, response: { status, body: beginningOf(text, request.credentials, sender.caller) } }
}

function curlOf({ caller, keyVariable }: Sender, { method, url, headers, body, credentials }: ProviderRequest): string {
  const { baseUrl, otherKey = '' } = caller
  const isOther = credentials === 'other-account'
  const [key, variable] = isOther ? [otherKey, `OTHER_${keyVariable}`] : [caller.key, keyVariable]
  // A Location may lead elsewhere.
  const origin = url.startsWith(baseUrl) ? baseUrl : new URL(url).origin
  const target = url.slice(origin.length)
  const hide = createHide(secretsOf('valid', caller), hiddenKey)
  const shellKey = key === '' ? undefined : { ...shellKeyOf(credentials, key, variable), hide }
  return toCurl({ method, origin, target, headers: withoutUsual(headers.flat()), body, key: shellKey })
}

/** Copies the text, because a substring would keep the whole body in memory. */
function beginningOf(text: string, credentials: CredentialsKind, caller: Caller): string {
  const shown = text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}…` : text
  const hidden = createHide(secretsOf(credentials, caller), hiddenKey)(shown)
  return Buffer.from(hidden).toString()
}

/**
 * Variants of a request that are one step simpler.
 * @param isSameCase whether a variant is still valid, or invalid in the same way
 */
export function* simplerDrafts(draft: Draft, isSameCase: (draft: Draft) => boolean): Iterable<Draft> {
  for (const candidate of candidates(draft)) if (isSameCase(candidate)) yield candidate
}

function* candidates(draft: Draft): Iterable<Draft> {
  for (const place of ['query', 'header', 'cookie'] as const satisfies ParameterPlace[]) {
    for (const name of Object.keys(draft.parameters[place])) yield withParameter(draft, place, name, undefined)
  }
  if (!draft.body || 'text' in draft.body) return
  for (const value of simplerValues(draft.body.value)) yield withBody(draft, value)
}

/** Yields simpler values, largest steps first. */
function* simplerValues(value: unknown): Iterable<unknown> {
  if (typeof value === 'string') {
    const characters = [...value]
    if (characters.length > 1) yield 'a'
    if (characters.length > 3) {
      const half = Math.ceil(characters.length / 2)
      yield characters.slice(0, half).join('')
      yield characters.slice(half).join('')
    }
    if (characters.length > 1 && characters.length <= 40) {
      for (const index of characters.keys()) yield characters.filter((_, other) => other !== index).join('')
    }
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    if (value !== 1 && value !== 0) yield 1
  } else if (Array.isArray(value)) {
    if (value.length > 1) yield value.slice(0, 1)
    for (const [index, item] of value.entries())
      for (const simpler of simplerValues(item)) yield value.with(index, simpler)
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name))
    for (const [name, inner] of entries) {
      for (const simpler of simplerValues(inner)) yield { ...value, [name]: simpler }
    }
  }
}
