/** Says where something is in a text: line, column and the lines around it. */
import type { SourceLocation } from '../../contract/sandbox-error.js'
import { once } from '../once.js'

const maxFrameWidth = 160

export function createLocator(text: string, file: string): (offset: number) => SourceLocation {
  const linesOf = once(() => text.split(/\r?\n/))
  const startsOf = once(() => [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)])
  return (offset) => {
    const starts = startsOf()
    const line = countUpTo(starts, offset)
    const column = offset - (starts[line - 1] ?? 0) + 1
    return { file, line, column, frame: frameOf(linesOf(), line, column) }
  }
}

/** How many of the sorted numbers are not greater than another one. */
function countUpTo(sorted: readonly number[], most: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low
}

function frameOf(lines: readonly string[], line: number, column: number): string {
  const first = Math.max(line - 2, 1)
  const width = String(line + 1).length
  const frame = lines.slice(first - 1, line + 1).flatMap((content, index) => {
    const number = first + index
    const shown = content.length > maxFrameWidth ? `${content.slice(0, maxFrameWidth)}…` : content
    const row = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${shown}`
    if (number !== line || column > maxFrameWidth) return [row]
    const mark = content.slice(0, column - 1).replace(/[^\t]/g, ' ')
    return [row, `  ${' '.repeat(width)} | ${mark}^`]
  })
  return frame.join('\n')
}
