/** What operations do for HTTP in addition to their effect: where the document or an option asks for it. */
import type { BulkUse, FileUse, LinkUse } from '../effects/effect.js'

/** Headers that an operation reads and writes around its effect. */
export interface HttpSemantics {
  kind: 'http'
  /** What it does with files or many records. */
  extras?: FileUse | BulkUse | LinkUse
  /** Absent if it knows no versions. */
  versions?: VersionUse
  /** The header with the key of a request, in lower case. Absent if a request that is sent again is a new one. */
  idempotencyKey?: string
  /** Where a created record is found. */
  location?: RecordLocation
}

/** Entity tags, and the conditions of requests (RFC 9110, sections 8.8 and 13). */
export interface VersionUse {
  /** The property of a record that shows its entity tag. */
  tag?: string
  /** The property of a record with the time of its last change. */
  modified?: string
  /** Whether a change without a condition is refused (RFC 6585, section 3). */
  isRequired?: true
}

/** The property of a record that shows its version as an entity tag. */
export interface ShownTag {
  property: string
  form: TagForm
}

/** How the property writes a tag: in quotes, as 16 or 32 hexadecimal digits, or as a UUID. */
export type TagForm = 'quoted' | 'plain' | 'long' | 'uuid'

/** The address of a new record, for `Location` (RFC 9110, section 10.2.2). */
export interface RecordLocation {
  /** The name of the header as it is documented. */
  header: string
  /** The path of a record, if it is not that of the request. */
  item?: ItemPath
  /** Whether it has the host, as the format `uri` demands. */
  isAbsolute?: true
}

export interface ItemPath {
  /** As it is documented: `/xs/{id}` */
  path: string
  /** The parameter that has the key. */
  parameter: string
  /** The other parameters, with those of the request that have the same values. */
  others: [own: string, ofRequest: string][]
}
