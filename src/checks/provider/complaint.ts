/** One thing that is wrong with a response of the provider. */
import type { Rule } from '../rule.js'

export interface Complaint {
  rule: Rule
  /** Which part of the request or response; with the rule, the operation and the kind it identifies the finding. */
  at: string
  /** In which way the rule is broken there; absent if there is only one way, or if the place says it. */
  kind?: string
  /** What is wrong, without a full stop. */
  message: string
  /** Better help than the rule's own. */
  help?: string
  /** It is about the whole service, so that all operations have one finding. @default false */
  isGeneral?: boolean
}
