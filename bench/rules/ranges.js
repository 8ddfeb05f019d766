/** The code of a module that did not run, as ranges of characters. */

/** @param functions the coverage of a module. @returns `start,length;…`, each start counted from the previous end */
export function encodeRanges(functions) {
  const all = functions.flatMap(({ ranges }) => ranges)
  // Inner ranges come after outer ones, and decide.
  const sorted = all.toSorted((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset)
  const parts = []
  const open = []
  let last = 0
  const add = (start, end) => {
    if (start < end && open.at(-1)?.count === 0) parts.push([start, end])
  }
  const closeUntil = (offset) => {
    while (open.length > 0 && open.at(-1).endOffset <= offset) {
      add(last, open.at(-1).endOffset)
      last = Math.max(last, open.pop().endOffset)
    }
  }
  for (const range of sorted) {
    closeUntil(range.startOffset)
    add(last, range.startOffset)
    last = range.startOffset
    open.push(range)
  }
  closeUntil(Number.POSITIVE_INFINITY)
  let end = 0
  return parts
    .map(([from, to]) => {
      const text = `${(from - end).toString(36)},${(to - from).toString(36)}`
      end = to
      return text
    })
    .join(';')
}

export function decodeRanges(text) {
  let end = 0
  return text === ''
    ? []
    : text.split(';').map((part) => {
        const [gap, length] = part.split(',').map((each) => Number.parseInt(each, 36))
        const start = end + gap
        end = start + length
        return [start, end]
      })
}
