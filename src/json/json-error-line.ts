/**
 * The line of an error of `JSON.parse`, from 1. Undefined if its message names no position.
 * @example lineOfJsonError('{\n"a": }', error) // 2
 */
export function lineOfJsonError(text: string, error: unknown): number | undefined {
  const [, position] = /position (\d+)/.exec(String(error)) ?? []
  if (position === undefined) return /end of JSON/.test(String(error)) ? text.split('\n').length : undefined
  return text.slice(0, Number(position)).split('\n').length
}
