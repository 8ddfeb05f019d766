/** Writes log lines where they may fail: a full disk costs lines, and never the service. */

// An import would read each property of the module, and thereby load all of its streams: a fiftieth of a start.
const { fstatSync, writeSync } = process.getBuiltinModule('node:fs')

export interface LogOutput {
  /** Calls back when the text is written, with an error if it is not. */
  write(text: string, done: (error?: Error | null) => void): void
  /** Each line is written at once and in colour. */
  isTerminal: boolean
}

/**
 * Files are written past the stream, as Node.js destroys a stream that failed once: lines come again as soon as there
 * is room. Terminals and pipes are written through it.
 */
export function toLogOutput(stream: NodeJS.WriteStream & { fd: number }): LogOutput {
  const isTerminal = stream.isTTY === true
  if (isTerminal || !isFile(stream.fd)) return { isTerminal, write: (text, done) => stream.write(text, done) }
  return { isTerminal, write: (text, done) => done(writeAll(stream.fd, Buffer.from(text))) }
}

/** Also a device such as /dev/full. */
function isFile(fd: number): boolean {
  try {
    const stats = fstatSync(fd)
    return stats.isFile() || stats.isCharacterDevice()
  } catch {
    return false
  }
}

/**
 * Written at once, as Node.js writes stdout and stderr to files: a thread for each write costs a request a tenth. A disk
 * that is nearly full takes a part of the text.
 */
function writeAll(fd: number, bytes: Buffer): Error | undefined {
  try {
    for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(writeSync(fd, rest))
    return undefined
  } catch (error) {
    return error as Error
  }
}
