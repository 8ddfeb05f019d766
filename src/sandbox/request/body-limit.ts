/** Collects the bytes of a body up to a limit, for all adapters. */

const none = new Uint8Array()

export class BodyCollector {
  readonly #maxBytes: number
  /** Has spare capacity, because chunks may be single bytes. */
  #bytes: Uint8Array = none
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Whether the body is larger than the limit. */
  get isTooLarge(): boolean {
    return this.#size > this.#maxBytes
  }

  /** Adds the next chunk. Frees all bytes of a body that is too large. */
  add(chunk: Uint8Array): void {
    const start = this.#size
    this.#size += chunk.length
    if (this.isTooLarge) this.#bytes = none
    else if (start === 0) this.#bytes = chunk
    else {
      if (this.#size > this.#bytes.length) {
        const larger = new Uint8Array(2 * this.#size)
        larger.set(this.#bytes)
        this.#bytes = larger
      }
      this.#bytes.set(chunk, start)
    }
  }

  /** Returns the whole body, once, or undefined if it is too large. */
  bytes(): Uint8Array | undefined {
    const bytes = this.#bytes
    this.#bytes = none
    return this.isTooLarge ? undefined : bytes.slice(0, this.#size)
  }
}
