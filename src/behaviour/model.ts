/**
 * What is known of the operations and the collections of a document, as plain data: where paths and bodies have their records,
 * and lines that say the rest. Effects are compiled from it and from the contract, and nothing interprets a name again.
 */
import type { CollectionModel } from '../contract/contract.js'
import type { ChangeAccess, EffectKind } from '../contract/effects/effect.js'
import type { CollectionSaid, OperationSaid } from './members.js'

/** State that is kept besides one record. */
export type KeptState = 'none' | 'record' | 'file' | 'bulk-create' | 'bulk-replace' | 'bulk-remove'

/** A step of a path. */
export interface Step {
  /** The same number for all paths with the step. */
  readonly node: number
  /** The path up to it. */
  readonly template: string
  /** Its own parameter. */
  readonly parameter?: string | undefined
  /** The path of the collection whose record the parameter selects. */
  readonly owner?: string
}

/** What a line is about that relates records with those of a parameter: the parameter, and the path below it. */
export function relationIn(steps: readonly Pick<Step, 'template' | 'parameter'>[], index: number): string {
  const { parameter } = steps[index] ?? {}
  return `${parameter} in ${(steps[index + 1] ?? steps[index])?.template}`
}

/** Why an operation has its effect, and what is guessed of it where that is not possible. */
export interface Decided {
  readonly effect: EffectKind
  readonly state: KeptState
  /** The rule that decided. Absent if none did. */
  readonly rule?: string | undefined
  /** The share of labels for which the rule is right, by how sure it is. Absent if there are none. */
  readonly right?: Readonly<Partial<Record<Decided['sure'] | 'backed', number>>> | undefined
  /** A clause without a full stop. */
  readonly reason: string
  readonly sure: 'high' | 'medium' | 'low'
  /** The path of the collection, and the property with the key. */
  readonly collection?: string | undefined
  readonly key?: string | undefined
  /** Where the answer has the record or the list. */
  readonly shown?: readonly string[] | undefined
}

/** A list in an answer. @typeParam Place a schema, and where it is */
export interface ShownListing<Place> {
  readonly pointer: readonly string[]
  readonly schema: Place
  /** The schema of one item. */
  readonly item: Place
  readonly isMap: boolean
  readonly hasRecords: boolean
}

/** An operation. @typeParam Described the operation as the document has it, with its parameters and bodies */
export interface OperationModel<Described, Place> {
  readonly operation: Described
  readonly kind: EffectKind
  /** The documented path of the collection, or of a record that exists once. */
  readonly path: string
  readonly steps: readonly Step[]
  readonly isSingleton: boolean
  /** The parameter with the key. Undefined if there is none. */
  readonly parameter: string | undefined
  /** The place of the parameter, if not in the path. */
  readonly keyIn?: 'query' | 'body' | 'header' | undefined
  /** Schema of one record in the success response of this operation. */
  readonly record: Place | undefined
  /** The names that lead to the list or the record in the success body. */
  readonly pointer: readonly string[]
  /** Whether the list is an object with the records by their keys. */
  readonly isMap: boolean
  /** The type of the items of a list that contains only keys of records. */
  readonly keys?: 'string' | 'integer' | undefined
  /** Whether `x-sandbox-effect` chose the effect. */
  readonly isChosen: boolean
  /** Whether its path is below that of the record that it shows or changes. */
  readonly isBelow?: true
  /** Whether only requests say what its records have. */
  readonly isBlank?: true
  /** Whether an operation selects a record of its collection by its key. */
  readonly isKeyed: boolean
  /** Whether it answers with a file that belongs to the record in its path. */
  readonly isFileOfRecord: boolean
  /** The names that lead to the record in the request, if a line says them. */
  readonly requestAt?: readonly string[] | undefined
  /** The property of the record that the body is about. */
  readonly at?: ChangeAccess['at']
  /** Whether it adds what is sent to a list of the record. */
  readonly isAdding: boolean
  /** The property of each item of the list that has the record. */
  readonly wrapper: string | undefined
  /** The list in the answer. */
  readonly list: ShownListing<Place> | undefined
  /** The schema of one record in the answer, before corrections. */
  readonly answered: Place | undefined
  readonly lines: OperationSaid
  readonly decided: Decided
}

/** How keys are made: all numbers or texts, or only those that a schema allows. */
export interface KeyMaking {
  readonly keyKind: CollectionModel['keyKind']
  readonly schema?: unknown
}

/** A collection. @typeParam Member an operation on its records */
export interface KnownRecords<Member, Place> {
  readonly path: string
  /** The steps of its path. Undefined if no path has its records. */
  readonly home: readonly Step[] | undefined
  readonly isSingleton: boolean
  /** The schema that best describes a record. */
  readonly record: Place
  readonly members: readonly Member[]
  /** Its name and its key. */
  readonly model: Pick<CollectionModel, 'name' | 'key' | 'keyKind'>
  /** How its keys are made, by their properties. */
  readonly makings: ReadonlyMap<string, KeyMaking>
  readonly lines: CollectionSaid
}
