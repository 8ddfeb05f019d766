/** The error for the programmer: wrong options, unreadable documents, impossible data. */

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

/**
 * Says what failed, with the value quoted, why, and what to do instead.
 * For a document also where: file, line and column, with a code frame.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly code: SandboxErrorCode
  /** Place in a document, lines and columns from 1. */
  readonly location: SourceLocation | undefined

  constructor(code: SandboxErrorCode, message: string, location?: SourceLocation) {
    super(message)
    this.code = code
    this.location = location
  }
}

export interface SourceLocation {
  file: string
  line: number
  column: number
  /** The lines around the place, with a mark under it. */
  frame: string
}

/** For a name that is none of those there are. */
export function unknownName(kind: string, name: string, known: readonly string[]): SandboxError {
  return new SandboxError('INVALID_OPTION', `There is no ${kind} "${name}"; there is ${known.join(', ') || 'none'}`)
}
