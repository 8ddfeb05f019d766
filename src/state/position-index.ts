/** Ascending lists of positions, and indexes from values to positions. */

import { getOrInsert } from '../json/own-value.js'

/** Positions by the value of a property, or by each item if the value is an array. */
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

/** The index of the first position that is not less than the given one. */
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
 * Merges the positions of two ascending lists, greatest first.
 * @param isReplaced whether to skip a position of the second list because the first list replaces it
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
