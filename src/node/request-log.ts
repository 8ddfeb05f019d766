/** The request log: a line for each request. */
import type { LogEntry } from './listen.js'

export type LogFormat = 'pretty' | 'json' | 'none'

export interface RequestLog {
  add(entry: LogEntry): void
  /** Writes what is still held. */
  flush(): void
}

export interface RequestLogOptions {
  format: LogFormat
  /** Where the lines go; on a terminal each at once and in colour, else together, as one write costs as much as a request. */
  stream: NodeJS.WriteStream
}

const flushAfterMs = 50
/** Entries held at most. */
const heldAtMost = 256

export function createRequestLog({ format, stream }: RequestLogOptions): RequestLog | undefined {
  if (format === 'none') return undefined
  const isTerminal = stream.isTTY === true
  const toLine = format === 'json' ? createJsonLines() : createPrettyLines(isTerminal)
  let held: LogEntry[] = []
  let timer: NodeJS.Timeout | undefined

  /** Lines are made many at once, which takes a third of the time that they take one by one. */
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (held.length > 0) stream.write(held.map(toLine).join(''))
    held = []
  }

  return {
    flush,
    add(entry) {
      held.push(entry)
      if (isTerminal || held.length >= heldAtMost) flush()
      else timer ??= setTimeout(flush, flushAfterMs)
    },
  }
}

/** Written by hand: to ask what an entry holds costs more than to write it. */
function createJsonLines(): (entry: LogEntry) => string {
  const toTime = createTimes((at) => new Date(at).toISOString())
  return ({ at, method, target, status, ms, refused }) => {
    const why = refused === undefined ? '' : `,"refused":${JSON.stringify(refused)}`
    return `{"time":"${toTime(at)}","method":${JSON.stringify(method)},"target":${JSON.stringify(target)},"status":${status}${why},"ms":${Math.round(ms * 100) / 100}}\n`
  }
}

function createPrettyLines(isColoured: boolean): (entry: LogEntry) => string {
  const toTime = createTimes((at) => new Date(at).toTimeString().slice(0, 8))
  const paint = (code: number, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[39m` : text)
  return ({ at, method, target, status, ms, refused }) => {
    const color = status < 400 ? green : status < 500 ? yellow : red
    // What a caller sent is quoted in it, and must not steer the terminal.
    const why = refused === undefined ? '' : `  ${refused.replace(/\p{Cc}/gu, '\ufffd')}`
    return `${paint(grey, toTime(at))} ${method.padEnd(6)} ${target} ${paint(color, String(status))} ${paint(grey, `${ms.toFixed(1)} ms`)}${why}\n`
  }
}

/** The text of a time; many requests share a millisecond, and its text. */
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
