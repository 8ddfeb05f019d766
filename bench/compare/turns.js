/** The two builds in turns that favour neither. */

/** The first, the second, the second, the first: what drifts evenly falls out. */
export function inTurns([first, second]) {
  return [first, second, second, first]
}

/** Garbage is collected after so much work: in one order, it would always be the same row of a build that pays. */
export function shuffle(values) {
  const keyed = values.map((value) => ({ value, key: Math.random() }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ value }) => value)
}

/** @param entries [id, value], several of each id */
export function meansByBuild(entries) {
  const ids = [...new Set(entries.map(([id]) => id))]
  return Object.fromEntries(ids.map((id) => [id, mean(entries.filter((entry) => entry[0] === id))]))
}

function mean(entries) {
  return entries.reduce((sum, [, value]) => sum + value, 0) / entries.length
}
