/** Counts the memory of pending data in a server, such as unfinished bodies and answers, towards one limit. */

export class MemoryBudget {
  readonly maxBytes: number
  #taken = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Whether this many bytes are left. Fewer than before are always possible. */
  has(bytes: number): boolean {
    return bytes <= 0 || this.#taken + bytes <= this.maxBytes
  }

  /** @returns whether there was room; if so, call `free` once with the same number */
  take(bytes: number): boolean {
    const isTaken = this.has(bytes)
    if (isTaken) this.#taken += bytes
    return isTaken
  }

  /** Counts bytes that are held in any case, such as those that a store has. Call `free` once with the same number. */
  hold(bytes: number): void {
    this.#taken += bytes
  }

  free(bytes: number): void {
    this.#taken -= bytes
  }

  /** Says why there is no room: a sentence without a full stop. @param what the data that needs it */
  refusal(what: string): string {
    return `There is no memory left for ${what}: the limit is ${this.maxBytes} bytes (--max-memory)`
  }
}

/** The approximate bytes of plain data in memory. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 16
  let bytes = 64
  for (const name in value) bytes += 16 + bytesOf((value as Record<string, unknown>)[name])
  return bytes
}
