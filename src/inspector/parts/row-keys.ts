/** The keys that move between the rows of a list or table. */

const pageRows = 10

/** @returns the row that a key leads to; undefined for another key */
export function toRow(key: string, at: number, count: number): number | undefined {
  const rows: Readonly<Record<string, number>> = {
    ...{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 },
    ...{ PageDown: at + pageRows, PageUp: at - pageRows },
  }
  const { [key]: row } = rows
  return row === undefined ? undefined : Math.max(0, Math.min(row, count - 1))
}
