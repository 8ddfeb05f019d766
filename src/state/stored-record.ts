/** A record: its values, and their JSON text in the shape that was used last. */
import { ownValue } from '../json/own-value.js'
import type { Shape } from '../json/shape.js'
import { writeByShape } from '../json/write-by-shape.js'

/** The values of a record by property. Integers beyond ±(2^53−1) are bigints. */
export type Values = { readonly [property: string]: unknown }

/** A key of a record: a string, a safe integer as a number, or another integer as a bigint. */
export type Key = number | bigint | string

export class StoredRecord {
  declare readonly values: Values
  #shape: number | undefined
  #text = ''

  constructor(values: Values) {
    this.values = values
  }

  /** Returns the JSON text in a shape. The text for the last shape is cached. */
  text(shapes: Shape[], shape: number): string {
    if (shape !== this.#shape) {
      this.#text = writeByShape(this.values, shapes, shape)
      this.#shape = shape
    }
    return this.#text
  }

  /** Returns and caches the text of a function. @param id a negative number in place of a shape */
  textBy(id: number, write: () => string | undefined): string | undefined {
    if (id === this.#shape) return this.#text
    const text = write()
    if (text === undefined) return undefined
    this.#text = text
    this.#shape = id
    return text
  }
}

/** Matches records whose property is one of these values, or an array that contains one of them. */
export interface Filter {
  property: string
  values: readonly unknown[]
}

export function passes(record: StoredRecord, { property, values }: Filter): boolean {
  const value = ownValue(record.values, property)
  return Array.isArray(value) ? value.some((item) => values.includes(item)) : values.includes(value)
}
