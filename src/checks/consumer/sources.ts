/** Where in the consumer's code requests were made: reads `Exchange.source`, and counts the places of a finding. */
import { decodeText } from '../../contract/path-template.js'

/** A place in the consumer's code. Lines and columns start at 1. */
export interface Frame {
  /** Relative to the folder where the command was started, and below it, with slashes. */
  file: string
  line: number
  column?: number
}

/** A place that made requests of a finding. */
export interface FindingSource {
  /** The innermost frame of the consumer's own code. */
  call: Frame
  /** The outermost one, if it is another or belongs to a test. */
  test?: TestFrame
  /** How often; at least 1. */
  count: number
}

export interface TestFrame extends Frame {
  /** Title of the test, below those of its groups: `shelves > adds a book`. Absent if it is not certain. */
  name?: string
}

/** Maximum number of places that a report shows of a finding. */
export const maxSources = 5
/** Maximum number of places that are kept until those with the same call and no test are one. */
const maxKept = 50
/** As the loader sends it. */
const maxLength = 1024
const place = /^(?<file>[^\s,]+?):(?<line>[1-9]\d{0,6})(?::(?<column>\d{1,6}))?$/

/** A path that leads elsewhere on some system, and characters that reports must not have. */
const outside = /^[\\/~]|^[a-z][a-z\d+.-]*:|(?:^|[\\/])\.\.[. ]*(?:[\\/]|$)|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/iu

/**
 * Reads the frames of `Sandbox-Source`, the innermost first, without those outside of the project.
 * @returns undefined if it is malformed
 * @example readSource('src/client.ts:12:5,test/shelf.test.ts:30') // two frames
 */
export function readSource(text: string): Frame[] | undefined {
  const frames = text.length > maxLength ? [] : text.split(',').map((part) => toFrame(part.trim()))
  const isWhole = frames.length > 0 && frames.every((frame) => frame !== undefined)
  return isWhole ? frames.filter(({ file }) => isBelow(file)) : undefined
}

/** Also checks what further decoding would read: `%252e%252e/a.ts` */
function isBelow(file: string): boolean {
  if (outside.test(file)) return false
  const further = decodeText(file)
  return further === undefined || further === file || isBelow(further)
}

function toFrame(text: string): Frame | undefined {
  const { file = '', line, column } = place.exec(text)?.groups ?? {}
  const decoded = decodeText(file)
  if (line === undefined || decoded === undefined) return undefined
  return { file: decoded, line: Number(line), ...(column !== undefined && { column: Number(column) }) }
}

/** Counts the places of a finding. @param name of the test, if it is certain */
export function addSource(
  finding: { sources?: FindingSource[] },
  frames: readonly Frame[],
  name: string | undefined,
): void {
  const [call] = frames
  const outermost = frames.at(-1)
  if (!call || !outermost) return
  const test: TestFrame = { ...outermost, ...(name !== undefined && { name }) }
  finding.sources ??= []
  const { sources } = finding
  const known = sources.find((each) => isSame(each.call, call) && isSameTest(each.test, test))
  if (known) known.count++
  else if (sources.length < maxKept) sources.push({ call, test, count: 1 })
}

export function isSame(one: Frame, other: Frame): boolean {
  return one.file === other.file && one.line === other.line && one.column === other.column
}

export function isSameTest(one: TestFrame | undefined, other: TestFrame | undefined): boolean {
  return one && other ? isSame(one, other) && one.name === other.name : one === other
}
