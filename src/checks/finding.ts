/** A finding: one result of a check, which may have occurred many times. */
import { getOrInsert } from '../json/own-value.js'
import type { FindingSource } from './consumer/sources.js'

/** Shown instead of a credential. */
export const hiddenKey = '***'

export interface Finding {
  /** Unique among findings and the same in every run. Baselines and fingerprints contain it. */
  id: string
  /** Id of the rule. */
  rule: string
  severity: Severity
  /** Id of the operation; absent if no operation has that path and method. */
  operation?: string
  /** Empty if it is about a test. */
  method: string
  /** The documented path; if there is none, the path that was called with its variable segments as `{}`. Of a test, its file. */
  path: string
  /** Which part of the request or response, e.g. `query limit`; empty for the whole. Of a test, its name. */
  at: string
  /** How the rule is broken there, e.g. `maximum`; absent if there is only one way. */
  kind?: string
  /** What is wrong, without a full stop. */
  message: string
  /** What to do about it, without a full stop. */
  help: string
  /** How often it occurred; at least 1. */
  count: number
  /** How to reproduce it: curl lines in order, with the key as a shell variable. */
  requests: string[]
  /** The response to the last of them; absent if there was none. */
  response?: { status: number; body: string }
  /** Where the operation is in the document; absent if it was not found. Lines start at 1. */
  place?: { file: string; line: number }
  /** Where in the consumer's code it occurred: the first five places. Absent if none is known. */
  sources?: FindingSource[]
  /** Of a change, compared with a lock: whether it is about what the consumer does. `maybe`: the lock cannot say. */
  impact?: 'yours' | 'maybe' | 'unused'
  /** Listed in the baseline: it does not fail the run. */
  isKnown: boolean
}

/** A problem that a rule found in a request of an operation. */
export interface Problem extends FoundByRule {
  operation?: string
  method: string
  path: string
}

/**
 * The id of a finding: its rule, its operation, its place and its kind. It is readable, so that a baseline can be
 * reviewed.
 */
export function idOf({ rule, method, path, at, kind = '', isGeneral = false }: Problem): string {
  return [rule.id, ...(isGeneral ? [] : [method, path]), at, kind].filter((part) => part !== '').join(' ')
}

/** A finding that occurred once. */
export function toFinding(problem: Problem, requests: string[] = [], response?: Finding['response']): Finding {
  const { rule, operation, method, path, at, kind, message, help = rule.help, severity = rule.severity } = problem
  return {
    id: idOf(problem),
    rule: rule.id,
    severity,
    ...(operation === undefined ? {} : { operation }),
    method,
    path,
    at,
    ...(kind === undefined ? {} : { kind }),
    message,
    help,
    count: 1,
    requests,
    ...(response ? { response } : {}),
    isKnown: false,
  }
}

/** Findings by id, in the order of their first occurrence. */
export type Findings = Map<string, Finding>

/**
 * Adds a finding, or counts a further occurrence of it.
 * @param reproduce called for the first occurrence only
 * @returns the finding with its occurrences so far
 */
export function addFinding(
  findings: Findings,
  problem: Problem,
  reproduce: () => Pick<Finding, 'requests' | 'response'>,
): Finding {
  const known = findings.get(idOf(problem))
  if (known) known.count++
  return getOrInsert(findings, idOf(problem), () => {
    const { requests, response } = reproduce()
    return toFinding(problem, requests, response)
  })
}

/** `error`: the contract is broken. `warning`: it will or may break. `info`: good to know. */
export type Severity = 'error' | 'warning' | 'info'

/** From the worst to the mildest. */
export const severities: readonly Severity[] = ['error', 'warning', 'info']

/**
 * What a check looks at: `run` at a consumer's requests, `check` at a provider's responses, `proxy` at both, `diff` at two
 * versions.
 */
export type CheckKind = 'consumer' | 'provider' | 'proxy' | 'changes'

export interface Rule {
  /** In kebab-case. Never changes, as baselines and suppressions contain it. */
  readonly id: string
  readonly severity: Severity
  /** What it rests on: a section of a specification, or a part of the document. */
  readonly restsOn: string
  /** What counts as a finding, as a noun phrase without a full stop. */
  readonly looksAt: string
  /** How to fix it, as a sentence without a full stop. */
  readonly help: string
}

/** What a rule finds. */
export interface FoundProblem {
  /** Which part, e.g. `query limit`, `body a.b[].c`, `response 200 a.b`; empty for the whole. */
  at: string
  /** How the rule is broken there, without a value; absent if there is only one way. */
  kind?: string
  /** Without a full stop. */
  message: string
  /** More specific help than that of the rule. */
  help?: string
  /** Another severity than that of the rule. */
  severity?: Severity
  /** It is about the whole service; the operation is an example. @default false */
  isGeneral?: boolean
}

/** What one of several rules finds. */
export interface FoundByRule extends FoundProblem {
  rule: Rule
}

/** A rule that finds its problems by itself. `find` keeps no state: what it finds is counted and rendered elsewhere. */
export interface FindingRule<Data> extends Rule {
  find(data: Data): Iterable<FoundProblem>
}

/** Rules that find their problems together, as they read the same parts of the data. */
export interface RuleFamily<Data, Found extends FoundByRule = FoundByRule> {
  readonly rules: readonly Rule[]
  find(data: Data): Iterable<Found>
}

/** @param texts rules without their ids, by id */
export function toRules<Id extends string>(texts: Record<Id, Omit<Rule, 'id'>>): Record<Id, Rule> {
  const rules = Object.entries<Omit<Rule, 'id'>>(texts).map(([id, text]) => [id, { id, ...text }])
  return Object.fromEntries(rules)
}
