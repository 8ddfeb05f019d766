/** A use of a contract by a consumer, as plain data. */

/** Something that a consumer uses. */
export interface Use {
  /** Method and documented path. */
  operation: string
  part: 'operation' | 'parameter' | 'type' | 'body' | 'credentials' | 'response' | 'returned'
  /** The parameter with its place, the path of a property, or the status; of `returned`, status and path. */
  at: string
  /** The class of the value (`absent`, `null`, `=available`, `other` …), the media type or the kind of credentials. */
  kind: string
}

/** Identifies a use. No part contains a tab. */
export function keyOf({ operation, part, at, kind }: Use): string {
  return [operation, part, at, kind].join('\t')
}
