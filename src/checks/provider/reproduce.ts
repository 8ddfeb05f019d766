/** Shows the requests of a check in findings, without its key. */
import { createHide } from '../../contract/hiding/hide-secrets.js'
import { toCurl, withoutUsual } from '../../media/to-curl.js'
import { addFinding, type Finding, type Findings, hiddenKey, type Problem } from '../finding.js'
import { type CredentialsKind, secretsOf, shellKeyOf } from './requests/credentials-kinds.js'
import type { Caller, ProviderRequest } from './requests/request-draft.js'
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
  const hide = createHide([sender.caller.key], hiddenKey)
  const shown = { ...problem, message: hide(problem.message) }
  return addFinding(findings, shown, () => reproduce(sender, steps)).count === 1
}

function reproduce(sender: Sender, steps: readonly Step[]): Pick<Finding, 'requests' | 'response'> {
  const requests = steps.map(({ request }) => curlOf(sender, request))
  const { request, response } = steps.at(-1) ?? {}
  if (!request || !response) return { requests }
  const { status, text } = response
  return { requests, response: { status, body: beginningOf(text, request.credentials, sender.caller.key) } }
}

function curlOf(
  { caller: { key, baseUrl }, keyVariable }: Sender,
  { method, url, headers, body, credentials }: ProviderRequest,
): string {
  const target = url.slice(baseUrl.length)
  const hide = createHide([key], hiddenKey)
  const shellKey = key === '' ? undefined : { ...shellKeyOf(credentials, key, keyVariable), hide }
  return toCurl({ method, origin: baseUrl, target, headers: withoutUsual(headers.flat()), body, key: shellKey })
}

/** Copies the text, because a substring would keep the whole body in memory. */
function beginningOf(text: string, credentials: CredentialsKind, key: string): string {
  const shown = text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}…` : text
  const hidden = createHide(secretsOf(credentials, key), hiddenKey)(shown)
  return Buffer.from(hidden).toString()
}
