/** Collects the findings of a check, each once, without the key. */

import { createHide } from '../../contract/hiding/hide-secrets.js'
import { toCurl, withoutUsual } from '../../media/to-curl.js'
import { type Finding, hiddenKey, idOf, type Problem, toFinding } from '../finding.js'
import type { ParsedResponse } from './judges/judge-response.js'
import { type CredentialsKind, secretsOf, shellKeyOf } from './requests/credentials-kinds.js'
import type { Caller, ProviderRequest } from './requests/request-draft.js'

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

export interface FindingCollector {
  has(id: string): boolean
  /** Adds a finding, or counts it. @returns whether it is new */
  add(occurrence: Occurrence): boolean
  /** Replaces the requests of a known finding. */
  replace(occurrence: Occurrence): void
  /** In the order in which they were found. */
  findings(): Finding[]
}

/** Characters of a response body that a finding keeps. */
const maxBodyLength = 500

/**
 * Starts without findings.
 * @param caller the sender of the requests; its key is never part of a finding
 * @param keyVariable name of the shell variable that replaces it in curl lines
 */
export function collectFindings({ key, baseUrl }: Caller, keyVariable: string): FindingCollector {
  const findings = new Map<string, Finding>()
  const hide = createHide([key], hiddenKey)

  /** Adds a finding, or counts it. @returns whether it is new */
  function add({ problem, steps }: Occurrence): boolean {
    const id = idOf(problem)
    const known = findings.get(id)
    if (known) {
      known.count++
      return false
    }
    const last = steps.at(-1)
    const response = last?.response && {
      status: last.response.status,
      body: beginningOf(last.response.text, last.request.credentials),
    }
    const curls = steps.map(({ request }) => curlOf(request))
    findings.set(id, toFinding({ ...problem, message: hide(problem.message) }, curls, response))
    return true
  }

  function curlOf({ method, url, headers, body, credentials }: ProviderRequest): string {
    const target = url.slice(baseUrl.length)
    const shellKey = key === '' ? undefined : { ...shellKeyOf(credentials, key, keyVariable), hide }
    return toCurl({ method, origin: baseUrl, target, headers: withoutUsual(headers.flat()), body, key: shellKey })
  }

  /** Copies the text, because a substring would keep the whole body in memory. */
  function beginningOf(text: string, credentials: CredentialsKind): string {
    const shown = text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}…` : text
    const hidden = createHide(secretsOf(credentials, key), hiddenKey)(shown)
    return Buffer.from(hidden).toString()
  }

  return {
    has: (id) => findings.has(id),
    add,
    replace(occurrence) {
      const id = idOf(occurrence.problem)
      const known = findings.get(id)
      findings.delete(id)
      add(occurrence)
      const replaced = findings.get(id)
      if (replaced && known) replaced.count = known.count
    },
    findings: () => [...findings.values()],
  }
}
