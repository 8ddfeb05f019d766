/** Returns the median. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** Returns the median of the ratios of paired values, in which variations of the machine cancel out. */
export function medianRatio(over, under) {
  return median(over.map((value, index) => value / under[index]))
}
