/** The request log, with a line for each request. */
import { toSafeJson, toSafeLine } from '../contract/safe-text.js'
import type { LogEntry } from './log-entry.js'
import type { LogOutput } from './log-output.js'

export type LogFormat = 'pretty' | 'json' | 'none'

export interface RequestLog {
  add(entry: LogEntry): void
  /** Writes all buffered entries. Resolves when they are written or dropped. */
  flush(): Promise<void>
}

export interface RequestLogOptions {
  format: LogFormat
  /** The output. A terminal gets each line at once, other outputs get lines in batches to save writes. */
  output: LogOutput
}

const flushAfterMs = 50
/** Maximum number of buffered entries before they are written. */
const maxBuffered = 256
/** Maximum number of buffered entries during a write. Further entries are dropped. */
const maxWaiting = 100_000

/** Drops and counts lines that can't be written. The next written line says how many were dropped. */
export function createRequestLog({ format, output }: RequestLogOptions): RequestLog | undefined {
  if (format === 'none') return undefined
  const { toLine, toDropped } = format === 'json' ? createJsonLines() : createPrettyLines(output.isTerminal)
  let buffered: LogEntry[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  /** Formats lines in batches, which takes a third of the time. One write ends before the next one starts. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeBuffered().finally(() => {
      writing = undefined
    })
    return writing
  }

  async function writeBuffered(): Promise<void> {
    while (buffered.length > 0) {
      const entries = buffered
      const notice = dropped > 0 ? toDropped(dropped) : ''
      buffered = []
      const error = await new Promise((done) => output.write(notice + entries.map(toLine).join(''), done))
      if (error) dropped += entries.length
      else if (notice !== '') dropped = 0
    }
  }

  return {
    flush,
    add(entry) {
      if (buffered.length >= maxWaiting) dropped++
      else buffered.push(entry)
      if (output.isTerminal || buffered.length >= maxBuffered) void flush()
      else timer ??= setTimeout(flush, flushAfterMs)
    },
  }
}

/** Formats entries as lines. */
interface LineFormat {
  toLine(entry: LogEntry): string
  /** Reports how many lines could not be written. */
  toDropped(count: number): string
}

/** Concatenates strings, which is faster than `JSON.stringify` on the whole entry. */
function createJsonLines(): LineFormat {
  const toTime = createTimes((at) => new Date(at).toISOString())
  // Only these parts can have unsafe characters. Searching the whole line would take longer.
  const write = (value: unknown) => toSafeJson(JSON.stringify(value))
  const toLine = ({ at, method, target, status, ms, refused, notes = [], sent }: LogEntry) => {
    const why = refused === undefined ? '' : `,"refused":${write(refused)}`
    const ignored = notes.length === 0 ? '' : `,"notes":${write(shorten(notes))}`
    const written = sent === undefined ? '' : `,"sent":${write(sent)}`
    return `{"time":"${toTime(at)}","method":${write(method)},"target":${write(target)},"status":${status}${why}${ignored}${written},"ms":${Math.round(ms * 100) / 100}}\n`
  }
  return { toLine, toDropped: (count) => `{"dropped":${count}}\n` }
}

function createPrettyLines(isColoured: boolean): LineFormat {
  const toTime = createTimes((at) => new Date(at).toTimeString().slice(0, 8))
  const paint = (code: number, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[39m` : text)
  const toLine = ({ at, method, target, status, ms, refused, notes = [], sent }: LogEntry) => {
    const color = status === 0 ? red : status < 400 ? green : status < 500 ? yellow : red
    const to = sent === undefined ? target : `→ ${target}`
    // All of these quote text from the caller.
    const why = [sent ?? [], refused ?? [], shorten(notes)].flat().map((each) => `  ${toSafeLine(each)}`)
    return `${paint(grey, toTime(at))} ${toSafeLine(`${method.padEnd(6)} ${to}`)} ${paint(color, String(status))} ${paint(grey, `${ms.toFixed(1)} ms`)}${why.join('')}\n`
  }
  return { toLine, toDropped: (count) => `${count} lines of the log could not be written and were dropped\n` }
}

/** A body can have thousands of unknown properties. */
const maxNotes = 5

function shorten(notes: readonly string[]): readonly string[] {
  const left = notes.length - maxNotes
  return left > 0 ? [...notes.slice(0, maxNotes), `and ${left} more`] : notes
}

/** Caches the text of the last time, because many requests share a millisecond. */
function createTimes(write: (at: number) => string): (at: number) => string {
  let last = Number.NaN
  let text = ''
  return (at) => {
    if (at !== last) {
      last = at
      text = write(at)
    }
    return text
  }
}

const [red, green, yellow, grey] = [31, 32, 33, 90]
