/**
 * Hints make generated data more believable. They are JSON by collection and property:
 *
 *     { "<collection>": { "<property>": { "minimum": 1, "maximum": 8 } } }
 *
 * - Keywords of JSON Schema override those of the property. A value that an `enum` repeats is generated more often.
 * - `faker` is a Faker method that makes the value, `"person.fullName"`, or a method with its arguments,
 *   `{ "commerce.price": [{ "max": 90 }] }`.
 * - `absent` is the share of records without the property, from 0 to 1. The property must not be required.
 */
import type { SchemaObject } from '../document/document.js'

/** Hints by collection and property. */
export interface Hints {
  readonly [collection: string]: { readonly [property: string]: Hint }
}

/** How to generate the values of one property. Its keywords of JSON Schema override those of the document. */
export interface Hint extends SchemaObject {
  /** A Faker method, or an object of one method with its arguments. @default a value by the keywords */
  faker?: string | { [method: string]: unknown[] }
  /** Share of records without the property, 0 to 1. @default 0.2 for an optional property */
  absent?: number
}

/** The default number of records of a collection. */
export const usualRecords = 20
