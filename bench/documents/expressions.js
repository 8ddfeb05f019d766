/** Reads the regular expressions of documents. */
import { RE2JS } from 're2js'

/** A repetition in a repetition can take time that doubles with each letter. */
const nested = /\([^()]*[*+}][^()]*\)(?:[*+]|\{\d*,)/

/** Expressions are read with the flag u, then without, then ignored, as validators of OpenAPI do. */
export function toRegExp(pattern) {
  if (nested.test(pattern)) {
    try {
      const compiled = RE2JS.compile(pattern)
      return { test: (text) => compiled.matcher(text).find() }
    } catch {
      // It has what only a backtracking engine can do.
    }
  }
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // The next way.
    }
  }
  return { test: () => true }
}
