/** A rule: what a check looks for, how severe it is, and how to fix it. */

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
}

/** What one of several rules finds. */
export interface FoundByRule extends FoundProblem {
  rule: Rule
  /** It is about the whole service; the operation is an example. @default false */
  isGeneral?: boolean
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
