/** The request log, with a line for each request and without credentials. A full disk loses lines, but never stops the service. */
import type { HideCredentials } from '../contract/hiding/hide-credentials.js'
import { toSafeJson, toSafeLine } from '../contract/safe-text.js'
import type { SentAttempt } from '../sandbox/webhooks/sender.js'
import { toExchange } from '../state/journal.js'

// An import would read each property of the module and load all of its streams, which takes 2 % of the start.
const { fstatSync, writeSync } = process.getBuiltinModule('node:fs')

/** An entry of the request log: a request that the server received or sent. */
export interface LogEntry {
  /** Milliseconds since 1970. */
  at: number
  method: string
  /** The path with its query, as it was requested, without credentials. Like the method, `-` for bytes that are not HTTP. */
  target: string
  status: number
  /** Milliseconds from the arrival of the request headers to the response. */
  ms: number
  /** Why the request was refused. Undefined for a success. */
  refused: string | undefined
  /** Ignored parts of the request, e.g. unknown parameters. Undefined if there are none. */
  notes?: readonly string[] | undefined
  /** Whether the server itself refused it, e.g. for its host, so it is not in the journal. */
  isRefusedByServer?: boolean
  /** The name of the callback or webhook, if the sandbox sent the request. Then the target is a URL, and the status may be 0. */
  sent?: string
}

/** The log entry of a callback or webhook. */
export function toSentEntry({ entry, ms }: SentAttempt, hideCredentials: HideCredentials): LogEntry {
  const { request, response, notes, sent } = hideCredentials(toExchange(entry)).exchange
  const { name = '', url = '' } = sent ?? {}
  const { status } = response
  return { at: Date.now(), method: request.method, target: url, status, ms, refused: undefined, notes, sent: name }
}

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

export interface LogOutput {
  /** Calls back when the text is written, with an error if it is not. */
  write(text: string, done: (error?: Error | null) => void): void
  /** Each line is written at once and in colour. */
  isTerminal: boolean
}

/** A stream such as `process.stderr`. The types of the package need no types of Node.js. */
interface LogStream extends Pick<LogOutput, 'write'> {
  isTTY?: boolean
  fd: number
}

/**
 * Writes to files directly, because Node.js destroys a stream after its first error: lines appear again once there is room.
 * Writes to terminals and pipes through the stream.
 */
export function toLogOutput(stream: LogStream): LogOutput {
  const isTerminal = stream.isTTY === true
  if (isTerminal || !isFile(stream.fd)) return { isTerminal, write: (text, done) => void stream.write(text, done) }
  return { isTerminal, write: (text, done) => done(writeAll(stream.fd, Buffer.from(text))) }
}

/** Whether it is a file or a device such as /dev/full. */
function isFile(fd: number): boolean {
  try {
    const stats = fstatSync(fd)
    return stats.isFile() || stats.isCharacterDevice()
  } catch {
    return false
  }
}

/**
 * Writes synchronously, as Node.js does for stdout and stderr in files: a thread for each write would make requests 10 %
 * slower. A nearly full disk accepts only a part of the text.
 */
function writeAll(fd: number, bytes: Buffer): Error | undefined {
  try {
    for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(writeSync(fd, rest))
    return undefined
  } catch (error) {
    return error as Error
  }
}
