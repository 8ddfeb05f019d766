/** Suggests a correction for a misspelled name. */

/** Returns the candidate with the shortest difference between the common start and end; of equals the first. */
export function closestOf(text: string, [first, ...others]: readonly string[]): string | undefined {
  return (
    first && others.reduce((best, each) => (differenceOf(text, each) < differenceOf(text, best) ? each : best), first)
  )
}

function differenceOf(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++
  return Math.max(one.length, other.length) - start - end
}
