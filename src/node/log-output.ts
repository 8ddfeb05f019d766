/** Writes log lines. A full disk loses lines, but never stops the service. */

// An import would read each property of the module and load all of its streams, which takes 2 % of the start.
const { fstatSync, writeSync } = process.getBuiltinModule('node:fs')

export interface LogOutput {
  /** Calls back when the text is written, with an error if it is not. */
  write(text: string, done: (error?: Error | null) => void): void
  /** Each line is written at once and in colour. */
  isTerminal: boolean
}

/**
 * Writes to files directly, because Node.js destroys a stream after its first error: lines appear again once there is room.
 * Writes to terminals and pipes through the stream.
 */
export function toLogOutput(stream: NodeJS.WriteStream & { fd: number }): LogOutput {
  const isTerminal = stream.isTTY === true
  if (isTerminal || !isFile(stream.fd)) return { isTerminal, write: (text, done) => stream.write(text, done) }
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
