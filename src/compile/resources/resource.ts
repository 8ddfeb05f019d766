/** The model of what a document is about: collections of records, and records that exist once. */
import type { Located, Schema } from '../document.js'
import type { PathNode } from './path-tree.js'

/** A collection, or a singleton: a record that exists once, or once for each of its parents. */
export interface Resource {
  kind: 'collection' | 'singleton'
  /** The path template of the collection, or of the singleton. */
  home: string
  node: PathNode
  /** The node of one record. */
  item: PathNode | undefined
  /** The last segment of its path. */
  name: string
  /** The record that it belongs to. */
  parent: Resource | undefined
  /** The schema that describes a record best. */
  record: Located<Schema> | undefined
  /** The property that holds the key. Undefined if only the path knows it. */
  key: string | undefined
  /** Why this is the key, and whether that is certain. */
  keyReason: string
  isKeyCertain: boolean
  /** Whether an operation selects a record by its key: in the path, or for a procedure in its query or body. */
  isKeyed: boolean
}
