/** The middle one of the values. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** The middle one of the quotients of two rows of values, taken pair by pair: what swings with the machine falls out. */
export function medianRatio(over, under) {
  return median(over.map((value, index) => value / under[index]))
}
