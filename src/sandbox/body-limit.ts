/** Collects the bytes of a body up to a limit, for all adapters. */

export class BodyCollector {
  readonly #maxBytes: number
  #chunks: Uint8Array[] = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Whether the body is larger than the limit. */
  get isTooLarge(): boolean {
    return this.#size > this.#maxBytes
  }

  /** Adds the next chunk. Frees all chunks of a body that is too large. */
  add(chunk: Uint8Array): void {
    this.#size += chunk.length
    if (this.isTooLarge) this.#chunks = []
    else this.#chunks.push(chunk)
  }

  /** Returns the whole body, or undefined if it is too large. */
  bytes(): Uint8Array | undefined {
    if (this.isTooLarge) return undefined
    const [first, second] = this.#chunks
    if (first && !second) return first
    const whole = new Uint8Array(this.#size)
    let offset = 0
    for (const chunk of this.#chunks) {
      whole.set(chunk, offset)
      offset += chunk.length
    }
    return whole
  }
}
