/** Random numbers from a seed: the same sequence on every machine. */

export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from 0 to below the limit. */
  below(limit: number): number
}

/** Mulberry32: whole 32-bit numbers only, so that no engine rounds them differently. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, below: (limit) => Math.floor(next() * limit) }
}

/** A seed made of a text (FNV-1a, 32 bits). */
export function toSeed(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
