/** Bounds what generators make of patterns, which repeat up to as often as they allow. */

/** The most repetitions that are more than a pattern demands: the generator makes up to as many as it allows. */
const maxMore = 32
/** An escape, a character class, or a quantifier with both bounds. */
export const counted: RegExp = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\{(\d+),(\d+)\}/g

/** A pattern whose texts match the other one, too, and are not millions of characters long. */
export function withFewRepetitions(pattern: string): string {
  return pattern.replace(counted, (whole, least?: string, most?: string) =>
    most === undefined ? whole : `{${least},${Math.min(Number(most), Number(least) + maxMore)}}`,
  )
}
