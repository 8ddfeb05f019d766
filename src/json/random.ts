/** Random numbers from a seed: the same sequence on every machine. */

export interface Random {
  /** A number from 0 to less than 1. */
  next(): number
  /** An integer from 0 to less than the limit. */
  below(limit: number): number
}

const step = 0x6d2b79f5

/** Mulberry32. It uses only 32-bit integers, so that every engine gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + step) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, below: (limit) => Math.floor(next() * limit) }
}

/** The number that `createRandom(seed)` gives after `drawn` others. */
export function randomAt(seed: number, drawn: number): number {
  return createRandom(seed + Math.imul(drawn, step)).next()
}

/** Hashes a text to a seed (FNV-1a, 32 bits). */
export function toSeed(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
