/** Reads regular expressions in documents, which authors write for many engines. */

import { boundPattern } from './bounded-pattern.js'
import { withFlags, withoutLookaround } from './compile-pattern.js'
import { withoutForeign } from './foreign-patterns.js'

export interface ReadPattern {
  /** The pattern for an engine with the flag `u`, as Ajv uses it. Undefined if it cannot be read. */
  pattern?: string
  /** What is wrong with the pattern as it is written. */
  why?: string
}

/**
 * Tries a pattern with the flag `u`, then without it, then with syntax of other languages replaced. A pattern that cannot be
 * matched in bounded time is used without its lookaround, or not at all.
 * @param example a documented text, which a pattern with wrong lookaround does not match
 */
export function readPattern(written: string, example?: unknown): ReadPattern {
  const read = readSyntax(written)
  if (read.pattern === undefined) return read
  const bare = /\(\?<?[=!]/.test(read.pattern) ? withoutLookaround(read.pattern) : undefined
  const [whole, part] = [boundPattern(read.pattern), bare === undefined ? undefined : boundPattern(bare)]
  if (!whole) {
    const why = `${JSON.stringify(written)} can take exponential time`
    return bare !== undefined && part ? { pattern: bare, why } : { why }
  }
  const isWrong = typeof example === 'string' && !whole.test(example) && part?.test(example)
  return isWrong && bare !== undefined
    ? { pattern: bare, why: `${JSON.stringify(written)} does not match its example` }
    : read
}

function readSyntax(written: string): ReadPattern {
  const quoted = JSON.stringify(written)
  const [, bare = written, ownFlags = ''] = delimited.exec(written) ?? []
  const problem = problemOf(written, 'u')
  if (problem === undefined && bare === written) return { pattern: written }
  const why =
    problem === undefined
      ? `${quoted} has delimiters, so it would match nothing`
      : `${quoted} is not a regular expression with the flag u: ${problem}`
  // Class intersection in Java means something else in JavaScript.
  if (bare.includes('&&[')) return { why }
  const { pattern, flags } = withoutForeign(bare)
  const strict = problemOf(pattern, 'u') === undefined ? pattern : toStrict(pattern)
  if (problemOf(strict, 'u') !== undefined || (strict !== pattern && problemOf(pattern, '') !== undefined))
    return { why }
  return { pattern: withFlags(strict, ownFlags + flags), why }
}

function problemOf(pattern: string, flags: string): string | undefined {
  try {
    new RegExp(pattern, flags).test('') // unmeasured: an empty text, which shows whether it is too large
    return undefined
  } catch (error) {
    return (error as Error).message.replace(/^.*:\s/s, '').toLowerCase()
  }
}

/** `/^a$/i` is a literal of JavaScript and other languages. As a pattern, it matches nothing. */
const delimited = /^\/(\^.*|.*\$)\/([a-z]*)$/s

/** Letters and digits that have a meaning after a backslash with the flag `u`. */
const escapes = /[bBdDsSwWfnrtv0-9cxukpP]/
const syntax = /[$^\\.*+?()[\]{}|/]/

/**
 * Rewrites a pattern without the flag `u` so that it means the same with it (ECMA-262, annex B.1.2): removes unnecessary
 * backslashes, escapes literal braces and brackets, and makes octal escapes hexadecimal.
 */
function toStrict(pattern: string): string {
  let strict = ''
  let isInClass = false
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? ''
    if (character === '\\') {
      const next = pattern[++index] ?? ''
      const octal = isInClass ? /^[0-3][0-7]{2}/.exec(pattern.slice(index))?.[0] : undefined
      if (octal !== undefined) {
        strict += `\\x${Number.parseInt(octal, 8).toString(16).padStart(2, '0')}`
        index += 2
      } else if (escapes.test(next) || syntax.test(next) || (next === '-' && isInClass)) strict += `\\${next}`
      else strict += next
    } else if (isInClass) {
      if (character === ']') isInClass = false
      // Next to a class such as `\w`, a hyphen is literal.
      const isLoose = character === '-' && (/\\[dDsSwW]$/.test(strict) || /^\\[dDsSwW]/.test(pattern.slice(index + 1)))
      strict += isLoose ? String.raw`\-` : character
    } else if (character === '[') {
      isInClass = true
      strict += character
    } else if (character === ']') strict += String.raw`\]`
    else if (character === '{' && !/^\{\d+(?:,\d*)?\}/.test(pattern.slice(index))) strict += String.raw`\{`
    else if (character === '}' && !/\{\d+(?:,\d*)?$/.test(strict)) strict += String.raw`\}`
    else strict += character
  }
  return strict
}
