/** Reads text files that users specify, by path or URL. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { SandboxError } from '../contract/sandbox-error.js'
import { decodeText } from './decode-text.js'
import { type FetchedText, fetchText } from './fetch-text.js'

/** Reads a file in UTF-8 or UTF-16. @throws SandboxError `UNREADABLE_FILE` */
export async function readTextFile(path: string): Promise<string> {
  try {
    return decodeText(await readBytes(path))
  } catch (error) {
    throw unreadable(path, error as NodeJS.ErrnoException)
  }
}

/**
 * Reads a file, or requests a URL of http or https.
 * @param isReferred whether another file names it, so that it must be an ordinary file
 * @throws SandboxError `UNREADABLE_FILE`
 */
export async function readText(location: string, isReferred = false): Promise<FetchedText> {
  try {
    if (/^https?:/i.test(location)) return await fetchText(location)
    const path = /^file:/i.test(location) ? fileURLToPath(location) : location
    // Others may never end, or wait for someone to write.
    if (isReferred && !(await stat(path)).isFile()) throw new Error('it is not an ordinary file')
    return { text: decodeText(await readBytes(path)), location: path }
  } catch (error) {
    throw unreadable(withoutCredentials(location), error as NodeJS.ErrnoException)
  }
}

function unreadable(location: string, { code, message }: NodeJS.ErrnoException): SandboxError {
  return new SandboxError('UNREADABLE_FILE', `Failed to read "${location}": ${reasons[code ?? ''] ?? message}`)
}

/** A URL without its user and password. */
function withoutCredentials(location: string): string {
  return location.replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
}

const maxMebibytes = 256

/** Reads to the end, which a device such as /dev/zero does not have. */
async function readBytes(path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    size += chunk.length
    if (size > maxMebibytes * 1024 ** 2) throw new Error(`it has more than ${maxMebibytes} MiB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
}
