/** What a response needs so that it keeps its schema. */

/** How to make a value satisfy the schema of a response. Where it is absent, values always do. */
export interface Ensure {
  /** Number of the validator. */
  validate: number
  /** Number of the plan that makes what is missing. */
  plan: number
  /** Number of the shape of the response. */
  shape: number
}
