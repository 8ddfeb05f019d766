/** How an answer is sent as events. Places are names of properties; `*` is any item of a list. */
import type { Ensure } from '../effects/ensure.js'

export interface Stream {
  /** Whether items have the fields of an event: `data`, `event`, `id`, `retry`. */
  isEnvelope?: true
  /** The data of the last event of SSE, such as `[DONE]`. */
  end?: string
  /** For items of which no kind is known. */
  ensure: Ensure
  /** The list in the answer whose items are the events. Absent if there is none. */
  list?: string[]
  /** The text of the answer, in pieces. Absent if none is found. */
  text?: StreamedText
  /** The items where neither is known, as JSON. */
  samples: string
}

export interface StreamedText {
  /** The place of the text in the answer, and that of a piece of it in an event. */
  from: string[]
  to: string[]
  piece: StreamedEvent
  /** What the first and the last piece have in addition. The last one is empty. */
  first: Copy[]
  last: Copy[]
  /** The events before and after. The pieces are followed by no empty one if there are events after them. */
  before: StreamedEvent[]
  after: StreamedEvent[]
}

export interface StreamedEvent {
  ensure: Ensure
  /** Its name in SSE, where items have no fields of an event. */
  name?: string
  /** Values that it always has. */
  sets: [to: string[], value: unknown][]
  copies: Copy[]
  /** The number of the item of which list of `from` it has. */
  indexes: [to: string[], star: number][]
}

/** The place in an event, and that of its value in the answer. */
export type Copy = [to: string[], from: string[]]
