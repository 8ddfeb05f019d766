/** A bounded cache by text. */

/**
 * A bounded map with a young and an old half. When the young half is full, it becomes the old half, and the entries of
 * the old half that were not read since are dropped.
 *
 * @example
 * const lengths = new Memo<number>(100)
 * lengths.get('abc') ?? lengths.set('abc', 3)
 */
export class Memo<Value> {
  readonly #most: number
  readonly #sizeOf: (value: Value, key: string) => number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  #youngSize = 0

  /**
   * @param most maximum total size, in the unit of `sizeOf`. A value of more than half of it is not cached.
   * @param sizeOf size of a value with its key. @default () => 1
   */
  constructor(most: number, sizeOf: (value: Value, key: string) => number = () => 1) {
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
    const size = this.#sizeOf(value, key)
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
