/** The further media types in which an operation answers. */
import type { Ensure } from '../effects/ensure.js'
import type { Stream } from './stream.js'

/**
 * A media type that an `Accept` header can ask for, and how its body is made: the same JSON, the value of that JSON as text
 * or XML, or a body from the document that does not depend on the state.
 */
export type Representation = { mediaType: string } & (
  | { from: 'json' }
  | { from: 'text' }
  /** Its records or its text as events. */
  | { from: 'stream'; stream: Stream }
  /** `element`: the number of the root element in the contract; `root`: its name, unless the schema names it. */
  | { from: 'xml'; element: number; root: string }
  | { from: 'example'; body?: string; base64?: string; ensure?: Ensure }
)

/** How values of a schema are written as XML (OpenAPI 3.1, section 4.8.26). Numbers are those of elements. */
export interface XmlElement {
  name?: string
  prefix?: string
  namespace?: string
  /** How a single value is written, if not as an element. */
  as?: 'attribute' | 'text'
  /** Whether a list has an element around its items. */
  wrapped?: true
  properties?: [name: string, element: number][]
  items?: number
}
