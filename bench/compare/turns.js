/** The order of measurements of two builds. It favors neither. */

/** First, second, second, first: a linear drift cancels out. */
export function inTurns([first, second]) {
  return [first, second, second, first]
}

/** Random order. In a fixed order, the same row would always pay for garbage collection. */
export function shuffle(values) {
  const keyed = values.map((value) => ({ value, key: Math.random() }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ value }) => value)
}

/** @param entries pairs [id, value], with several values for each id */
export function meansByBuild(entries) {
  const ids = [...new Set(entries.map(([id]) => id))]
  return Object.fromEntries(ids.map((id) => [id, mean(entries.filter((entry) => entry[0] === id))]))
}

function mean(entries) {
  return entries.reduce((sum, [, value]) => sum + value, 0) / entries.length
}
