/** Ascending lists of positions, and indexes of them by value. */

import { getOrInsert } from './get-or-insert.js'

/** Positions by the value that a record has there; by each item where that is an array. */
export type Index = Map<unknown, number[]>

export function addToIndex(index: Index, value: unknown, position: number): void {
  for (const each of itemsOf(value)) insertPosition(getOrInsert(index, each, newPositions), position)
}

export function removeFromIndex(index: Index, value: unknown, position: number): void {
  for (const each of itemsOf(value)) removePosition(index.get(each) ?? [], position)
}

function itemsOf(value: unknown): Iterable<unknown> {
  return Array.isArray(value) ? new Set(value) : [value]
}

function newPositions(): number[] {
  return []
}

function insertPosition(positions: number[], position: number): void {
  if (position > (positions.at(-1) ?? -1)) positions.push(position)
  else positions.splice(lowerBound(positions, position), 0, position)
}

function removePosition(positions: number[], position: number): void {
  const place = lowerBound(positions, position)
  if (positions[place] === position) positions.splice(place, 1)
}

/** The first place whose position is not below the given one. */
function lowerBound(positions: readonly number[], position: number): number {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((positions[middle] ?? 0) < position) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The positions of two ascending lists, greatest first.
 * @param isReplaced whether a position of the second list does not count, as the first list speaks for it
 */
export function* mergeDescending(
  one: readonly number[],
  other: readonly number[],
  isReplaced: (position: number) => boolean,
): Generator<number> {
  let left = one.length
  let otherLeft = other.length
  while (left + otherLeft > 0) {
    const position = one[left - 1] ?? -1
    const otherPosition = other[otherLeft - 1] ?? -1
    if (position > otherPosition) {
      left--
      yield position
    } else {
      otherLeft--
      if (!isReplaced(otherPosition)) yield otherPosition
    }
  }
}
