/** What callbacks and webhooks are compiled with. */
import type { CollectionModel, Operation } from '../../contract/contract.js'
import type { Hook, HookUrl } from '../../contract/hook.js'
import { parseExpressionTemplate } from '../../contract/runtime-expression.js'
import type { DescribedOperation } from '../describe-operations.js'
import type { DocumentPath, Located, Schema } from '../document.js'
import type { OperationContext } from '../operations/compile-operation.js'

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

/** @returns undefined for a text that is no URL, which is noted */
export function readUrl({ notes }: Pick<HookContext, 'notes'>, text: string, at: DocumentPath): HookUrl | undefined {
  const parts = parseExpressionTemplate(text)
  if (!Array.isArray(parts)) {
    notes.add(at, `"${parts.wrong}" is no runtime expression such as {$request.body#/url}`, ignored)
    return undefined
  }
  const [first] = parts
  const other = typeof first === 'string' ? /^(?!https?:)[a-z][a-z\d+.-]*:/i.exec(first)?.[0] : undefined
  if (other === undefined) return { kind: 'template', text, parts }
  notes.add(at, `A request can only be sent to http and https (got "${other}")`, ignored)
  return undefined
}
