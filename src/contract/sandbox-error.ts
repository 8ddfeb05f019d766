/** The error for programmers: wrong options, unreadable documents, invalid data. */

/** The kind of a `SandboxError`. */
export type SandboxErrorCode =
  | 'INVALID_OPTION'
  | 'UNREADABLE_FILE'
  | 'INVALID_DOCUMENT'
  | 'INVALID_SCENARIO'
  | 'PORT_IN_USE'
  | 'CANNOT_LISTEN'
  | 'CANNOT_REACH'
  | 'DUPLICATE_KEY'
  | 'INVALID_RECORD'
  | 'STORE_UNAVAILABLE'
  | 'TIMED_OUT'
  | 'NO_ROOM'
  | 'VIOLATED_CONTRACT'

/**
 * A wrong option, an unreadable document or invalid data. The message says what failed and why, quotes the value, and
 * says what to do instead. For a document, `location` has the file, line and column with a code frame.
 *
 * @example
 * try {
 *   createSandbox({ scenario: 'missing' })
 * } catch (error) {
 *   if (error instanceof SandboxError && error.code === 'INVALID_OPTION') console.error(error.message)
 * }
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  declare readonly code: SandboxErrorCode
  /** Place in a document. Undefined if the error is not about a document. */
  declare readonly location: SourceLocation | undefined

  constructor(code: SandboxErrorCode, message: string, location?: SourceLocation) {
    super(message)
    this.code = code
    this.location = location
  }
}

/** A place in a document. */
export interface SourceLocation {
  /** Name of the file, as it was given. */
  file: string
  /** From 1. */
  line: number
  /** From 1. */
  column: number
  /** The lines around the place, with a `^` under it. */
  frame: string
}

/** The message of an error, with the file, the place and the code frame if it has a location. */
export function withPlace({ location, message }: SandboxError): string {
  if (!location) return message
  const { file, line, column, frame } = location
  return `${file}:${line}:${column}: ${message}\n\n${frame}`
}

/** An option names something that does not exist. */
export function unknownName(kind: string, name: string, known: readonly string[]): SandboxError {
  return new SandboxError('INVALID_OPTION', `Unknown ${kind} "${name}"; available: ${known.join(', ') || 'none'}`)
}
