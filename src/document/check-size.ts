/** Limits the expanded size of a document: YAML aliases can expand a few lines to an endless or exponentially large value. */

/** Maximum values in a document with expanded aliases. The largest public documents have about two million. */
const maxValues = 10_000_000
/** Public documents rarely have more than 50 levels. */
const maxLevels = 500

/**
 * @param onInexact called for each number that may be another one than its text
 * @returns why a value is too large, or undefined
 */
export function checkSize(root: unknown, onInexact?: () => void): string | undefined {
  /** The number of values in each finished object, itself included. */
  const sizes = new Map<object, number>()
  const open = new Set<object>()
  /** The objects that contain the current one, each with its uncounted values. */
  const stack: { value: object; rest: unknown[] }[] = []

  function enter(value: object): void {
    stack.push({ value, rest: Object.values(value) })
    open.add(value)
    sizes.set(value, 1)
  }

  if (typeof root !== 'object' || root === null) return undefined
  enter(root)
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const { value, rest } = top
    const inner = rest.pop()
    if (inner === undefined && rest.length === 0) {
      stack.pop()
      open.delete(value)
      const above = stack.at(-1)
      if (above) addTo(above.value, sizes.get(value) ?? 1)
    } else if (typeof inner !== 'object' || inner === null) {
      addTo(value, 1)
      if (onInexact && typeof inner === 'number' && Math.abs(inner) > Number.MAX_SAFE_INTEGER) onInexact()
    } else if (open.has(inner)) return 'an alias leads back to the part that it is in'
    else if (sizes.has(inner)) addTo(value, sizes.get(inner) ?? 1)
    else if (stack.length === maxLevels) return `it has more than ${maxLevels} levels`
    else enter(inner)
    if ((sizes.get(value) ?? 0) > maxValues) return `its aliases expand to more than ${maxValues} values`
  }
  return undefined

  function addTo(value: object, count: number): void {
    sizes.set(value, (sizes.get(value) ?? 0) + count)
  }
}
