/** Ascending lists of positions, and indexes of them by value. */

import { getOrInsert } from '../contract/get-or-insert.js'

/** Positions by the value that a record has there; by each item where that is an array. */
export type Index = Map<unknown, number[]>

/** A record that changes stays where it was as well: whoever reads an index looks again. */
export function addToIndex(index: Index, value: unknown, position: number): void {
  for (const each of Array.isArray(value) ? value : [value]) {
    insertPosition(getOrInsert(index, each, newPositions), position)
  }
}

function newPositions(): number[] {
  return []
}

/** Mostly at the end. */
function insertPosition(positions: number[], position: number): void {
  if (position > (positions.at(-1) ?? -1)) positions.push(position)
  else {
    const place = positions.findLastIndex((each) => each <= position)
    if (positions[place] !== position) positions.splice(place + 1, 0, position)
  }
}
