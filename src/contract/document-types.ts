/** What TypeScript knows about a document. Nothing of it exists at run time. */

/** The types of a document. `export msw` writes them for any document; `compileDocument` and others take them. */
export interface DocumentTypes {
  /** The records of each collection, by its name. */
  collections: { [name: string]: object }
  /** The ids of the operations. */
  operation: string
  /** What requests send, by the id of the operation. Absent: nothing is known. */
  bodies?: { [operation: string]: unknown }
}

/** The types of a document of which nothing is known: records are objects with anything. */
// biome-ignore lint/suspicious/noExplicitAny: a sandbox of any document has to be a sandbox, and the other way round
export type AnyDocument = any

/** The names of the collections of a document. */
export type CollectionName<Types extends DocumentTypes> = keyof Types['collections'] & string

/** What requests of an operation send. */
export type BodyOf<Types extends DocumentTypes, Id extends string> =
  string extends CollectionName<Types>
    ? // biome-ignore lint/suspicious/noExplicitAny: nothing is known of the document
      any
    : Types extends { bodies: infer Bodies }
      ? Id extends keyof Bodies
        ? Bodies[Id]
        : unknown
      : unknown

/** The ids of the operations of a document. */
export type OperationId<Types extends DocumentTypes> =
  string extends CollectionName<Types> ? string : Types['operation']
