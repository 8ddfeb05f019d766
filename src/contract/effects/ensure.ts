/** Keeps a response valid. */

/** How to make a value satisfy the schema of a response. Absent if all values already do. */
export interface Ensure {
  /** Number of the validator. */
  validate: number
  /** Number of the plan that makes missing values. */
  plan: number
  /** Number of the shape of the response. */
  shape: number
}
