/** What operations do for HTTP in addition to their effect: where the document or an option asks for it. */
import type { EffectUse, FileUse } from '../effects/effect.js'

/** Headers that an operation reads and writes around its effect. */
export interface HttpSemantics {
  kind: 'http'
  /** What it does with files or many records. */
  extras?: FileUse | EffectUse
  /** Absent if it knows no versions. */
  versions?: VersionUse
  /** The header with the idempotency key, in lower case. Absent if a repeated request counts as a new one. */
  idempotencyKey?: string
  /** The property of the body with the idempotency key. The header counts if both are sent. */
  idempotencyProperty?: string
  /** The address of a created record. */
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
  /** The documented name of the header. */
  header: string
  /** The path of a record, if it is not that of the request. */
  item?: ItemPath
  /** Whether it includes the host, as the format `uri` requires. */
  isAbsolute?: true
}

export interface ItemPath {
  /** The documented path: `/xs/{id}` */
  path: string
  /** The parameter with the key. */
  parameter: string
  /** The other parameters, with those of the request that have the same values. Without one, the record has the value. */
  others: [own: string, ofRequest: string][]
}
