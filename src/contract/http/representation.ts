/** The further media types in which an operation answers. */
import type { Ensure } from '../effects/ensure.js'

/**
 * A media type that an `Accept` header can ask for, and how its body is made: as the same JSON, as the value of that JSON
 * in text or XML, or from the document, whatever the state is.
 */
export type Representation = { mediaType: string } & (
  | { from: 'json' }
  | { from: 'text' }
  /** `element`: the number of the root among the elements of the contract; `root`: its name, unless the schema has one. */
  | { from: 'xml'; element: number; root: string }
  | { from: 'example'; body?: string; base64?: string; ensure?: Ensure }
)

/** How values of a schema are written as XML (OpenAPI 3.1, section 4.8.26). Numbers are those of elements. */
export interface XmlElement {
  name?: string
  prefix?: string
  namespace?: string
  /** What a single value is written as, if that is no element. */
  as?: 'attribute' | 'text'
  /** Whether a list has an element around its items. */
  wrapped?: true
  properties?: [name: string, element: number][]
  items?: number
}
