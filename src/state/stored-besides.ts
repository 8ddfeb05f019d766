/** What a world keeps besides records. */
import type { FilePart } from '../media/fields.js'
import type { StoredAnswers } from './stored-answers.js'

export interface Besides {
  /** What was uploaded, by the server and path of its download. Null for a removed file. */
  files?: ReadonlyMap<string, FilePart | null>
  /** For requests that are sent again. Changed in place. */
  answers?: StoredAnswers
}
