/** A rule: what a check looks for, how bad it is, and the way out. */

/** `error`: the contract is broken. `warning`: it will break, or may. `info`: good to know. */
export type Severity = 'error' | 'warning' | 'info'

export const severities: readonly Severity[] = ['error', 'warning', 'info']

/** Which check a rule belongs to: of a consumer's traffic (`run`), or of a provider's answers (`check`). */
export type CheckKind = 'consumer' | 'provider'

export interface Rule {
  /** In kebab-case; stays the same from version to version, as baselines and suppressions name it. */
  readonly id: string
  readonly severity: Severity
  /** What is a finding, as a noun phrase without a full stop. */
  readonly looksAt: string
  /** What to do about it, as a sentence without a full stop. */
  readonly help: string
}
