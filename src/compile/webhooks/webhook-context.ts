/** Shared by the compilers of callbacks and webhooks: their context, URLs and times. */

import type { CollectionModel, Operation } from '../../contract/contract.js'
import { parseExpressionTemplate } from '../../contract/runtime-expression.js'
import type { Webhook, WebhookUrl } from '../../contract/webhook.js'
import type { DocumentPath, Located, Schema } from '../../document/document.js'
import type { Notes } from '../../document/notes.js'
import { quoteValue } from '../../document/quote-value.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import type { OperationContext } from '../operations/compile-operation.js'

export interface WebhookContext extends OperationContext {
  /** The operations of the document, in its order. */
  described: readonly DescribedOperation[]
  /** The compiled operations, in the same order. */
  operations: readonly Operation[]
  collections: readonly CollectionModel[]
  /** The schema of the records of each collection, by its name. */
  records: ReadonlyMap<string, Located<Schema>>
}

/** The names that identify the event: the webhook, and the operations that it follows. */
export type NamedEvent = Pick<Webhook, 'name' | 'on'>

/** The consequence of a wrong part. */
export const ignored = 'it is not sent'

/** @returns undefined for an invalid URL, which is noted */
export function readUrl(
  { notes }: Pick<WebhookContext, 'notes'>,
  text: string,
  at: DocumentPath,
): WebhookUrl | undefined {
  const parts = parseExpressionTemplate(text)
  if (!Array.isArray(parts)) {
    notes.add(at, `"${parts.wrong}" is not a runtime expression such as {$request.body#/url}`, ignored)
    return undefined
  }
  const [first] = parts
  const other = typeof first === 'string' ? /^(?!https?:)[a-z][a-z\d+.-]*:/i.exec(first)?.[0] : undefined
  if (other === undefined) return { kind: 'template', text, parts }
  notes.add(at, `A request can only be sent to http and https (got "${other}")`, ignored)
  return undefined
}

/** Milliseconds of a year. */
const maxDelayMs = 366 * 86_400_000
const maxRetries = 10
/** Milliseconds before each further attempt. */
const usualRetries = [1_000, 10_000, 60_000]

const isDelay = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= maxDelayMs

/** @returns undefined if there is no delay, or an invalid one, which is noted */
export function readDelay(notes: Notes, value: unknown, at: DocumentPath): number | undefined {
  if (value === undefined || isDelay(value)) return value
  notes.add(at, `${String(at.at(-1))} must be milliseconds, at most a year (got ${quoteValue(value)})`, 'it is ignored')
  return undefined
}

/**
 * @param value the number of further attempts, or the milliseconds before each
 * @returns the milliseconds before each attempt; undefined for none, or invalid ones, which are noted
 */
export function readRetries(notes: Notes, value: unknown, at: DocumentPath): number[] | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.length <= maxRetries && value.every(isDelay)) return value
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxRetries) {
    return Array.from(
      { length: Number(value) },
      (_, index) => usualRetries[Math.min(index, usualRetries.length - 1)] ?? 0,
    )
  }
  const name = String(at.at(-1))
  const must = `a number up to ${maxRetries}, or the milliseconds before each of them`
  notes.add(at, `${name} must be ${must} (got ${quoteValue(value)})`, 'the usual retries are made')
  return undefined
}
