/**
 * Hints: what makes generated data believable where the document alone does not. By collection and property, as JSON:
 *
 *     { "<collection>": { "<property>": { "minimum": 1, "maximum": 8 } } }
 *
 * - Keywords of JSON Schema are laid over those of the property. A value that is given twice in an `enum` comes twice
 *   as often.
 * - `faker` names a method of Faker whose result is taken, `"person.fullName"`, or that method with its arguments,
 *   `{ "commerce.price": [{ "max": 90 }] }`.
 * - `absent` is the share of the records that lack the property, from 0 to 1. It must not be a required one.
 */
import type { SchemaObject } from '../compile/document.js'

export interface Hints {
  readonly [collection: string]: { readonly [property: string]: Hint }
}

export interface Hint extends SchemaObject {
  /** A method of Faker, or one with its arguments. @default what the keywords say */
  faker?: string | { [method: string]: unknown[] }
  /** Share of the records without the property, 0 to 1. @default 0.2 for one that is not required */
  absent?: number
}
