/** One value of an object, with the words of its name. */
export interface Entry {
  name: string
  words: string
  /** Undefined: the object does not have it. */
  value: unknown
}

/** The first value whose name has certain words. */
export function find(entries: readonly Entry[], pattern: RegExp): Entry | undefined {
  return entries.find(({ words }) => pattern.test(words))
}
