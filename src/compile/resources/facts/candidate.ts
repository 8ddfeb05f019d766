/** What the rules of effects work on. */
import type { EffectKind } from '../../../contract/effects/effect.js'
import type { DescribedOperation } from '../../describe-operations.js'
import type { Located, Schema } from '../../document.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import type { PathNode } from '../paths/path-tree.js'
import type { Resource } from '../paths/resource.js'
import type { Decision } from './decide.js'

/** An operation with its possible effect and collection. */
export interface Candidate {
  operation: DescribedOperation
  kind: EffectKind
  success: DescribedSuccess | undefined
  /** The documented path of the collection, or of a record that exists once. */
  path: string
  /** Where the operation stands in the tree of paths. */
  node: PathNode
  resource: Resource | undefined
  /** The path parameter that has the key. Undefined if there is none. */
  parameter: string | undefined
  /** Where the parameter is, if not in the path. */
  keyIn?: 'query' | 'body'
  /** Schema of one record in the success response of this operation. */
  record: Located<Schema> | undefined
  /** What leads to the list or the record in the body of the success. */
  pointer: string[]
  /** Whether the list is an object with the records by their keys. */
  isMap: boolean
  /** The type of the items of a list that has only the keys of records. */
  keys?: 'string' | 'integer'
  /** The key property of the record, if `x-sandbox-effect` chose one. */
  key?: string
  /** Whether `x-sandbox-effect` chose the effect. */
  isChosen: boolean
  /** What was decided, before corrections and what is not possible. */
  decision: Decision
}
