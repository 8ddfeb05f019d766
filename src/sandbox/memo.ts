/** Remembers what was computed for a text, within a bound. */

/**
 * A bounded map. Entries live in two halves: when the young half is full, it becomes the old one, and what nobody asks
 * for while that lasts is forgotten.
 *
 * @example
 * const lengths = new Memo<number>(100)
 * lengths.get('abc') ?? lengths.set('abc', 3)
 */
export class Memo<Value> {
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  #youngSize = 0

  /**
   * @param most how much is remembered, in the unit of `sizeOf`; a value of more than half of it is not remembered
   * @param sizeOf size of a value. @default 1 for each
   */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    return old === undefined ? undefined : this.set(key, old)
  }

  /** @returns the value */
  set(key: string, value: Value): Value {
    const size = this.#sizeOf(value)
    if (size > this.#most / 2) {
      this.#young.delete(key)
      this.#old.delete(key)
      return value
    }
    if (this.#youngSize + size > this.#most / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngSize = 0
    }
    this.#youngSize += size
    this.#young.set(key, value)
    return value
  }
}
