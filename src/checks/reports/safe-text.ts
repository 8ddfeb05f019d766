/**
 * Makes text from requests and responses safe for reports: no control of terminals, no line breaks, and no commands to
 * build servers, which read the output of a job.
 */

import { toJsonEscape, toSafeLine, unsafe } from '../../contract/safe-text.js'

/**
 * The first number sign of a command that is executed anywhere in a line: `##[` (GitHub Actions, Azure Pipelines),
 * `##vso[` (Azure Pipelines) and `##teamcity[`.
 */
export const commandSign: RegExp = /#(?=#\w*\[)/g

/**
 * Replaces each unsafe character by U+FFFD, including line breaks and signs of commands. The line may still begin with a
 * command of GitHub Actions: `::`.
 */
export function toLine(text: string): string {
  return toSafeLine(text).replace(commandSign, '\ufffd')
}

/** Compiled at the first use, which takes a millisecond: most output has no such line. */
const commandStart = /^[^\p{L}\p{N}\p{P}\p{S}]*::/u

/** Lines for a terminal or a log. None of them is a command to a build server. */
export function toLines(text: string): string {
  return (
    text
      .split('\n')
      .map((line) => toLine(line.replace(/\r$/, '').replaceAll('\t', '  ')))
      // GitHub Actions ignores what is not visible before `::`.
      .map((line) => (line.includes('::') && commandStart.test(line) ? `| ${line}` : line))
      .join('\n')
  )
}

/** A character as a reference of XML and HTML. */
export function toReference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

const shownLength = 300

/** A body in one line, cut after 300 characters. */
export function shortenBody(body: string): string {
  // Cut first, as a body may have a megabyte.
  const line = toLine(
    body
      .slice(0, 10 * shownLength)
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const characters = [...line]
  if (characters.length <= shownLength && body.length <= 10 * shownLength) return line
  return `${characters.slice(0, shownLength).join('')}…`
}

/** JSON that is safe on a terminal and in a log: also escapes what `JSON.stringify` does not. */
export function toJson(value: unknown): string {
  // Line breaks are layout; in strings they are already escaped. A number sign occurs only in strings.
  const text = JSON.stringify(value, null, 2).replace(unsafe, (found) => (found === '\n' ? found : toJsonEscape(found)))
  return `${text.replace(commandSign, toJsonEscape)}\n`
}
