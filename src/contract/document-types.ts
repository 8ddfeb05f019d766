/** Types of a document for TypeScript. They do not exist at run time. */

/** The types of a document. `export msw` writes them; `compileDocument` and others take them. */
export interface DocumentTypes {
  /** The records of each collection, by its name. */
  collections: { [name: string]: object }
  /** The ids of the operations. */
  operation: string
  /** Types of request bodies, by the id of the operation. Absent: unknown. */
  bodies?: { [operation: string]: unknown }
}

/** The types of an unknown document: records are objects with any properties. */
// biome-ignore lint/suspicious/noExplicitAny: typed and untyped sandboxes must be assignable to each other
export type AnyDocument = any

/** The names of the collections of a document. */
export type CollectionName<Types extends DocumentTypes> = keyof Types['collections'] & string

/** The type of the request body of an operation. */
export type BodyOf<Types extends DocumentTypes, Id extends string> =
  string extends CollectionName<Types>
    ? // biome-ignore lint/suspicious/noExplicitAny: the document is unknown
      any
    : Types extends { bodies: infer Bodies }
      ? Id extends keyof Bodies
        ? Bodies[Id]
        : unknown
      : unknown

/** The ids of the operations of a document. */
export type OperationId<Types extends DocumentTypes> =
  string extends CollectionName<Types> ? string : Types['operation']
