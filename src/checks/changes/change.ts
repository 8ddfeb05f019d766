/** What is compared of two versions of a document, and what a comparison finds. */
import type { Contract, Operation } from '../../contract/contract.js'
import type { DocumentPath, Located, OpenApiDocument, Schema } from '../../document/document.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import type { Finding, FoundByRule, RuleFamily } from '../finding.js'
import type { AnswerUse, OperationUse } from './operation-use.js'
import type { ToSign, Uncompared } from './same-schemas.js'
import type { SchemaPart, SchemaView } from './schema-view.js'

/** A version of a document that was compiled. */
export interface Version {
  contract: Contract
  /** As OpenAPI 3.1. */
  document: OpenApiDocument
}

/**
 * Whether a change is about what the consumer does. `yours`: it sends this, or people wrote that it reads it. `maybe`: only the
 * service sends it, or the lock cannot say.
 */
export type Impact = NonNullable<Finding['impact']>

export interface Change extends FoundByRule {
  /** @default unused, if there is a lock */
  impact?: Impact
  /** Where it is in the next version, or, of what is gone, in the old one. @default the operation */
  place?: { of: 'old' | 'next'; path: DocumentPath }
}

export interface VersionOperation extends DescribedOperation {
  operation: Operation
  version: Version
  viewOf(schema: Located<Schema>): SchemaPart
}

/** An operation that both versions have. */
export interface OperationPair {
  old: VersionOperation
  next: VersionOperation
  /** Undefined without a lock. */
  use: OperationUse | undefined
  /** Operations that end before this time are as good as gone, in milliseconds since 1970. Undefined: none. */
  sunsetBefore: number | undefined
  comparison: Comparison
  /** Whether the consumer calls another operation of the old version. */
  isCalled(operation: Operation): boolean
  /** What the consumer uses of the answer, and its successor in the next version does not have. */
  lostProperties(): readonly string[]
}

/** Rules about the operations that both versions have. */
export type ChangeFamily = RuleFamily<OperationPair, Change>

/** What two documents have in common, and how many pairs of values are still compared. */
export interface Comparison {
  toSign: ToSign
  left: number
}

export interface ValuePair {
  at: string
  old: SchemaView
  next: SchemaView
  nextPath: DocumentPath
  /** Whether both versions require it. */
  isRequired?: boolean
  /** What differs there and was not compared: keywords, or the rest of a body. */
  uncompared: readonly Uncompared[]
}

export interface SentPair extends ValuePair {
  /** Whether it is written as text. */
  isText: boolean
  /** The classes that were sent of the value, or of a property of it. */
  classes(name?: string): ReadonlySet<string>
}

export interface AnsweredPair extends ValuePair {
  use(name?: string): AnswerUse
}

/** The place of a property below a place: `body a` below `body`, `body a.b` below that. */
export function below(at: string, name: string): string {
  return `${at}${/ /.test(at.replace(/^response /, '')) ? '.' : ' '}${name || '""'}`
}
