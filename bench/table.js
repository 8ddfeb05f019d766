/** Formats tables as text: the first column aligned left, figures right. */
export function toTable(head, rows) {
  const table = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column].length)))
  const toLine = (row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  ')
  return [toLine(table[0]), widths.map((width) => '-'.repeat(width)).join('  '), ...table.slice(1).map(toLine)].join(
    '\n',
  )
}

/** A cell for the figure of another build and of this one: both only if they differ. */
export function toChange(before, now) {
  return before === now ? now : `${before} → ${now}`
}

/** Formats bars with their measured figures and whether they are met. */
export function toBarTable(bars) {
  const toWord = (isKept) => (isKept === undefined ? '-' : isKept ? 'yes' : 'NO')
  return toTable(
    ['what', 'measured', 'bar', 'kept?'],
    bars.map(({ what, measured, bar, isKept }) => [what, measured, bar, toWord(isKept)]),
  )
}
