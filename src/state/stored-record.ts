/** A record: its values, and the JSON text of each shape in which it was sent. */
import type { Shape } from '../contract/contract.js'
import { writeByShape } from '../contract/exact-json.js'

/** The values of a record by property. Integers beyond ±(2^53−1) are bigints. */
export type Values = { readonly [property: string]: unknown }

/** A key as it is looked up: a number where that is exact, else a bigint; or a string. */
export type Key = number | bigint | string

export class StoredRecord {
  readonly values: Values
  /** The shape that was asked for first, which is mostly the only one, and its text. */
  #shape: number | undefined
  #text = ''
  #others: string[] | undefined

  constructor(values: Values) {
    this.values = values
  }

  /** JSON text, written once for each shape. */
  text(shapes: Shape[], shape: number): string {
    if (shape === this.#shape) return this.#text
    const known = this.#others?.[shape]
    if (known !== undefined) return known
    const text = writeByShape(this.values, shapes, shape)
    if (this.#shape === undefined) {
      this.#shape = shape
      this.#text = text
    } else {
      this.#others ??= []
      this.#others[shape] = text
    }
    return text
  }
}
