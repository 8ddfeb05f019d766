/** A collection of which rules say more. */

import type { CollectionLines } from '../behaviour/members.js'
import type { KeyMaking } from '../behaviour/model.js'
import type { CollectionModel } from '../contract/contract.js'
import type { Located, Schema } from '../document/document.js'
import type { Candidate } from './facts/candidate.js'
import type { Resource } from './paths/resource.js'

/** @typeParam Member an operation, of which later stages know more */
export interface KnownCollection<Member extends Candidate = Candidate> {
  path: string
  resource: Resource | undefined
  /** The schema that best describes a record. */
  record: Located<Schema>
  /** The operations on its records. */
  members: Member[]
  /** Its name and its key. */
  model: Pick<CollectionModel, 'name' | 'key' | 'keyKind'>
  /** How its keys are made, by their properties. */
  makings: Map<string, KeyMaking>
  /** What is said of its records. */
  lines: CollectionLines
}
