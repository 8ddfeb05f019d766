/** Reads the regular expressions of documents. */
import { RE2JS } from 're2js'

/** A repetition in a repetition can take time that doubles with each letter. */
const nested = /\([^()]*[*+}][^()]*\)(?:[*+]|\{\d*,)/

/** The classes of POSIX in Java, without those that JavaScript knows too. */
const javaClass = /\\p\{(Alnum|Blank|Cntrl|Digit|Graph|Print|Punct|Space|XDigit)\}/g
/** RE2 reads `[[:alnum:]]` as POSIX does; JavaScript finds other characters in it. */
const posixClass = /\[:(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]/
const brackets = /\[(?:\\.|[^\]\\])*\]/g

const any = { test: () => true, toString: () => 'any' }

/** Expressions are read as of Java or POSIX if they have its classes, else with the flag u, then without, then ignored, as validators of OpenAPI do. */
export function toRegExp(written) {
  const pattern = withoutForeign(written)
  if (pattern.search(javaClass) !== -1 || posixClass.test(pattern)) return compileLinear(toPosix(pattern)) ?? any
  // Undefined if it has what only a backtracking engine can do.
  const linear = nested.test(pattern) ? compileLinear(pattern) : undefined
  if (linear) return linear
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // The next way.
    }
  }
  return any
}

/** Delimiters and anchors of other languages, which mean something else in JavaScript, and never what is meant. */
function withoutForeign(pattern) {
  const bare = /^\/(\^.*|.*\$)\/[a-z]*$/s.exec(pattern)?.[1] ?? pattern
  return bare.replace(/\\([\s\S])/g, (whole, letter) => ({ A: '^', z: '$', Z: '$' })[letter] ?? whole)
}

function compileLinear(pattern) {
  try {
    const compiled = RE2JS.compile(pattern)
    // Ajv takes expressions with the same text for the same expression.
    return { test: (text) => compiled.matcher(text).find(), toString: () => `linear ${pattern}` }
  } catch {
    return undefined
  }
}

/** RE2 knows the classes of POSIX inside of brackets. */
function toPosix(pattern) {
  const inside = (part) => part.replace(javaClass, (_, name) => `[:${name.toLowerCase()}:]`)
  return pattern.replace(brackets, inside).replace(javaClass, (_, name) => `[[:${name.toLowerCase()}:]]`)
}
