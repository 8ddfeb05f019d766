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
/** Bytes held at most. */
const heldAtMost = 64 * 1024

export function createRequestLog({ format, stream }: RequestLogOptions): RequestLog | undefined {
  if (format === 'none') return undefined
  const isTerminal = stream.isTTY === true
  const toLine = format === 'json' ? createJsonLines() : (entry: LogEntry) => toPrettyLine(entry, isTerminal)
  // Bytes, as a text that is held would be moved about by the collector, piece by piece.
  const held = Buffer.allocUnsafe(heldAtMost)
  let used = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (used === 0) return
    stream.write(Buffer.from(held.subarray(0, used)))
    used = 0
  }

  return {
    flush,
    add(entry) {
      const line = toLine(entry)
      const most = 3 * line.length
      if (used + most > heldAtMost) flush()
      if (isTerminal || most > heldAtMost) {
        stream.write(line)
        return
      }
      used += held.write(line, used)
      timer ??= setTimeout(flush, flushAfterMs)
    },
  }
}

/** Written by hand: to ask what an entry holds costs more than to write it. */
function createJsonLines(): (entry: LogEntry) => string {
  const now = createTimestamps()
  return ({ method, target, status, ms, refused }) => {
    const why = refused === undefined ? '' : `,"refused":${JSON.stringify(refused)}`
    return `{"time":"${now()}","method":${JSON.stringify(method)},"target":${JSON.stringify(target)},"status":${status}${why},"ms":${Math.round(ms * 100) / 100}}\n`
  }
}

/** The time in ISO 8601; many requests share a millisecond, and its text. */
function createTimestamps(): () => string {
  let last = Number.NaN
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== last) {
      last = now
      text = new Date(now).toISOString()
    }
    return text
  }
}

function toPrettyLine({ method, target, status, ms, refused }: LogEntry, isColoured: boolean): string {
  const paint = (code: number, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[39m` : text)
  const color = status < 400 ? green : status < 500 ? yellow : red
  const time = new Date().toTimeString().slice(0, 8)
  // What a caller sent is quoted in it, and must not steer the terminal.
  const why = refused === undefined ? '' : `  ${refused.replace(/\p{Cc}/gu, '\ufffd')}`
  return `${paint(grey, time)} ${method.padEnd(6)} ${target} ${paint(color, String(status))} ${paint(grey, `${ms.toFixed(1)} ms`)}${why}\n`
}

const [red, green, yellow, grey] = [31, 32, 33, 90]
