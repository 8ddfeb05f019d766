/** Says where something is in a text: line, column and the lines around it. */
import type { LineCounter } from 'yaml'
import type { SourceLocation } from '../../contract/sandbox-error.js'
import { once } from '../once.js'

const maxFrameWidth = 160

/** @param lineCounter knows where the lines of the text begin */
export function createLocator(
  text: string,
  file: string,
  lineCounter: LineCounter,
): (offset: number) => SourceLocation {
  const linesOf = once(() => text.split(/\r?\n/))
  return (offset) => {
    const at = lineCounter.linePos(offset)
    const line = Math.max(at.line, 1)
    const column = Math.max(at.col, 1)
    return { file, line, column, frame: frameOf(linesOf(), line, column) }
  }
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
