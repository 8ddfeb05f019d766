/**
 * What is known of the operations and the collections of a document, as plain data: where paths and bodies have their records,
 * and lines that say the rest. Effects are compiled from it and from the contract, and nothing interprets a name again.
 */
import type { CollectionModel } from '../contract/contract.js'
import type { ChangeAccess, EffectKind } from '../contract/effects/effect.js'
import type { CollectionLines, OperationLines } from './members.js'

/** State that is kept besides one record. */
export type KeptState = 'none' | 'record' | 'file' | 'bulk-create' | 'bulk-replace' | 'bulk-remove'

/** A step of a path. */
export interface Step {
  /** The same number for all paths with the step. */
  node: number
  /** The path up to it. */
  template: string
  /** Its own parameter. */
  parameter?: string | undefined
  /** The path of the collection whose record the parameter selects. */
  owner?: string
}

/** What a line is about that relates records with those of a parameter: the parameter, and the path below it. */
export function relationIn(steps: readonly Pick<Step, 'template' | 'parameter'>[], index: number): string {
  const { parameter } = steps[index] ?? {}
  return `${parameter} in ${(steps[index + 1] ?? steps[index])?.template}`
}

/** Why an operation has its effect, and what is guessed of it where that is not possible. */
export interface Decided {
  effect: EffectKind
  state: KeptState
  /** The rule that decided. Absent if none did. */
  rule?: string | undefined
  /** A clause without a full stop. */
  reason: string
  sure: 'high' | 'medium' | 'low'
  /** The path of the collection, and the property with the key. */
  collection?: string | undefined
  key?: string | undefined
  /** Where the answer has the record or the list. */
  shown?: string[] | undefined
}

/** A list in an answer. @typeParam Place a schema, and where it is */
export interface ShownListing<Place> {
  pointer: string[]
  schema: Place
  /** The schema of one item. */
  item: Place
  isMap: boolean
  hasRecords: boolean
}

/** An operation. @typeParam Described the operation as the document has it, with its parameters and bodies */
export interface OperationModel<Described, Place> {
  operation: Described
  kind: EffectKind
  /** The documented path of the collection, or of a record that exists once. */
  path: string
  steps: readonly Step[]
  isSingleton: boolean
  /** The parameter with the key. Undefined if there is none. */
  parameter: string | undefined
  /** The place of the parameter, if not in the path. */
  keyIn?: 'query' | 'body' | 'header' | undefined
  /** Schema of one record in the success response of this operation. */
  record: Place | undefined
  /** The names that lead to the list or the record in the success body. */
  pointer: string[]
  /** Whether the list is an object with the records by their keys. */
  isMap: boolean
  /** The type of the items of a list that contains only keys of records. */
  keys?: 'string' | 'integer' | undefined
  /** Whether `x-sandbox-effect` chose the effect. */
  isChosen: boolean
  /** Whether its path is below that of the record that it shows or changes. */
  isBelow?: true
  /** Whether only requests say what its records have. */
  isBlank?: true
  /** Whether an operation selects a record of its collection by its key. */
  isKeyed: boolean
  /** Whether it answers with a file that belongs to the record in its path. */
  isFileOfRecord: boolean
  /** The names that lead to the record in the request, if a line says them. */
  requestAt?: string[] | undefined
  /** The property of the record that the body is about. */
  at?: ChangeAccess['at']
  /** Whether it adds what is sent to a list of the record. */
  isAdding: boolean
  /** The property of each item of the list that has the record. */
  wrapper: string | undefined
  /** The list in the answer. */
  list: ShownListing<Place> | undefined
  /** The schema of one record in the answer, before corrections. */
  answered: Place | undefined
  lines: OperationLines
  decided: Decided
}

/** How keys are made: all numbers or texts, or only those that a schema allows. */
export interface KeyMaking {
  keyKind: CollectionModel['keyKind']
  schema?: unknown
}

/** A collection. @typeParam Member an operation on its records */
export interface KnownRecords<Member, Place> {
  path: string
  /** The steps of its path. Undefined if no path has its records. */
  home: readonly Step[] | undefined
  isSingleton: boolean
  /** The schema that best describes a record. */
  record: Place
  members: Member[]
  /** Its name and its key. */
  model: Pick<CollectionModel, 'name' | 'key' | 'keyKind'>
  /** How its keys are made, by their properties. */
  makings: ReadonlyMap<string, KeyMaking>
  lines: CollectionLines
}
