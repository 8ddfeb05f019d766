/** Finds what was probably meant. */

/** Longer texts are compared up to here: a hint is not worth more. */
const maxLength = 200

/** The candidate with the fewest edits from the text; */
export function closestOf(text: string, candidates: readonly string[]): string | undefined {
  const distances = candidates.map(
    (candidate) => [editDistance(text.slice(0, maxLength), candidate), candidate] as const,
  )
  return distances.toSorted(([a], [b]) => a - b)[0]?.[1]
}

/** Levenshtein distance: insertions, deletions and substitutions. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row[b.length] ?? 0
}
