/** Pairs the ids of two servers one to one: both choose their own. */

/** Shorter ids are not looked for within texts. */
const minLength = 4

export function createIds() {
  const there = new Map()
  const back = new Map()
  return {
    has: (id) => there.has(id),
    of: (id) => there.get(String(id)),
    back: (id) => back.get(id),
    /** @returns whether the two are a pair, or are one now */
    pair(one, other) {
      const [from, to] = [String(one), String(other)]
      if (there.has(from)) return there.get(from) === to
      if (back.has(to)) return false
      there.set(from, to)
      back.set(to, from)
      return true
    },
    /** Replaces an id, or the ids in a text. */
    translate(value) {
      if (typeof value !== 'string') return value
      if (there.has(value)) return there.get(value)
      const inner = [...there].filter(([id]) => id.length >= minLength)
      return inner.reduce((text, [from, to]) => text.replaceAll(from, () => to), value)
    },
  }
}
