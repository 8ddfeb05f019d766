/** One thing that is wrong with a response of the provider. */
import type { Rule } from '../rule.js'

export interface Complaint {
  rule: Rule
  /** Which part of the request or response; together with the rule and the operation it identifies the finding. */
  at: string
  /** What is wrong, without a full stop. */
  message: string
}
