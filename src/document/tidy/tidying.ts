/** What the steps share that tidy a document. */
import type { DocumentPath, Located, OpenApiDocument, OpenApiVersion, Schema, SchemaObject } from '../document.js'
import type { MissingReference } from '../link-sources.js'
import type { Notes } from '../notes.js'
import { namePart } from '../quote-value.js'
import type { ObjectKind } from './object-kinds.js'

/** Any object or array of a document. It is modified. */
export type Holder = Record<string | number, unknown>

/** A `$ref` with the member that holds it. */
export interface FoundReference {
  holder: Holder
  key: string | number
  kind: ObjectKind
  path: DocumentPath
}

/** A literal value in an object of the document, with its schema if it is known. */
export type Literal = [holder: object, key: string, path: DocumentPath, schema: Located<Schema> | undefined]

export interface Tidying {
  /** Is modified. */
  document: OpenApiDocument
  /** The version of a part of the document: each file may have another one. */
  versionOf(path: DocumentPath): OpenApiVersion
  /** References without a target, by their replacement. */
  missing: ReadonlyMap<string, MissingReference>
  notes: Notes
  visited: Map<object, ObjectKind>
  references: FoundReference[]
  schemas: Map<SchemaObject, DocumentPath>
  literals: Literal[]
  /** Lists with holes, which are closed at the end, so that indices match the text until then. */
  lists: Set<unknown[]>
  isNullNoted: boolean
}

export function remove(tidying: Tidying, holder: Holder, key: string | number): void {
  delete holder[key]
  if (Array.isArray(holder)) tidying.lists.add(holder)
}

/** @param whole the part that is left out, if it is more than the wrong part */
export function leaveOut(
  tidying: Tidying,
  holder: Holder,
  key: string | number,
  path: DocumentPath,
  why: string,
  whole: DocumentPath = path,
): void {
  remove(tidying, holder, key)
  tidying.notes.add(
    path,
    `${namePart(path)} ${why}`,
    whole === path ? 'it is ignored' : `${namePart(whole)} is ignored`,
  )
}
