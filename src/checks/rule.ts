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
