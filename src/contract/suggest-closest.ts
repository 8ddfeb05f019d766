/** Suggests a correction for a misspelled name. */

/** Returns the candidate with the shortest difference between the common start and end, or the first of equals. */
export function closestOf(text: string, candidates: readonly string[]): string | undefined {
  let closest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const difference = differenceOf(text, candidate)
    if (difference >= least) continue
    closest = candidate
    least = difference
  }
  return closest
}

/** Returns the closest candidate if it is a likely match: at most half of it differs, ignoring case. */
export function suggestName(name: string, candidates: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  const closest = closestOf(
    lower,
    candidates.map((each) => each.toLowerCase()),
  )
  if (closest === undefined || differenceOf(lower, closest) * 2 > closest.length) return undefined
  return candidates.find((each) => each.toLowerCase() === closest)
}

/** The length of what remains without the common start and end. */
export function differenceOf(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++
  return Math.max(one.length, other.length) - start - end
}

/** Names the closest candidate, as the end of a message. Empty without candidates. */
export function suggestion(name: string, candidates: readonly string[]): string {
  const closest = suggestName(name, candidates) ?? closestOf(name, candidates)
  return closest === undefined ? '' : `; the closest is "${closest}"`
}
