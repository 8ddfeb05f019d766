/** Changes of a world as plain data: they can be undone, sent, and applied elsewhere. */
import type { FilePart } from '../media/fields.js'
import type { KeptWebhook } from './kept-webhooks.js'
import type { StoredAnswer } from './stored-answers.js'
import type { Values } from './stored-record.js'

/** Each has the value before and after. Undefined if there was or is none. */
export type Change =
  | RecordChange
  | NextKeyChange
  | { kind: 'clock'; before: ClockState; after: ClockState }
  /** `path` is the server and the path of the download. A removed file is null. */
  | { kind: 'file'; path: string; before: FilePart | null | undefined; after: FilePart | null }
  | { kind: 'answer'; id: string; before: StoredAnswer | undefined; after: StoredAnswer | undefined }
  /** What overrides keep for themselves. */
  | { kind: 'own'; before: Values | undefined; after: Values | undefined }
  /** A callback or webhook is to be sent, or no longer. Only with a store. */
  | { kind: 'webhook'; id: string; before: KeptWebhook | undefined; after: KeptWebhook | undefined }
  /** Everything but the clock was replaced. Not copied, because a copy could be large. */
  | { kind: 'all'; before: object; after: object }

/** A record was added, replaced or removed. */
export interface RecordChange {
  kind: 'record'
  collection: string
  server: string
  /** See `StoredCollection`. */
  position: number
  before: Values | undefined
  after: Values | undefined
  /** The next key of the collection before the change. */
  nextKey: number
}

/** A key was skipped. */
export interface NextKeyChange {
  kind: 'nextKey'
  collection: string
  server: string
  before: number
  after: number
}

export interface ClockState {
  /** Milliseconds that the clock is ahead of its source. */
  offset: number
  /** The time of a frozen clock, in milliseconds since 1970. */
  frozenAt: number | undefined
}
