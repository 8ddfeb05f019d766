/** A record: its values, and the JSON text of the shape in which it was sent last. */
import type { Shape } from '../json/shape.js'
import { writeByShape } from '../json/write-by-shape.js'

/** The values of a record by property. Integers beyond ±(2^53−1) are bigints. */
export type Values = { readonly [property: string]: unknown }

/** A key as it is looked up: a number where that is exact, else a bigint; or a string. */
export type Key = number | bigint | string

export class StoredRecord {
  readonly values: Values
  #shape: number | undefined
  #text = ''

  constructor(values: Values) {
    this.values = values
  }

  /** JSON text, written once for a shape, as long as no other one is asked for. */
  text(shapes: Shape[], shape: number): string {
    if (shape !== this.#shape) {
      this.#text = writeByShape(this.values, shapes, shape)
      this.#shape = shape
    }
    return this.#text
  }
}
