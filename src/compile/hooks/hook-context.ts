/** What callbacks and webhooks are compiled with. */
import type { CollectionModel, Operation } from '../../contract/contract.js'
import type { Hook } from '../../contract/hook.js'
import type { OperationContext } from '../compile-operation.js'
import type { DescribedOperation } from '../describe-operations.js'
import type { Located, Schema } from '../document.js'

export interface HookContext extends OperationContext {
  /** The operations of the document, in its order. */
  described: readonly DescribedOperation[]
  /** The compiled ones, in the same order. */
  operations: readonly Operation[]
  collections: readonly CollectionModel[]
  /** The schema of the records of each collection, by its name. */
  records: ReadonlyMap<string, Located<Schema>>
}

/** What names the event: the hook, and the operations that it follows. */
export type NamedEvent = Pick<Hook, 'name' | 'on'>

/** What is done instead, where a part is wrong. */
export const ignored = 'it is not sent'
