/** The type of JSON values that keep every digit. */

/** A JSON value in which an integer beyond ±(2^53−1) is a bigint. */
export type ExactValue = unknown
