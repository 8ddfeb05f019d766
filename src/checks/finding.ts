/** A finding: one result of a check, met once or many times. */
import type { Rule, Severity } from './rule.js'

export interface Finding {
  /** Tells it from other findings, the same from run to run: what baselines and fingerprints hold. */
  id: string
  /** Id of the rule. */
  rule: string
  severity: Severity
  /** Id of the operation; absent where no operation has that path and method. */
  operation?: string
  method: string
  /** The documented path; where there is none, the path that was called with its variable segments as `{}`. */
  path: string
  /** Which part of the request or answer, e.g. `query limit`; empty for the whole. */
  at: string
  /** What is wrong, in words without a full stop. */
  message: string
  /** What to do about it, without a full stop. */
  help: string
  /** How often it was met; at least 1. */
  count: number
  /** How to see it again: curl lines in order, the key as a shell variable. */
  requests: string[]
  /** What answered the last of them; absent where nothing did. */
  response?: { status: number; body: string }
  /** Where the operation stands in the document; absent where none was found. */
  place?: { file: string; line: number }
  /** Listed in the baseline: it does not count against the run. */
  isKnown: boolean
}

/** What a rule has to say; the rest of a finding is the same for all. */
export interface Problem {
  rule: Rule
  operation?: string
  method: string
  path: string
  at: string
  message: string
  /** Better help than the rule's own. */
  help?: string
}

/** Readable, so that a baseline can be reviewed. */
export function idOf({ rule, method, path, at }: Problem): string {
  return [rule.id, method, path, at].filter((part) => part !== '').join(' ')
}

/** The first time that a problem is met; count it up after that. */
export function toFinding(problem: Problem, requests: string[], response?: Finding['response']): Finding {
  const { rule, operation, method, path, at, message, help = rule.help } = problem
  return {
    id: idOf(problem),
    rule: rule.id,
    severity: rule.severity,
    ...(operation === undefined ? {} : { operation }),
    method,
    path,
    at,
    message,
    help,
    count: 1,
    requests,
    ...(response ? { response } : {}),
    isKnown: false,
  }
}
