/** The request log, with a line for each request. */
import type { LogEntry } from './listen.js'

export type LogFormat = 'pretty' | 'json' | 'none'

export interface RequestLog {
  add(entry: LogEntry): void
  /** Writes all buffered entries. */
  flush(): void
}

export interface RequestLogOptions {
  format: LogFormat
  /** The output. A terminal gets each line at once and in color, other streams get lines in batches to save writes. */
  stream: NodeJS.WriteStream
}

const flushAfterMs = 50
/** Maximum number of buffered entries. */
const maxBuffered = 256

export function createRequestLog({ format, stream }: RequestLogOptions): RequestLog | undefined {
  if (format === 'none') return undefined
  const isTerminal = stream.isTTY === true
  const toLine = format === 'json' ? createJsonLines() : createPrettyLines(isTerminal)
  let buffered: LogEntry[] = []
  let timer: NodeJS.Timeout | undefined

  /** Formats lines in batches, which takes a third of the time. */
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (buffered.length > 0) stream.write(buffered.map(toLine).join(''))
    buffered = []
  }

  return {
    flush,
    add(entry) {
      buffered.push(entry)
      if (isTerminal || buffered.length >= maxBuffered) flush()
      else timer ??= setTimeout(flush, flushAfterMs)
    },
  }
}

/** Concatenates strings, which is faster than `JSON.stringify` on the whole entry. */
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
    // The reason quotes text from the caller, which must not control the terminal.
    const why = refused === undefined ? '' : `  ${refused.replace(/\p{Cc}/gu, '\ufffd')}`
    return `${paint(grey, toTime(at))} ${method.padEnd(6)} ${target} ${paint(color, String(status))} ${paint(grey, `${ms.toFixed(1)} ms`)}${why}\n`
  }
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
