/** Remembers the last results of a calculation. Requests in a row often get the same response. */

const maxResults = 20
/** A longer key is not kept in memory. */
const maxKeyLength = 100_000

/** Returns what `calculate` returned for the same key, if that was recently. */
export type RecentResults<Result> = (key: string, calculate: () => Result) => Result

export function createRecentResults<Result>(): RecentResults<Result> {
  const results = new Map<string, Result>()
  return (key, calculate) => {
    const known = results.get(key)
    if (known !== undefined) return known
    const result = calculate()
    if (key.length > maxKeyLength) return result
    const [oldest] = results.size < maxResults ? [] : results.keys()
    if (oldest !== undefined) results.delete(oldest)
    results.set(key, result)
    return result
  }
}
