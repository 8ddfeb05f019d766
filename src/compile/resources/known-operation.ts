/** The operations and the collections that effects are compiled of. */
import type { ServiceSaid } from '../../behaviour/members.js'
import type { KnownRecords, OperationModel } from '../../behaviour/model.js'
import type { Located, Schema } from '../../document/document.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import type { DescribedSuccess } from '../operations/compile-success.js'

/** An operation, in the order of the document. */
export type KnownOperation = OperationModel<DescribedOperation, Located<Schema>>

/** An operation with what it answers. */
export interface CompiledCandidate extends KnownOperation {
  success: DescribedSuccess | undefined
}

export type KnownCollection<Member = KnownOperation> = KnownRecords<Member, Located<Schema>>

/** What is said of the operations and the collections of a document. */
export interface Behaviour {
  service: ServiceSaid
  operations: readonly KnownOperation[]
  collections: readonly KnownCollection[]
}

/** Whether it is about a record that exists once. */
export function isSingle({ isSingleton, isChosen, kind }: KnownOperation): boolean {
  return isSingleton && !(isChosen && (kind === 'list' || kind === 'create'))
}
