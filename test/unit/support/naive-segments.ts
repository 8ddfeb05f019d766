/** Splits a segment by trying every split: slow, and obviously right. */

/** @param texts literal texts, with a parameter between each two of them */
export function matchNaively(texts: readonly string[], text: string): (string | undefined)[] | undefined {
  const [raw] = splits(texts, text)
  if (raw) return raw.map(decode)
  const decoded = decode(text)
  if (decoded === undefined) return undefined
  const [values] = splits(
    texts.map((each) => decode(each) ?? each),
    decoded,
  )
  return values
}

/** All splits, those with shorter values further left first. */
function* splits([first = '', ...others]: readonly string[], text: string): Generator<string[]> {
  if (!text.startsWith(first)) return
  const rest = text.slice(first.length)
  if (others.length === 0) {
    if (rest === '') yield []
    return
  }
  for (let length = 1; length <= rest.length; length++) {
    for (const values of splits(others, rest.slice(length))) yield [rest.slice(0, length), ...values]
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
