/** A collection of which rules say more. */
import type { CollectionLines } from '../behaviour/members.js'
import type { CollectionModel } from '../contract/contract.js'
import type { Located, Schema } from '../document/document.js'
import type { Candidate } from './facts/candidate.js'
import type { KeyMaking } from './facts/find-key-making.js'
import type { Resource } from './paths/resource.js'

export interface KnownCollection {
  path: string
  resource: Resource | undefined
  /** The schema that best describes a record. */
  record: Located<Schema>
  /** The operations on its records. */
  members: Candidate[]
  /** Its name and its key. */
  model: Pick<CollectionModel, 'name' | 'key' | 'keyKind'>
  /** How its keys are made, by their properties. */
  makings: Map<string, KeyMaking>
  /** What is said of its records. */
  lines: CollectionLines
}
