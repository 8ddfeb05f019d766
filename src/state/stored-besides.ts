/** What a world keeps besides records. */
import type { FilePart } from '../media/fields.js'
import type { StoredAnswer } from './stored-answer.js'

export interface Besides {
  /** What was uploaded, by the server and path of its download. Null for a removed file. */
  files?: ReadonlyMap<string, FilePart | null>
  /** Answers for requests that are sent again, by their ids, the oldest first. */
  answers?: Map<string, StoredAnswer>
}
