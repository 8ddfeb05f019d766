/** Reads text files that users specify. */
import { createReadStream } from 'node:fs'
import { SandboxError } from '../contract/sandbox-error.js'

/** Reads a UTF-8 file. @throws SandboxError `UNREADABLE_FILE` */
export async function readTextFile(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(path))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new SandboxError('UNREADABLE_FILE', `Failed to read "${path}": ${reasons[code ?? ''] ?? message}`)
  }
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
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
}
