/** The files of a world: what was uploaded. */
import type { FilePart } from '../media/fields.js'

/** Files by the server and path of their download. Null for a removed one. */
export type StoredFiles = ReadonlyMap<string, FilePart | null>
