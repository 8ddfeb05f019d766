/** What the rules of effects work on. */
import type { EffectKind } from '../../contract/effect.js'
import type { DescribedSuccess } from '../compile-success.js'
import type { DescribedOperation } from '../describe-operations.js'
import type { Located, Schema } from '../document.js'

/** An operation with its possible effect and collection. */
export interface Candidate {
  operation: DescribedOperation
  kind: EffectKind
  success: DescribedSuccess | undefined
  /** Path of the collection, without the key. */
  path: string
  parameter: string | undefined
  /** Schema of one record in the success response of this operation. */
  record: Located<Schema> | undefined
  /** The property of the success that contains the list, if `x-sandbox-effect` chose one. */
  list?: string
  /** The key property of the record, if `x-sandbox-effect` chose one. */
  key?: string
  /** Whether `x-sandbox-effect` chose the effect. */
  isChosen: boolean
}
