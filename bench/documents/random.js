/** Random numbers that a text repeats, so that a choice does not depend on the order of the documents. */

/** @returns a function that returns numbers from 0 up to 1 (mulberry32) */
export function createRandom(text) {
  let state = hash(text)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a part of a list in the order of the list. */
export function pickSome(list, count, random) {
  if (list.length <= count) return list
  const drawn = list.map((_, index) => ({ index, lot: random() })).sort((one, other) => one.lot - other.lot)
  const chosen = drawn.slice(0, count).map(({ index }) => index)
  return chosen.sort((one, other) => one - other).map((index) => list[index])
}

/** FNV-1a. */
export function hash(text) {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}
