/** Replaces what no URI and no UTF-8 can hold: half of a surrogate pair, which JSON and YAML can write as an escape. */

/**
 * Replaces it by U+FFFD in all names and texts of a value, in place. Only patterns may speak of such halves.
 * @param root without cycles
 */
export function makeWellFormed(root: unknown): void {
  const open = [root]
  const seen = new Set<unknown>()
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const members = value as Record<string, unknown>
    for (const [name, inner] of Object.entries(members)) {
      const isText = typeof inner === 'string' && name !== 'pattern'
      if (!name.isWellFormed()) delete members[name]
      if (!name.isWellFormed() || (isText && !inner.isWellFormed()))
        members[name.toWellFormed()] = isText ? inner.toWellFormed() : inner
      open.push(inner)
    }
  }
}
